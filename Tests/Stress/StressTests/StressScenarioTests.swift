import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Other people's programs, floods, attacks and real time: the scripts of this folder's parent.
@Suite("Scenarios of stress")
struct StressScenarioTests {
    @Test("ten thousand calls a second over the session bus are answered, delay no other peer, and change no bit of the sound")
    func desktopFlood() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/desktop_flood.py", on: server) }
    }

    @Test(
        "attacks on the panel change no bit of the sound, and make the callback neither allocate nor lock; memory stays flat, also with 32 pages and eight listeners"
    )
    func panelAttacks() async throws {
        let shim = try await RealTimeShim()
        let preload = [
            "PROGRAM_PRELOAD": shim.environment["LD_PRELOAD"] ?? "", "REALTIME_SHIM_REPORT": shim.environment["REALTIME_SHIM_REPORT"] ?? "",
        ]
        try await JACKServer.runWithoutStarting { server in
            try await runScenario("Stress/panel_attacks.py", on: server, adding: preload)
        }
        let report = try shim.report()
        print("figure: under attacks on the panel, the process callback was clean in \(report.cycles) cycles: \(report.isClean)")
        #expect(report.cycles > 2000, "\(report)")
        #expect(report.isClean, "\(report)")
    }

    @Test("a page whose link goes down gives its place back, and is right again when the link has returned")
    func panelCable() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/panel_cable.py", on: server) }
    }

    @Test("the panel's page costs the program and the browser little, more so if nobody sees it (figures)")
    func panelCost() async throws {
        try await JACKServer.run { server in try await runScenario("Stress/panel_cost.py", on: server) }
    }

    @Test("the panel's page in Firefox is paired, shows what plays, and moves what sounds")
    func panelFirefox() async throws {
        try await JACKServer.run(isPatient: true) { server in try await runScenario("Stress/panel_firefox.py", on: server) }
    }

    @Test("behind nginx as in the docs, only paired devices enter, whatever host their requests name")
    func panelProxy() async throws {
        try await JACKServer.run { server in try await runScenario("Stress/panel_proxy.py", on: server) }
    }

    @Test("OSC and OSCQuery beyond loopback are announced in the network, found from another machine, lost, renamed and found again")
    func announcing() async throws {
        try await JACKServer.run { server in try await runScenario("Stress/announcing.py", on: server) }
    }

    @Test(
        "JACK's transport is followed to the frame and led, beside real programs that move it; the timebase stays theirs",
        arguments: ["klick", "jack-osc", "hydrogen", "ardour"])
    func transport(party: String) async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/transport.py", party, on: server) }
    }

    @Test("JACK's transport starts, stops and locates, followed and led, and nothing clicks")
    func clicks() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/clicks.py", on: server) }
    }

    @Test("64 layers of all kinds under starts, seeks and edits every 50 ms, at 64 frames a period: xruns are reported")
    func peaks() async throws {
        let stress = isStress ? ["BINAURAL_STRESS": "1"] : [:]
        try await JACKServer.runWithoutStarting { server in
            try await runScenario("Stress/peaks.py", on: server, adding: stress)
        }
    }

    @Test("beats of 1/4 fall on those of a timebase master, and get there without a step")
    func tempo() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/tempo.py", on: server) }
    }

    @Test(
        "two servers joined by JACK's network driver: the programs on both machines play the same samples from a common position over OSC")
    func networks() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/netjack.py", on: server) }
    }

    @Test("sessions are opened, or answered, if JACK is away, hangs, dies meanwhile, or never closes the previous client")
    func sessionServers() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/session_servers.py", on: server) }
    }

    @Test("a session manager switches while it sounds: nothing clicks, a new session is stopped, and one that was left playing resumes")
    func sessionSound() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/session_sound.py", on: server) }
    }

    @Test("under PipeWire block size and sample rate change live, the daemon is killed without notice and comes back, and names clash")
    func pipeWire() async throws {
        // The place is used only for its name: no jackd runs here.
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/pipewire.py", on: server) }
    }

    @Test(
        "opening another session and saving under another name are answered when the disk is done; others are served and their changes saved"
    )
    func sessions() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Stress/slow_disk.py", on: server) }
    }

    @Test("floods of every command, from one sender and from sixty, leave memory unchanged, another peer answered, and feedback correct")
    func floods() async throws {
        try await JACKServer.runWithoutStarting { server in
            try await runScenario("Stress/floods.py", on: server)
        }
    }

    @Test("floods of commands to a patch of 64 layers and a long queue do the same")
    func largeFloods() async throws {
        try await JACKServer.runWithoutStarting { server in
            try await runScenario("Stress/large_floods.py", on: server)
        }
    }

    @Test("JACK is killed, terminated, stopped and restarted: noticed, state equal, sound and connections back, OSC answering throughout")
    func restarts() async throws {
        try await JACKServer.runWithoutStarting { server in
            try await runScenario("Stress/restarts.py", isStress ? "200" : "20", on: server)
        }
    }

    @Test("under freewheel every shipped patch gives its offline samples")
    func freewheel() async throws {
        try await JACKServer.runWithoutStarting { server in
            try await runScenario("Stress/freewheel.py", PackageRoot.file("patches"), on: server)
        }
    }
}
