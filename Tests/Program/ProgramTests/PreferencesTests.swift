import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The preferences of a playing program, in the user's file and over OSC.
@Suite("Preferences")
struct PreferencesTests {
    private static let name = "config/binaural/preferences.yaml"

    @Test("a preference set remotely applies at once and at the next start; command-line options override it and are never written")
    func saved() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let file = run.environment.folder
            try file.write("connect: \"system:.*\"\nhologram: 3\nskipIntervals: [20]\n", to: Self.name)
            let program = try run.start("deep-alpha", "--paused")
            #expect(try await run.value(of: "skip/intervals") == "20.0")
            #expect(try await run.value(of: "preferences/connect") == "system:.*")
            try await run.ctl("preferences/skipIntervals", "100", "5")
            try await run.ctl("preferences/crossfade", "2.5")
            try await run.ctl("preferences/startSession", "welcome")
            #expect(try await run.value(of: "skip/intervals") == "100.0 5.0")
            try await run.ctl("skip/forward")
            #expect(try await run.value(of: "position") == "100.0")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(
                try file.read(Self.name) == """
                    # Preferences of binaural; comments are lost when the program writes this file.
                    skipIntervals: [100, 5]
                    crossfade: 2.5
                    startSession: welcome
                    connect: system:.*
                    hologram: 3

                    """)

            let second = try run.start("--paused")
            #expect(try await run.value(of: "skip/intervals") == "100.0 5.0")
            #expect(try await run.value(of: "preferences/crossfade") == "2.5")
            #expect(try await run.value(of: "now/queue") == "1 4", "the session welcome was opened")
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0), "\(second.transcript)")
        }
    }

    @Test("listening, access, feedback, transport and outputs are taken from the preferences, and from the command line if it has them")
    func startOptions() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let socket = run.folder.file("socket")
            let surface = try StubInstance { _ in [] }
            defer { keepAlive(surface) }
            let text = """
                oscListen: ["127.0.0.2", "unix:\(socket)"]
                oscAllow: ["192.0.2.0/24=control"]
                oscFeedback: ["\(surface.endpoint)=now", "192.0.2.1:9=nwo"]
                transport: follow
                outputs: layers

                """
            try run.environment.folder.write(text, to: Self.name)
            let first = try run.start("deep-alpha", "--paused")
            _ = try await first.line(
                containing: "'192.0.2.1:9=nwo' of the preference oscFeedback is ignored. oscFeedback takes HOST:PORT=TOPICS")
            #expect(try await run.value(of: "transport/mode") == "follow")
            #expect(try await server.ports().contains("\(server.clientName):layer_1_left"))
            #expect(FileManager.default.fileExists(atPath: socket))
            #expect(surface.heard.value.contains { $0.address == "/binaural/now/title" })
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")

            let second = try run.start([
                "deep-alpha", "--paused", "--transport", "none", "--outputs", "mix", "--osc-listen", "127.0.0.1", "--osc-feedback", "none",
            ])
            #expect(try await run.value(of: "transport/mode") == "none")
            #expect(try await !server.ports().contains("\(server.clientName):layer_1_left"))
            #expect(!FileManager.default.fileExists(atPath: socket))
            #expect(!second.transcript.contains("is ignored"))
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0), "\(second.transcript)")
            #expect(try run.environment.folder.read(Self.name) == text, "options are never written")
        }
    }

    @Test("a file with a mistake is reported and not changed, and the program plays")
    func mistake() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let file = run.environment.folder
            try file.write("crossfade: a while\n", to: Self.name)
            let program = try run.start("deep-alpha")
            _ = try await program.line(containing: "preferences.yaml:1:12: found `a while`")
            try await program.state("playing")
            try await run.ctl("preferences/buttonHold", "1")
            _ = try await program.line(containing: "The preferences were not saved: ")
            #expect(try await run.value(of: "now/state") == "playing")
            #expect(try file.read(Self.name) == "crossfade: a while\n")
            try file.write("crossfade: 3\n", to: Self.name)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(try file.read(Self.name).hasSuffix("\nbuttonHold: 1\ncrossfade: 3\n"), "corrected, it is saved")
        }
    }

    @Test("no remote and no session raises the master above the preference maximumLevel; the value applied is sent back")
    func maximumLevel() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.environment.folder.write("maximumLevel: -18\n", to: Self.name)
            _ = try run.folder.write(PlayTests.tone, to: "tone.yaml")
            try run.folder.write("format: 1\nqueue: [{patch: tone.yaml}]\nmaster: {gain: -3}\n", to: "loud.yaml")
            for (session, isLowered) in [("new.yaml", false), ("loud.yaml", true)] {
                let program = try run.start(["tone.yaml", "--paused", "--session", session])
                #expect(Double(try await run.value(of: "master/gain")) == -18)
                // A new session never had another level.
                let notice = "The session's master level of -3 dB is above the preference maximumLevel: it is now -18 dB."
                #expect(program.transcript.contains(notice) == isLowered, "\(program.transcript)")
                #expect(isLowered || !program.transcript.contains("is above the preference"), "\(program.transcript)")
                program.send(signal: SIGTERM)
                #expect(try await program.exit() == .code(0), "\(program.transcript)")
            }
            let program = try run.start("tone.yaml")
            try await program.state("playing")
            for (address, value) in [("master/gain", "0"), ("master/gain/norm", "1"), ("master/gain", "-17.9")] {
                try await run.ctl(address, value)
                #expect(Double(try await run.value(of: "master/gain")) == -18)
            }
            try await run.ctl("master/gain", "-30")
            #expect(Double(try await run.value(of: "master/gain")) == -30)
            // A new value applies at the next start.
            #expect(try await run.ctl("--units", "preferences/maximumLevel", "0").output.contains("0 dB (from the next start on)"))
            try await run.ctl("master/gain", "0")
            #expect(Double(try await run.value(of: "master/gain")) == -18)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a missing start session is 66, and the error names the preference")
    func noSuchSession() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        try environment.folder.write("startSession: welcmoe\n", to: Self.name)
        let run = try await RunningProgram.run(try PackageRoot.program(), ["play"], environment: environment.variables)
        #expect(run.exit == .code(66), "\(run.summary)")
        #expect(run.errors.contains("Did you mean 'welcome'?"), "\(run.summary)")
        #expect(run.errors.contains("preferences.yaml names it"), "\(run.summary)")
    }

    @Test("check shows mistakes in preferences")
    func check() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        try environment.folder.write("crosfade: 3\n", to: Self.name)
        let run = try await binaural("check", environment.folder.file(Self.name))
        #expect(run.exit == .code(65), "\(run.summary)")
        #expect(run.errors.contains(":1:1: unknown key `crosfade`"), "\(run.summary)")
    }
}
