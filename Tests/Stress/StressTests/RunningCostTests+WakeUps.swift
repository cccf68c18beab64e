import Foundation
import ProgramSupport
import TestSupport
import Testing

/// One server at a time: clients of one name on two servers open the same socket, and one of them fails if both are opened at once.
extension RunningCostTests {
    /// How often the threads of a program were woken, and what they cost.
    private struct Usage {
        /// Wake-ups a second beyond one for each of JACK's cycles.
        var wakeUps = 0.0
        /// The share of a processor.
        var load = 0.0
        /// The share that a client takes which only copies two channels.
        var emptyLoad = 0.0
        /// Messages a second to all subscribers.
        var messages = 0.0

        var words: String {
            "\(Figures.text(wakeUps)) wake-ups a second beyond the cycles, \(Figures.text(load * 100, 2)) % of a processor"
        }
    }

    @Test("With nobody connected the program hardly wakes beyond JACK's cycles: 5 times a second while paused, 25 while it plays")
    func wakeUps() async throws {
        let atRest = try await Self.usage(["--paused"], upTo: 5)
        let unwatched = try await Self.usage([], upTo: 25)
        for (what, usage) in [("paused", atRest), ("playing `welcome`", unwatched)] {
            Figures.report(
                "\(what), nobody connected, 1024 frames", "\(usage.words), jack_thru beside it \(Figures.text(usage.emptyLoad * 100, 2)) %")
        }
        #expect(atRest.wakeUps <= 5)
        #expect(unwatched.wakeUps <= 25)
    }

    @Test("A subscriber costs what it is sent: one to what is playing hardly any wake-ups, and one to positions no more than positions")
    func subscribers() async throws {
        // Without chapters, of which subscribers hear at once.
        let patch = "reference-440"
        let atRest = try await Self.usage(["--paused"], of: patch, subscribing: "now", upTo: 15)
        let watched = try await Self.usage([], of: patch, subscribing: "now", upTo: 30)
        let ticked = try await Self.usage([], of: patch, subscribing: "tick/4", upTo: 45)
        let many = try await Self.usage([], of: patch, subscribing: "tick/4", peers: 8, upTo: 60)
        let all = [
            ("paused, `now` subscribed", atRest), ("playing `\(patch)`, `now` subscribed", watched),
            ("playing `\(patch)`, `tick/4` subscribed", ticked), ("playing `\(patch)`, `tick/4` subscribed by eight", many),
        ]
        for (what, usage) in all {
            Figures.report("\(what), 1024 frames", "\(usage.words), \(Figures.text(usage.messages)) messages a second")
        }
        #expect(atRest.wakeUps <= 15)
        #expect(watched.wakeUps <= 30)
        #expect(ticked.wakeUps <= 45)
        // Eight that are sent something at the same time are sent it in the same wake-ups.
        #expect(many.messages > 6 * ticked.messages)
        #expect(many.wakeUps <= 60)
    }

    @Test(
        "Playing `welcome` takes at most 6 MB of private memory, also after the start at which its pictures are drawn"
    )
    func privateMemory() async throws {
        let cache = try TemporaryFolder()
        let first = try await Self.privateMemory(cache: cache)
        let second = try await Self.privateMemory(cache: cache)
        Figures.report(
            "private memory (RssAnon) of `welcome`, playing, from its second start on", "\(Figures.text(Double(second) / 1000)) MB")
        Figures.report(
            "private memory (RssAnon) of `welcome`, playing, at its first start, which draws pictures",
            "\(Figures.text(Double(first) / 1000)) MB")
        #expect(second <= 6000)
        #expect(first <= 6000)
    }

    /// RssAnon in kB of a program that plays `welcome`, seven seconds after its pictures are there: that of the current item, and that of the one
    /// behind it.
    ///
    /// - Parameter cache: The folder that takes the place of `~/.cache`.
    private static func privateMemory(cache: TemporaryFolder) async throws -> Int {
        try await JACKServer.run(bufferSize: 1024) { server in
            let program = try await PlayingProgram(on: server, [:], options: ["welcome"], preload: ["XDG_CACHE_HOME": cache.path])
            let isDrawn = try await eventually {
                try FileManager.default.subpathsOfDirectory(atPath: cache.path).count { $0.hasSuffix(".png") } >= 2
            }
            try #require(isDrawn, "the pictures are not drawn")
            try await Task.sleep(for: .seconds(7))
            let size = try memory(of: program.process.pid)["RssAnon"] ?? .max
            #expect(try await program.terminate() == .code(0))
            return size
        }
    }

    /// Plays with nobody connected, or a peer that has subscribed to a topic, and measures once what a start entails is over: for six
    /// seconds, and again if others on the machine have woken it more often, such as by what they write in folders that it watches.
    private static func usage(
        _ options: [String], of queue: String = "welcome", subscribing topic: String? = nil, peers count: Int = 1, upTo limit: Double
    ) async throws -> Usage {
        try await JACKServer.run(bufferSize: 1024) { server in
            // A file given by path would be watched, and its folder is where other tests write.
            let program = try await PlayingProgram(on: server, [:], options: [queue] + options)
            let pid = program.process.pid
            var peers: [OSCPeer] = []
            if let topic {
                peers = [program.peer]
                while peers.count < count {
                    peers.append(try await OSCPeer())
                    try await peers[peers.count - 1].target(program.oscPort)
                }
                for peer in peers { peer.send("subscribe", .string(topic)) }
            }
            let empty = try RunningProgram(
                try requireTool("jack_thru", package: "jackd2"), ["empty"], environment: server.toolEnvironment)
            try await server.waitForPort("empty:output_1")
            try await Task.sleep(for: .seconds(7))
            var usage = Usage(wakeUps: .infinity)
            for _ in 0..<3 where usage.wakeUps > limit {
                let (begin, before, used) = (ContinuousClock.now, try wakeUps(of: pid), try processorTime(of: pid))
                let (emptyUsed, marks) = (try processorTime(of: empty.pid), peers.map(\.mark))
                try await Task.sleep(for: .seconds(6))
                let seconds = (ContinuousClock.now - begin).timeInterval
                usage.wakeUps = Double(try wakeUps(of: pid) - before) / seconds - Double(server.sampleRate) / Double(server.bufferSize)
                usage.load = (try processorTime(of: pid) - used) / seconds
                usage.emptyLoad = (try processorTime(of: empty.pid) - emptyUsed) / seconds
                usage.messages = Double(zip(peers, marks).reduce(0) { $0 + $1.0.received(from: $1.1).count }) / seconds
            }
            empty.send(signal: SIGTERM)
            #expect(try await program.terminate() == .code(0))
            for peer in peers.dropFirst() { await peer.end() }
            return usage
        }
    }

    /// How often its threads have waited so far: each was woken as often.
    private static func wakeUps(of pid: Int32) throws -> Int {
        let folder = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, thread in
            let text = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            return sum + (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
        }
    }
}
