import OSC
import OSCRemote
import Playback
import Testing

@Suite("Preferences over OSC")
struct PreferenceTests {
    private let program = [
        "softStart", "maximumLevel", "oscPort", "oscAddress", "startSession", "connect", "oscListen", "oscAllow", "oscFeedback",
        "transport",
        "outputs", "zeroconf", "web", "webListen", "webHost", "webProxy", "mpris",
    ]

    @Test("every declared preference is an address, described with its unit and range")
    func rows() {
        let rows = AddressTable.standard.rows
        for preference in PreferenceDescription.all {
            let row = rows.first { $0.path == "preferences/\(preference.name)" }
            #expect(row?.access == .readWrite, "\(preference.name)")
            #expect(row?.group == .session, "\(preference.name)")
        }
        let server = TestServer()
        server.send("describe", .string("preferences/crossfade"))
        #expect(
            server.messages().first?.arguments == [
                .string("preferences/crossfade"), .string("f"), .string("rw"), .float(0), .float(30), .string("s"),
                .string("How long an item overlaps the next one; 0: no overlap."),
            ])
    }

    @Test(
        "a value of the wrong kind or an invalid one is 400 and changes nothing",
        arguments: [
            ("crossfade", OSCArgument.string("long")), ("crossfade", .float(.nan)), ("shake", .string("nxet")), ("shake", .int32(99)),
            ("skipIntervals", .string("a")), ("skipIntervals", .float(.infinity)), ("oscPort", .string("auto")),
            ("oscAddress", .string("localhost")), ("oscAddress", .string("")), ("startSession", .string("../x")),
            ("startSession", .int32(1)), ("connect", .string("[")), ("connect", .string("")),
            ("oscListen", .string("localhost")), ("oscListen", .string("unix:")), ("oscListen", .int32(1)),
            ("oscAllow", .string("192.168.1.0/24")), ("oscAllow", .string("192.168.1.0/33=view")), ("oscAllow", .string("10.0.0.1=root")),
            ("oscFeedback", .string("10.0.0.1=now")), ("oscFeedback", .string("10.0.0.1:9000=nwo")), ("transport", .string("lead the way")),
            ("outputs", .string("all")), ("zeroconf", .string("on")), ("mpris", .string("on")),
            ("web", .string("0")), ("web", .string("http")), ("webListen", .string("studio")), ("webHost", .string("a b")),
            ("inhibitSleep", .string("never")),
        ])
    func refused(_ name: String, _ argument: OSCArgument) {
        let server = TestServer()
        server.send("preferences/\(name)", argument)
        let answer = server.messages()
        #expect(answer.map(\.address) == ["error"], "\(answer)")
        #expect(answer.first?.arguments[1] == .int32(400), "\(answer)")
        #expect(server.receiver.preferences == PreferenceValues())
    }

    @Test("preferences that apply at the next start require the role admin to be set, the others control; any role may read them")
    func roles() {
        for (role, lowest) in [("view", false), ("control", true)] {
            let server = TestServer { $0.allowed = [AccessRule("192.168.1.0/24=\(role)")!] }
            for preference in PreferenceDescription.all {
                let path = "preferences/\(preference.name)"
                server.send(path, from: TestServer.phone)
                #expect(server.messages(to: TestServer.phone).map(\.address) == [path])
                let value: OSCArgument = if case .text(let text) = preference.defaultValue { .string(text) } else { .int32(1) }
                // No more than ten errors a second.
                server.advance(seconds: 0.2)
                server.send(path, value, from: TestServer.phone)
                let isDenied = server.messages(to: TestServer.phone).contains { $0.address == "error" && $0.arguments[1] == .int32(401) }
                #expect(isDenied == !(lowest && !program.contains(preference.name)), "\(preference.name) as \(role)")
            }
        }
    }

    @Test(
        "a list of texts is set with an argument for each, and emptied with an empty string; an unknown topic is answered with a similar one"
    )
    func lists() {
        let server = TestServer()
        server.send("preferences/oscAllow", .string("10.0.0.0/8=view"), .string("192.0.2.1=control"))
        #expect(server.receiver.preferences.oscAllow.texts == ["10.0.0.0/8=view", "192.0.2.1=control"])
        server.drop()
        server.send("preferences/oscAllow")
        #expect(server.messages().first?.arguments == [.string("10.0.0.0/8=view"), .string("192.0.2.1=control")])
        server.send("preferences/oscAllow", .string(""))
        #expect(server.receiver.preferences.oscAllow.texts == [])
        server.drop()
        server.send("preferences/oscAllow")
        #expect(server.messages().first?.arguments == [.string("")])
        server.send("preferences/oscFeedback", .string("10.0.0.1:9000=now,layrs"))
        guard case .string(let sentence)? = server.messages().first?.arguments.last else { return #expect(Bool(false), "no sentence") }
        #expect(sentence.hasPrefix("There is no topic 'layrs'. Did you mean 'layers'? "), "\(sentence)")
    }

    @Test("a change is sent to the subscribers of session, and to its sender if the value was clamped")
    func feedback() {
        let server = TestServer()
        for peer in [TestServer.local, TestServer.other] { server.send("subscribe", .string("session"), from: peer) }
        server.advance(seconds: 1)
        server.drop()
        server.send("preferences/crossfade", .float(99))
        for peer in [TestServer.local, TestServer.other] {
            #expect(server.messages(to: peer).contains(OSCMessage("preferences/crossfade", [.float(30)])))
        }
        server.send("preferences/crossfade", .float(7))
        #expect(!server.messages(to: TestServer.local).contains { $0.address == "preferences/crossfade" })
        #expect(server.messages(to: TestServer.other).contains(OSCMessage("preferences/crossfade", [.float(7)])))
    }

    @Test("no pattern matches them")
    func patterns() {
        let server = TestServer()
        server.send("preferences/*", .int32(0))
        #expect(server.messages().first?.arguments[1] == .int32(404))
        #expect(server.receiver.preferences == PreferenceValues())
    }

    @Test("a skip uses the first interval, and the button counts presses within the set time")
    func effects() {
        let server = TestServer()
        server.send("preferences/buttonWindow", .float(2))
        server.receiver.performed = []
        server.send("button")
        server.advance(seconds: 1.5)
        #expect(server.receiver.performed.count == 2)
        server.send("button")
        server.advance(seconds: 2.5)
        #expect(server.receiver.performed.dropFirst(4) == [.nextItem])
    }
}
