import Foundation
import TestSupport
import Testing

/// Scripts in Tests/Scenarios, which contain their own assertions. They run serially, since each keeps the machine busy.
@Suite("Scenarios", .serialized)
struct ScenarioTests {
    @Test("a session manager opens, saves and switches sessions; JACK comes later, and no file is outside their folders")
    func sessionManager() async throws {
        try await JACKServer.run(ownClientName: true) { server in try await run("session_manager.py", on: server) }
    }

    @Test("when a session manager switches sessions, each one's preferences and connections apply and stay separate")
    func sessionSwitch() async throws {
        try await JACKServer.run(ownClientName: true) { server in try await run("session_switch.py", on: server) }
    }

    @Test("sessions that cannot be opened or saved are answered with the protocol's codes, and do not change a bit of the playing one")
    func sessionFaults() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("session_faults.py", on: server) }
    }

    @Test("layers have ports of their own, which add up to the mix, and whose connections are remembered")
    func layers() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("layers.py", on: server) }
    }

    @Test("invalid mappings, patterns and tempos are answered, and change no bit of the sound and nothing in the session")
    func badInput() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("bad_input.py", on: server) }
    }

    @Test(
        "the file of a playing patch that is half-written, deleted, or replaced by a folder, a pipe or 200 MB changes no bit of the sound")
    func rereadFaults() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("reread_faults.py", on: server) }
    }

    @Test("ten thousand calls a second over the session bus are answered, delay no other peer, and change no bit of the sound")
    func desktopFlood() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("desktop_flood.py", on: server) }
    }

    @Test("under freewheel every shipped patch gives its offline samples")
    func freewheel() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in
            try await run("freewheel.py", PackageRoot.file("patches"), on: server)
        }
    }

    @Test("systemd is notified when the program is ready, alive, and stopping")
    func service() async throws {
        try await JACKServer.run(ownClientName: true) { server in try await run("service.py", on: server) }
    }

    @Test("a controller is learnt on the command line, and moves the same address after a restart")
    func midiLearn() async throws {
        try await JACKServer.run(ownClientName: true) { server in try await run("midi_learn.py", on: server) }
    }

    @Test("OSCQuery clients read the tree, listen to values, and break nothing")
    func oscQuery() async throws {
        try await JACKServer.run(ownClientName: true) { server in try await run("osc_query.py", on: server) }
    }

    @Test("the panel pairs devices, survives attacks, and its page in Chromium shows what plays and moves what sounds")
    func panel() async throws {
        try await JACKServer.run(ownClientName: true) { server in try await run("panel.py", on: server) }
    }

    @Test(
        "chapters and points that are dragged in the panel's page are heard, undone, saved with the file's comments, and there after a restart"
    )
    func panelCourse() async throws {
        try await JACKServer.run(ownClientName: true) { server in try await run("panel_course.py", on: server) }
    }

    @Test("eight listen to the panel's streams in every format, and what JACK gets stays the same in every bit")
    func listening() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("listening.py", on: server) }
    }

    @Test("the panel's link is read from its QR code in the terminal, which is printed again when the addresses change")
    func panelLink() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("panel_link.py", on: server) }
    }

    @Test(
        "attacks on the panel change no bit of the sound, and make the callback neither allocate nor lock; memory stays flat, also with 32 pages and eight listeners"
    )
    func panelAttacks() async throws {
        let shim = try await RealTimeShim()
        let preload = [
            "PROGRAM_PRELOAD": shim.environment["LD_PRELOAD"] ?? "", "REALTIME_SHIM_REPORT": shim.environment["REALTIME_SHIM_REPORT"] ?? "",
        ]
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in
            try await run("panel_attacks.py", on: server, adding: preload, within: .seconds(1200))
        }
        let report = try shim.report()
        print("figure: under attacks on the panel, the process callback was clean in \(report.cycles) cycles: \(report.isClean)")
        #expect(report.cycles > 2000, "\(report)")
        #expect(report.isClean, "\(report)")
    }

    @Test("a page whose link goes down gives its place back, and is right again when the link has returned")
    func panelCable() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("panel_cable.py", on: server) }
    }

    @Test("ended in the middle of a flood of packets, the program exits with 0")
    func quitting() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("quitting.py", on: server) }
    }

    @Test("OSC and OSCQuery beyond loopback are announced in the network, found from another machine, lost, renamed and found again")
    func announcing() async throws {
        try await JACKServer.run(ownClientName: true) { server in try await run("announcing.py", on: server) }
    }

    @Test("the systemd unit in docs/ is valid")
    func unit() async throws {
        let isolated = try IsolatedEnvironment()
        defer { keepAlive(isolated) }
        let text = try String(contentsOfFile: PackageRoot.file("docs/binaural.service"), encoding: .utf8)
        let program = try PackageRoot.program()
        try isolated.folder.write(text.replacing("/usr/local/bin/binaural", with: program), to: "binaural.service")
        let run = try await RunningProgram.run(
            try requireTool("systemd-analyze", package: "systemd"), ["--user", "verify", isolated.folder.file("binaural.service")],
            environment: isolated.variables)
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(!run.errors.contains("binaural.service"), "\(run.summary)")
    }

    @Test("JACK's tools show names, group, order, icon and latency; what a user has set stays")
    func metadata() async throws {
        // JACK keeps its properties in one place for all servers of a user; this test uses its own place.
        let isolation = getuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"]
        let script = "mount -t tmpfs none /dev/shm && exec '\(PackageRoot.file("Tests/Scenarios/metadata"))' '\(try PackageRoot.program())'"
        let run = try RunningProgram(try requireTool("unshare", package: "util-linux"), isolation + ["sh", "-c", script])
        #expect(try await run.exit(within: .seconds(300)) == .code(0), "\(run.transcript)")
        for line in run.outputLines where line.hasPrefix("figure") { print(line) }
    }
}

/// Scripts that compare sound in real time, or measure durations: run by themselves, see the Makefile.
@Suite("Scenarios in real time", .serialized)
struct RealTimeScenarioTests {
    @Test(
        "JACK's transport is followed to the frame and led, beside real programs that move it; the timebase stays theirs",
        arguments: ["klick", "jack-osc", "hydrogen", "ardour"])
    func transport(party: String) async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("transport.py", party, on: server) }
    }

    @Test("JACK's transport starts, stops and locates, followed and led, and nothing clicks")
    func clicks() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("clicks.py", on: server) }
    }

    @Test("64 layers of all kinds under starts, seeks and edits every 50 ms, at 64 frames a period: xruns are reported")
    func peaks() async throws {
        let stress = ProcessInfo.processInfo.environment["BINAURAL_STRESS"].map { ["BINAURAL_STRESS": $0] } ?? [:]
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in
            try await run("peaks.py", on: server, adding: stress, within: .seconds(1800))
        }
    }

    @Test("beats of 1/4 fall on those of a timebase master, and get there without a step")
    func tempo() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("tempo.py", on: server) }
    }

    @Test(
        "two servers joined by JACK's network driver: the programs on both machines play the same samples from a common position over OSC")
    func networks() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("netjack.py", on: server) }
    }

    @Test("sessions are opened, or answered, if JACK is away, hangs, dies meanwhile, or never closes the previous client")
    func sessionServers() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("session_servers.py", on: server) }
    }

    @Test("connections and disconnections around a switch belong to the session that is open at that moment")
    func sessionConnections() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("session_connections.py", on: server) }
    }

    @Test("a session manager switches while it sounds: nothing clicks, a new session is stopped, and one that was left playing resumes")
    func sessionSound() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("session_sound.py", on: server) }
    }

    @Test("under PipeWire block size and sample rate change live, the daemon is killed without notice and comes back, and names clash")
    func pipeWire() async throws {
        // The place is used only for its name: no jackd runs here.
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("pipewire.py", on: server) }
    }
}

@Suite("A disk that hangs")
struct SlowDiskTests {
    @Test(
        "opening another session and saving under another name are answered when the disk is done; others are served and their changes saved"
    )
    func sessions() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in try await run("slow_disk.py", on: server) }
    }
}

@Suite("Floods of commands")
struct FloodTests {
    @Test("floods of every command, from one sender and from sixty, leave memory unchanged, another peer answered, and feedback correct")
    func floods() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in
            try await run("floods.py", on: server, within: .seconds(7200))
        }
    }

    @Test("floods of commands to a patch of 64 layers and a long queue do the same")
    func largeFloods() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in
            try await run("large_floods.py", on: server, within: .seconds(7200))
        }
    }
}

/// Runs a Python script of Tests/Scenarios on a server, and shows its figures.
private func run(
    _ script: String, _ arguments: String..., on server: JACKServer, adding environment: [String: String] = [:],
    within limit: Duration = .seconds(600)
) async throws {
    let python = PackageRoot.file(".build/python/bin/python3")
    guard access(python, X_OK) == 0 else {
        throw ProgramFailure("there is no \(python); this test needs it: scripts/make-python-environment")
    }
    let isolated = try IsolatedEnvironment(adding: server.environment)
    defer { keepAlive(isolated) }
    let run = try RunningProgram(
        python, ["-uB", PackageRoot.file("Tests/Scenarios/\(script)"), try PackageRoot.program()] + arguments,
        environment: isolated.adding(environment.merging(["CLIENT_NAME": server.clientName]) { $1 }))
    #expect(try await run.exit(within: limit) == .code(0), "\(run.transcript)")
    for line in run.outputLines where line.hasPrefix("figure") { print(line) }
}
