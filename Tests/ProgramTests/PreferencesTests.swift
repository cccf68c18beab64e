import Foundation
import TestSupport
import Testing

/// The preferences of a playing program, in the user's file and over OSC.
@Suite("Preferences")
struct PreferencesTests {
    private static let name = "config/binaural/preferences.yaml"

    @Test("a preference set remotely applies at once and at the next start; command-line options override it and are never written")
    func saved() async throws {
        try await JACKServer.run(ownClientName: true) { server in
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

    @Test("a file with a mistake is reported and not changed, and the program plays")
    func mistake() async throws {
        try await JACKServer.run(ownClientName: true) { server in
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

    @Test("a missing start session is 66, and the error names the preference")
    func noSuchSession() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        try environment.folder.write("startSession: welcmoe\n", to: Self.name)
        let run = try await RunningProgram.run(try PackageRoot.program(), ["play"], environment: environment.variables)
        #expect(run.exit == .code(66), "\(run.summary)")
        #expect(run.errors.contains("Did you mean 'welcome'?") && run.errors.contains("preferences.yaml names it"), "\(run.summary)")
    }

    @Test("check shows mistakes in preferences")
    func check() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        try environment.folder.write("crosfade: 3\n", to: Self.name)
        let run = try await binaural("check", environment.folder.file(Self.name))
        #expect(run.exit == .code(65) && run.errors.contains(":1:1: unknown key `crosfade`"), "\(run.summary)")
    }
}
