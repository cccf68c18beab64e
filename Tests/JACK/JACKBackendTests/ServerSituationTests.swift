import Foundation
import JACKBackend
import TestSupport
import Testing

/// Decisions about a server, as a table of situations.
@Suite struct ServerSituationTests {
    private func situation(_ change: (inout ServerSituation) -> Void) -> ServerSituation {
        var situation = ServerSituation(serverName: "default")
        situation.jackdPath = "/usr/bin/jackd"
        change(&situation)
        return situation
    }

    @Test("A running server is used, regardless of anything else")
    func running() {
        let all = situation {
            $0.isServerRunning = true
            $0.isPipeWireRunning = true
            $0.isPipeWireLibrary = true
            $0.cardDevice = "hw:0,0"
        }
        #expect(all.decision == .useRunning)
    }

    @Test("jackd uses a free sound card, and the dummy driver without one")
    func card() {
        #expect(situation { $0.cardDevice = "hw:1,0" }.decision == .startOnCard(jackd: "/usr/bin/jackd", device: "hw:1,0"))
        #expect(situation { _ in }.decision == .startSilent(jackd: "/usr/bin/jackd"))
    }

    @Test("While PipeWire runs, jackd is not started, with a card or without", arguments: ["hw:0,0", nil])
    func pipeWire(card: String?) {
        let held = situation {
            $0.isPipeWireRunning = true
            $0.pwJackPath = "/usr/bin/pw-jack"
            $0.cardDevice = card
        }
        #expect(held.decision == .restartUnderPipeWire(pwJack: "/usr/bin/pw-jack"))
        let withoutTool = situation {
            $0.isPipeWireRunning = true
            $0.cardDevice = card
        }
        guard case .refuse(let reason) = withoutTool.decision else {
            Issue.record("\(withoutTool.decision)")
            return
        }
        #expect(reason.contains("pipewire-jack"))
    }

    @Test("PipeWire's library without PipeWire, and a missing jackd, are refused with a remedy")
    func refusals() {
        let library = situation { $0.isPipeWireLibrary = true }
        guard case .refuse(let first) = library.decision else {
            Issue.record("\(library.decision)")
            return
        }
        #expect(first.contains("systemctl --user start pipewire"))
        let nothing = situation { $0.jackdPath = nil }
        guard case .refuse(let second) = nothing.decision else {
            Issue.record("\(nothing.decision)")
            return
        }
        #expect(second.contains("apt-get install jackd2"))
    }

    @Test(
        "The first playback device that is not a display is chosen",
        arguments: [
            ("00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1\n00-03: HDMI 0 : HDMI 0 : playback 1\n", "hw:0,0"),
            ("00-03: HDMI 0 : HDMI 0 : playback 1\n01-00: USB Audio : USB Audio : playback 1 : capture 1\n", "hw:1,0"),
            ("00-07: HDMI 1 : HDMI 1 : playback 1\n", "hw:0,7"),
            ("00-06: DMIC (*) : : capture 1\n", nil),
            ("", nil),
        ] as [(String, String?)])
    func devices(list: String, device: String?) {
        #expect(ServerSituation.firstPlaybackDevice(in: list) == device)
    }
}

extension InProcessTests {
    /// Out of the gate: Tests/Quarantine.md.
    @Suite(.enabled(if: isStress, "it is in Tests/Quarantine.md, and runs in `make stress`")) struct StartedServerTests {
        @Test("A silent server is started in its own process group, used, and stopped")
        func startedServer() async throws {
            try await JACKServer.runWithoutStarting { place in
                let jackd = try requireTool("jackd", package: "jackd2")
                var situation = ServerSituation.survey(serverName: place.name)
                #expect(!situation.isServerRunning)
                #expect(situation.jackdPath == jackd)
                let server = try StartedServer.launch(.startSilent(jackd: jackd), name: place.name, sampleRate: 44_100, bufferSize: 128)
                try server.waitUntilAnswering()
                #expect(server.announcement.contains("silent"))
                #expect(getpgid(server.processIdentifier) == server.processIdentifier)
                #expect(try await place.ports().contains("system:playback_1"))
                situation = ServerSituation.survey(serverName: place.name)
                #expect(situation.decision == .useRunning)
                server.stop()
                #expect(kill(server.processIdentifier, 0) == -1)
                server.stop()
                #expect(!ServerSituation.survey(serverName: place.name).isServerRunning)
            }
        }

        @Test("A server that cannot start is an error with jackd's own words and a remedy")
        func cannotStart() async throws {
            try await JACKServer.runWithoutStarting { place in
                let jackd = try requireTool("jackd", package: "jackd2")
                do throws(StartedServerError) {
                    try StartedServer.launch(.startOnCard(jackd: jackd, device: "hw:99,0"), name: place.name).waitUntilAnswering()
                    Issue.record("there is no card 99")
                } catch {
                    #expect(error.description.hasPrefix("Cannot start the JACK server '\(place.name)': jackd exited: "))
                    #expect(error.description.hasSuffix("Start one yourself (qjackctl, or jackd -d alsa), then run this program again."))
                }
            }
        }
    }
}
