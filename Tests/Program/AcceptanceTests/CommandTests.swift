import Foundation
import OSC
import TestSupport
import Testing

extension AcceptanceTests {
    /// Every address of the remote control, over UDP, from senders on genuine liblo.
    @Suite struct CommandTests {
        private static let files: KeyValuePairs = [
            "sessions/other.yaml": "format: 1\ntitle: Other\nqueue:\n  - patch: reference-440\n  - patch: rain\nplay: {state: stopped}\n"
        ]

        private func run(_ body: @Sendable (PlayingProgram, OSCPeer) async throws -> Void) async throws {
            try await JACKServer.run(ownClientName: true) { server in
                let program = try await PlayingProgram(
                    on: server, ["moving.yaml": TestPatch.still, "tone.yaml": TestPatch.tone], files: Self.files, options: ["--paused"])
                try await body(program, program.peer)
            }
        }

        /// In an order in which each is possible.
        private static let commands: [(String, [OSCArgument])] = [
            ("play", []), ("pause", [.float(1)]), ("toggle", []), ("next", []), ("previous", []), ("queue/next", []),
            ("queue/previous", []),
            ("skip/forward", []), ("skip/backward", []), ("skip/by", [.float(-2)]), ("position", [.double(5.5)]),
            ("position/norm", [.float(0.5)]),
            ("repeat", [.string("one")]), ("repeat", [.int32(0)]), ("stop", []), ("panic", []), ("play", []), ("queue/select", [.int32(1)]),
            ("layer/select", [.int32(2)]), ("layer/1/carrier", [.float(210), .float(0.1), .string("sineInOut")]),
            ("layer/1/carrier/norm", [.float(0.5)]),
            ("layer/1/beat", [.int32(6)]), ("layer/1/beat/norm", [.float(0.1)]), ("layer/1/phase", [.float(90)]),
            ("layer/1/phase/norm", [.float(0.5)]),
            ("layer/1/gain", [.float(-30), .float(0.2)]), ("layer/1/gain/norm", [.double(0.5)]), ("layer/1/pan", [.float(-0.2)]),
            ("layer/1/pan/norm", [.float(0.5)]), ("layer/1/width", [.float(0.7)]), ("layer/1/width/norm", [.true]),
            ("layer/5/pulseRate", [.float(8)]), ("layer/5/pulseRate/norm", [.float(0.2)]), ("layer/5/duty", [.float(0.4)]),
            ("layer/5/duty/norm", [.float(0.4)]), ("layer/5/edge", [.float(0.05)]), ("layer/5/edge/norm", [.float(0.4)]),
            ("layer/10/depth", [.float(45)]), ("layer/10/depth/norm", [.float(0.4)]), ("layer/8/decay", [.float(2)]),
            ("layer/8/decay/norm", [.float(0.4)]), ("layer/13/attack", [.float(0.1)]), ("layer/13/attack/norm", [.float(0.4)]),
            ("layer/13/release", [.float(1)]), ("layer/13/release/norm", [.float(0.4)]),
            ("layer/9/delay", [.float(500)]), ("layer/9/delay/norm", [.float(0.4)]), ("layer/2/correlation", [.float(1)]),
            ("layer/2/correlation/norm", [.float(0)]),
            ("layer/1/note", [.string("A3")]), ("layer/1/note", [.int32(57)]), ("layer/1/mute", [.true]), ("layer/1/mute", [.false]),
            ("layer/1/solo", [.int32(1)]), ("layer/1/solo", [.int32(0)]), ("layer/1/xy", [.float(0.3), .float(0.6)]), ("layer/1/reset", []),
            ("layer/selected/gain", [.float(-40)]), ("master/gain", [.float(-6), .float(0.1)]), ("master/gain/norm", [.float(1)]),
            ("master/mute", [.true]), ("master/mute", [.false]), ("tuning/a4", [.float(432)]), ("replies", [.int32(2)]),
            ("session/save", []), ("session/save", [.string("kept")]), ("session/load", [.string("other")]), ("play", []),
            ("sleep", [.float(60), .float(10), .string("linear")]), ("sleep", [.int32(0)]), ("master/fade", [.float(0.05)]),
        ]

        @Test("pyliblo sends every command, and each is answered with 0")
        func commands() async throws {
            try await run { program, peer async throws in
                for (address, arguments) in Self.commands {
                    let mark = peer.mark
                    peer.sendBundle([OSCMessage(address, arguments)])
                    #expect(try await peer.code(of: address, from: mark) == 0, "\(address) \(arguments)")
                }
                let mark = peer.mark
                peer.send("quit")
                #expect(try await peer.code(of: "quit", from: mark) == 0)
                #expect(try await program.process.exit() == .code(0))
                await peer.end()
            }
        }

        @Test("pyliblo reads every property with the types that the reference gives")
        func properties() async throws {
            try await run { program, peer async throws in
                let rows = try await Self.reference()
                #expect(rows.count > 90)
                let kinds = [
                    "pulseRate": 5, "duty": 5, "edge": 5, "decay": 8, "delay": 9, "depth": 10, "correlation": 2, "attack": 13,
                    "release": 13, "pulseDepth": 3, "amRate": 3, "amDepth": 3, "spinRate": 3, "spinDepth": 3, "spinDelay": 3,
                    "orbitRate": 5, "distance": 5,
                ]
                // clock answers with the argument it was sent.
                for row in rows where !row.output.isEmpty && row.address != "clock" {
                    let parameter = row.address.split(separator: "/").first { kinds[String($0)] != nil }.map(String.init) ?? ""
                    let address = row.address.replacing("/N/", with: "/\(kinds[parameter] ?? 1)/")
                    let value = try await peer.value(address)
                    // "f…" is any number of them.
                    let isList = row.output.hasSuffix("…")
                    let expected = isList ? String(repeating: String(row.output.prefix(1)), count: value.typeTags.count) : row.output
                    #expect(value.typeTags == expected, "\(address)")
                }
                #expect(try await program.terminate() == .code(0))
            }
        }

        /// The rows of the program's table: address and type tags out.
        private static func reference() async throws -> [(address: String, output: String)] {
            struct Row: Decodable {
                var path: String
                var outputs: String
            }
            let run = try await RunningProgram.run(try PackageRoot.program(), ["osc-table", "--json"])
            return try JSONDecoder().decode([Row].self, from: Data(run.output.utf8)).map { ($0.path, $0.outputs) }
        }

        @Test("ping, info, status, sync, describe, lists, subscriptions, alive and bye work as documented")
        func conversation() async throws {
            try await run { program, peer async throws in
                func ask(_ address: String, _ arguments: OSCArgument..., answer: String) async throws -> OSCPeer.Received {
                    let mark = peer.mark
                    peer.sendBundle([OSCMessage(address, arguments)])
                    return try await peer.message(answer, from: mark)
                }
                #expect(try await ask("ping", .int32(42), answer: "pong").numbers == [42])
                #expect(try await ask("/ping", answer: "pong").numbers == [0])
                let info = try await ask("info", answer: "info")
                try #require(info.typeTags == "ssiiih")
                #expect(info.texts[0] == program.server.clientName)
                #expect(info.numbers[2] == 1)
                #expect(info.numbers[4] == Double(program.oscPort))
                let status = try await ask("status", answer: "status")
                try #require(status.typeTags == "siiffii")
                #expect(status.texts[0] == "running")
                #expect(status.numbers[1] == 48_000)
                #expect(status.numbers[2] == 256)
                #expect(try await ask("sync", .int32(9), answer: "synced").numbers == [9])
                #expect(try await ask("describe", .string("/binaural/layer/1"), answer: "describe/end").numbers[1] ?? 0 > 10)
                #expect(try await ask("queue/list", answer: "queue/end").numbers == [2])
                #expect(try await ask("session/list", answer: "session/end").numbers[0] ?? 0 >= 1)

                for topic in [
                    "now", "commands", "layers", "mixer", "session", "jack", "log", "tick/10", "meters/100", "/binaural/layer/*/gain",
                ] {
                    let mark = peer.mark
                    let subscribed = try await ask("subscribe", .string(topic), answer: "subscribed")
                    #expect(subscribed.texts[0] == topic)
                    #expect(subscribed.numbers[3] == Double(peer.port))
                    _ = try await peer.message("snapshot/end", from: mark) { $0.texts == [topic] }
                }
                let mark = peer.mark
                _ = try await peer.message("alive", from: mark, within: .seconds(6))
                _ = try await ask("unsubscribe", .string("layers"), answer: "unsubscribed")
                _ = try await peer.message("meter", from: peer.mark)

                // A peer that falls silent.
                let other = try await OSCPeer()
                try await other.target(program.oscPort)
                other.send("subscribe", .string("mixer"), .int32(0), .int32(1))
                _ = try await other.message("expired", from: 0) { $0.texts == ["mixer"] }
                await other.end()

                #expect(try await peer.command("no/such/address") == 404)
                #expect(try await peer.command("layer/99/gain", .float(-20)) == 404)
                #expect(try await peer.command("layer/1/pulseRate", .float(5)) == 501)
                #expect(try await peer.command("master/gain", .string("loud")) == 400)
                let last = peer.mark
                program.process.send(signal: SIGTERM)
                _ = try await peer.message("bye", from: last)
                #expect(try await program.process.exit() == .code(0))
                await peer.end()
            }
        }

        /// Commands sent by oscsend, and the feedback of a subscriber.
        private static let sent: [(arguments: [String], address: String, value: String)] = [
            (["play"], "now/state", "playing"), (["pause", "f", "1"], "now/state", "paused"), (["toggle", "T"], "now/state", "playing"),
            (["position", "f", "12.5"], "now/elapsed", ""), (["next"], "now/chapter", "2.0"), (["previous"], "now/chapter", "1.0"),
            (["queue/next"], "now/queue", "2.0"), (["queue/previous"], "now/queue", "1.0"), (["skip/by", "i", "20"], "now/elapsed", ""),
            (["repeat", "s", "all"], "repeat", "all"), (["layer/1/gain", "ff", "-31.5", "0.1"], "layer/1/gain", "-31.5"),
            (["layer/1/beat/norm", "f", "0.5"], "layer/1/beat", "20.0"), (["layer/1/note", "s", "A4"], "layer/1/carrier", "440.0"),
            (["layer/6/mute", "i", "1"], "layer/6/mute", "1.0"), (["layer/7/solo", "i", "1"], "layer/7/solo", "1.0"),
            (["layer/select", "i", "3"], "layer/select", "3.0"), (["master/gain", "f", "-3"], "master/gain", "-3.0"),
            (["master/mute", "T"], "master/mute", "1.0"), (["tuning/a4", "d", "432"], "tuning/a4", "432.0"),
            (["stop"], "now/state", "stopped"), (["queue/select", "i", "2"], "now/queue", "2.0"),
            (["play"], "now/state", "playing"), (["panic"], "now/state", "stopped"), (["quit"], "bye", "quit"),
        ]

        @Test("A subscriber sees the effect of commands sent by oscsend")
        func oscsend() async throws {
            let oscsend = try requireTool("oscsend", package: "liblo-tools")
            try await run { program, peer async throws in
                for topic in ["now", "commands", "layers", "mixer"] {
                    let mark = peer.mark
                    peer.send("subscribe", .string(topic))
                    _ = try await peer.message("snapshot/end", from: mark) { $0.texts == [topic] }
                }
                for (arguments, address, value) in Self.sent {
                    let mark = peer.mark
                    let run = try await RunningProgram.run(
                        oscsend, ["127.0.0.1", String(program.oscPort), "/binaural/\(arguments[0])"] + arguments.dropFirst())
                    #expect(run.exit == .code(0), "\(run.errors)")
                    _ = try await peer.message(address, from: mark) { received in
                        value.isEmpty || received.texts.first == value || received.numbers.first.flatMap { $0 }.map { "\($0)" } == value
                    }
                }
                #expect(try await program.process.exit() == .code(0))
                await peer.end()
            }
        }
    }
}
