import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Media keys and their like, through genuine playerctl on a genuine bus.
@Suite("The program on the desktop")
struct DesktopTests {
    /// Runs playerctl, and returns what it printed.
    private func playerctl(_ bus: MessageBus, _ arguments: String...) async throws -> String {
        let run = try await bus.run("playerctl", ["--player=binaural"] + arguments, package: "playerctl")
        guard run.exit == .code(0) else { throw ProgramFailure("playerctl \(arguments): \(run.errors)") }
        return run.output
    }

    /// Asks until the answer is the expected one.
    private func reaches(_ expected: String, _ bus: MessageBus, _ arguments: [String]) async throws -> Bool {
        var answer = ""
        let isSo = try await eventually {
            answer = try await bus.run("playerctl", ["--player=binaural"] + arguments, package: "playerctl").output
            return answer == expected
        }
        if !isSo { print("playerctl \(arguments): \(answer)") }
        return isSo
    }

    private static let object = ["org.mpris.MediaPlayer2.binaural", "/org/mpris/MediaPlayer2"]

    @Test("playerctl controls it with every verb, and follows it")
    func verbs() async throws {
        try await JACKServer.run { server in
            let bus = try await MessageBus()
            let run = try PlayRun(server, adding: bus.environment)
            defer { run.keep() }
            let program = try run.start("deep-alpha", "rain", "--paused")
            try await program.state("paused")
            #expect(try await reaches("Paused", bus, ["status"]))
            let follower = try RunningProgram(
                try requireTool("playerctl", package: "playerctl"), ["--player=binaural", "--follow", "status"],
                environment: ProcessInfo.processInfo.environment.merging(bus.environment) { $1 })
            _ = try await follower.line(containing: "Paused")
            _ = try await playerctl(bus, "play")
            #expect(try await reaches("Playing", bus, ["status"]))
            _ = try await follower.line(containing: "Playing")
            let title = try await playerctl(bus, "metadata", "title")
            #expect(try await playerctl(bus, "metadata", "--format", "{{mpris:length}}").isEmpty == false)
            _ = try await playerctl(bus, "position", "60")
            #expect(Double(try await playerctl(bus, "position")) ?? 0 >= 60)
            _ = try await playerctl(bus, "position", "10+")
            #expect(Double(try await playerctl(bus, "position")) ?? 0 >= 70)
            _ = try await playerctl(bus, "volume", "0.5")
            #expect(try await reaches("0.500000", bus, ["volume"]))
            #expect(try await run.value(of: "master/gain").hasPrefix("-6.02"))
            _ = try await playerctl(bus, "loop", "Playlist")
            #expect(try await run.value(of: "repeat") == "all")
            _ = try await playerctl(bus, "shuffle", "On")
            #expect(try await reaches("On", bus, ["shuffle"]))
            _ = try await playerctl(bus, "shuffle", "Off")
            _ = try await playerctl(bus, "next")
            #expect(try await playerctl(bus, "metadata", "title") != title)
            _ = try await playerctl(bus, "previous")
            #expect(try await playerctl(bus, "metadata", "title") == title)
            _ = try await playerctl(bus, "play-pause")
            #expect(try await reaches("Paused", bus, ["status"]))
            _ = try await playerctl(bus, "stop")
            #expect(try await reaches("Stopped", bus, ["status"]))
            _ = try await follower.line(containing: "Stopped")
            let patch = PackageRoot.file("patches/reference-440.yaml")
            _ = try await playerctl(bus, "open", patch)
            #expect(try await reaches("Playing", bus, ["status"]))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(try await bus.run("playerctl", ["--player=binaural", "status"], package: "playerctl").exit != .code(0))
        }
    }

    @Test("While the bus is killed and restarted it keeps playing, and is found again")
    func restart() async throws {
        try await JACKServer.run { server in
            let bus = try await MessageBus()
            let run = try PlayRun(server, adding: bus.environment)
            defer { run.keep() }
            let program = try run.start("deep-alpha")
            #expect(try await reaches("Playing", bus, ["status"]))
            for _ in 0..<2 {
                try await bus.kill()
                #expect(try await run.value(of: "now/state") == "playing")
                try await bus.start()
                #expect(try await reaches("Playing", bus, ["status"]))
            }
            _ = try await playerctl(bus, "pause")
            #expect(try await run.value(of: "now/state") == "paused")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("A second instance has a name of its own, and with --mpris off there is none")
    func instances() async throws {
        try await JACKServer.run { server in
            let bus = try await MessageBus()
            let (first, second) = (try PlayRun(server, adding: bus.environment), try PlayRun(server, adding: bus.environment))
            defer {
                first.keep()
                second.keep()
            }
            func names() async throws -> [String] {
                try await bus.run("playerctl", ["--list-all"], package: "playerctl").outputLines.filter { $0.hasPrefix("binaural") }
                    .sorted()
            }
            let silent = try first.start("deep-alpha", "--mpris", "off")
            try await silent.state("playing")
            #expect(try await names() == [])
            silent.send(signal: SIGTERM)
            try await silent.exit()
            let one = try first.start("deep-alpha")
            #expect(try await reaches("Playing", bus, ["status"]))
            let two = try second.start("deep-alpha")
            try await two.state("playing")
            _ = try await eventually { try await names().count >= 2 }
            #expect(try await names() == ["binaural", "binaural.instance\(two.pid)"])
            for program in [one, two] {
                program.send(signal: SIGTERM)
                #expect(try await program.exit() == .code(0), "\(program.transcript)")
            }
        }
    }

    @Test("While it plays with a sleep timer, the machine is kept awake, and until a planned start from sleeping")
    func awake() async throws {
        try await JACKServer.run { server in
            let bus = try await MessageBus()
            let manager = FakeManager(bus)
            let run = try PlayRun(server, adding: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
            defer { run.keep() }
            let program = try run.start("deep-alpha", "--sleep", "60")
            #expect(await manager.isHeld(true))
            #expect(manager.asked.value.map(\.first) == ["sleep:idle"])
            #expect(try await run.ctl("pause").exit == .code(0))
            #expect(await manager.isHeld(false))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            let later = try run.start("deep-alpha", "--at", "+10:00")
            #expect(await manager.isHeld(true))
            #expect(manager.asked.value.map(\.first) == ["sleep:idle", "sleep"])
            later.send(signal: SIGTERM)
            #expect(try await later.exit() == .code(0), "\(later.transcript)")
            #expect(await manager.isHeld(false))
        }
    }
}
