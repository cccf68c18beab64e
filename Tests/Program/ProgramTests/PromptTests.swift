import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

@Suite("ctl --repl")
struct PromptTests {
    @Test("lines from a pipe are sent one after the other; a refusal does not end the prompt, and sets the exit status")
    func pipe() async throws {
        let instance = try StubInstance { message in
            let name = message.address.dropFirst("/binaural/".count)
            switch name {
            case "sync": return [OSCMessage("/binaural/synced", message.arguments)]
            case "pause": return [OSCMessage("/binaural/error", [.string(message.address), .int32(405), .string("Nothing plays.")])]
            case "now/title": return [OSCMessage(message.address, [.string("Deep alpha")])]
            case "subscribe":
                return [OSCMessage("/binaural/subscribed", message.arguments), OSCMessage("/binaural/now/state", [.string("playing")])]
            default: return [OSCMessage("/binaural/reply", [.string(message.address), .int32(0), .string("queue")])]
            }
        }
        let environment = try IsolatedEnvironment()
        defer { keepAlive(instance, environment) }
        try instance.announce(as: "binaural", in: environment)
        let input = "now/title\n\n# a remark\npause\nno#address\nsubscribe now\nsession/load \"deep sleep\" 7\nquit\nstop"
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["ctl", "--wait", Patience.seconds, "--repl"], environment: environment.variables, input: input)
        #expect(run.exit == .code(1), "\(run.summary)")
        #expect(
            run.outputLines == [
                #"/binaural/now/title "Deep alpha""#, "/binaural/subscribed now", "/binaural/now/state playing",
                "/binaural/reply /binaural/session/load 0 queue",
                "'exit' or Ctrl-D closes the prompt; '/binaural/quit' ends the instance.", "/binaural/reply /binaural/stop 0 queue",
            ])
        #expect(
            run.errorLines == [
                "error: /binaural/pause: Nothing plays. (code 405)",
                "error: 'no#address' is not a valid OSC address: it must not contain spaces, '#' or non-ASCII characters.",
            ])
        let heard = instance.heard.value.filter { !["/binaural/replies", "/binaural/sync"].contains($0.address) }
        #expect(heard.contains(OSCMessage("/binaural/session/load", [.string("deep sleep"), .int32(7)])))
        #expect(heard.last == OSCMessage("/binaural/unsubscribe"))

        let fine = try await RunningProgram.run(
            try PackageRoot.program(), ["ctl", "--repl"], environment: environment.variables, input: "play\nexit\npause\n")
        #expect(fine.exit == .code(0), "\(fine.summary)")
        #expect(fine.outputLines == ["/binaural/reply /binaural/play 0 queue"])
    }

    @Test("a missing instance is reported for each line, and one that comes back is used again")
    func comesBack() async throws {
        let environment = try IsolatedEnvironment()
        let first = WatchedState<StubInstance?>(try StubInstance.agreeing())
        try first.value.orThrow("").announce(as: "binaural", in: environment)
        let prompt = try RunningProgram(
            try PackageRoot.program(), ["ctl", "--wait", Patience.seconds, "--repl"], environment: environment.variables)
        prompt.write("play\n")
        _ = try await prompt.line(containing: "/binaural/reply /binaural/play 0 queue")
        let old = try first.value.orThrow("").endpoint
        first.update { $0 = nil }
        // It has ended when its port can be bound again.
        _ = await eventually { (try? UDPSocket(boundTo: old)) != nil }
        let second = try StubInstance.agreeing()
        defer { keepAlive(second, environment) }
        try second.announce(as: "binaural", in: environment)
        prompt.write("pause\nstop\n")
        _ = try await prompt.line(containing: "error: Nothing is listening at \(old).")
        _ = try await prompt.line(containing: "/binaural/reply /binaural/stop 0 queue")
        prompt.closeInput()
        #expect(try await prompt.exit() == .code(1))
    }
}
