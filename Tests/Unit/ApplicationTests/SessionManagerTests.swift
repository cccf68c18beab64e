import Foundation
import OSC
import Testing

@testable import Application

/// The protocol of session managers, message by message.
@Suite struct SessionManagerTests {
    @Test(
        "The manager's messages are understood",
        arguments: [
            (
                OSCMessage(
                    "/reply", [.string("/nsm/server/announce"), .string("Hello."), .string("A manager"), .string(":broadcast:dirty:")]),
                SessionManagerRequest.welcome("Hello.", manager: "A manager", capabilities: ["broadcast", "dirty"])
            ),
            (
                OSCMessage("/error", [.string("/nsm/server/announce"), .int32(-2), .string("Too old.")]),
                .refusal(code: -2, "Too old.")
            ),
            (
                OSCMessage("/nsm/client/open", [.string("/s/a"), .string("Song"), .string("Binaural.nABC")]),
                .open(path: "/s/a", displayName: "Song", clientID: "Binaural.nABC")
            ),
            (OSCMessage("/nsm/client/save"), .save), (OSCMessage("/nsm/client/session_is_loaded"), .sessionIsLoaded),
        ])
    func understood(message: OSCMessage, request: SessionManagerRequest) {
        #expect(SessionManagerRequest(message) == request)
    }

    @Test(
        "Messages outside the protocol are ignored",
        arguments: [
            OSCMessage("/reply", [.string("/nsm/server/list")]), OSCMessage("/reply"),
            OSCMessage("/error", [.string("/nsm/server/announce")]),
            OSCMessage("/nsm/client/open", [.string("/s/a"), .string("Song")]),
            OSCMessage("/nsm/client/open", [.int32(1), .int32(2), .int32(3)]), OSCMessage("/binaural/play"),
            OSCMessage("/nsm/client/show_optional_gui"),
        ])
    func ignored(message: OSCMessage) {
        #expect(SessionManagerRequest(message) == nil)
    }

    @Test("Messages to the manager have the types that it expects")
    func sent() {
        let announcement = SessionManagerNotice.announcement(name: "Binaural", capabilities: ":dirty:", program: "binaural", pid: 7)
        #expect(announcement.message.typeTags == "sssiii")
        #expect(announcement.message.address == "/nsm/server/announce")
        #expect(SessionManagerNotice.opened("Opened.").message == OSCMessage("/reply", [.string("/nsm/client/open"), .string("Opened.")]))
        #expect(
            SessionManagerNotice.saveFailed(.general, "Full.").message
                == OSCMessage("/error", [.string("/nsm/client/save"), .int32(-1), .string("Full.")]))
        let refusals: [(SessionManagerNotice.Failure, Int32)] = [
            (.general, -1), (.unsavedChanges, -7), (.notNow, -8), (.badProject, -9), (.cannotCreate, -10),
        ]
        for (failure, code) in refusals {
            #expect(
                SessionManagerNotice.openFailed(failure, "No.").message
                    == OSCMessage("/error", [.string("/nsm/client/open"), .int32(code), .string("No.")]))
        }
        #expect(SessionManagerNotice.isDirty(true).message.address == "/nsm/client/is_dirty")
        #expect(SessionManagerNotice.isDirty(false).message.address == "/nsm/client/is_clean")
        #expect(SessionManagerNotice.progress(0.5).message == OSCMessage("/nsm/client/progress", [.float(0.5)]))
    }

    @Test(
        "An invalid address is an error that says so",
        arguments: ["", "osc.udp://", "osc.udp://host/", "osc.tcp://host:1/", "osc.udp://:1/", "osc.udp://h:0/"])
    func address(url: String) {
        #expect(throws: SessionManagerLink.Fault.badAddress(url)) { try SessionManagerLink(url: url) }
    }
}
