import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The cost of a running program. Load and speed are reported, not judged, since they depend on the machine.
@Suite struct RunningCostTests {
    private static func layers(_ count: Int) -> String {
        let layers = (0..<count).map { "  - {name: l\($0), binaural: {carrier: \(100 + 37 * $0), beat: \(4 + $0)}, gain: -40}\n" }
        return "title: Layers\nlayers:\n" + layers.joined()
    }

    @Test("A playing session takes less than 60 MB of memory; startup and load are reported")
    func playing() async throws {
        try await JACKServer.run { server in
            let program = try await PlayingProgram(on: server, ["layers.yaml": Self.layers(16)])
            let peer = program.peer
            let now = try await peer.value("now/elapsed")
            // When frame 0 was played.
            let first = now.tag - (now.numbers[0] ?? 0)
            #expect(first > program.started)
            Figures.report(
                "from exec to the first sample", "\(Figures.text((first - program.started) * 1000, 0)) ms")
            let capture = try await TimedCapture(of: program)
            try await capture.advance(seconds: 2)
            _ = try await capture.finish()
            let status = try await peer.value("status").numbers
            Figures.report(
                "DSP load of 16 binaural layers, 256 frames",
                "\(Figures.text(status[3] ?? 0, 2)) %, peak \(Figures.text(status[4] ?? 0, 2)) %")
            let memory = try Self.memory(of: program.process.pid)
            Figures.report("memory of a playing session", "RssAnon \(memory["RssAnon"] ?? 0) kB, RssFile \(memory["RssFile"] ?? 0) kB")
            #expect((memory["RssAnon"] ?? .max) + (memory["RssFile"] ?? 0) < 60_000)
            let locked = try Self.lockedMappings(of: program.process.pid)
            Figures.report(
                "memory that is locked, the server's apart", locked.map { "\($0.locked) kB of \($0.size) kB" }.joined(separator: ", "))
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
            // The engine's block, all of it, and nothing else: a mapping of its own, of no file, that may be read and written.
            if limit.rlim_cur <= 1 << 20 {
                Figures.report(
                    "memory that is locked, all of the engine's block", "not judged: ulimit -l is \(limit.rlim_cur >> 10) kB")
            } else {
                #expect(locked.count == 1, "\(locked)")
                for block in locked {
                    #expect(block.path.isEmpty, "\(block)")
                    #expect(block.rights == "rw-p", "\(block)")
                    #expect(block.locked == block.size, "\(block)")
                    #expect(100..<500 ~= block.size, "\(block)")
                }
            }
            #expect(try await program.terminate() == .code(0))
        }
    }

    @Test(
        "From exec to sound on a running server takes at most 150 ms of CPU time in half of the starts, and also of wall-clock time in a stress run"
    )
    func start() async throws {
        let times = try await JACKServer.run { server in
            var times: [(clock: Double, processor: Double)] = []
            for _ in 0..<5 {
                let program = try await PlayingProgram(on: server, ["layers.yaml": Self.layers(16)])
                let used = try Self.processorTime(of: program.process.pid)
                let now = try await program.peer.value("now/elapsed")
                times.append(((now.tag - (now.numbers[0] ?? 0) - program.started) * 1000, used * 1000))
                #expect(try await program.terminate() == .code(0))
            }
            return times
        }
        let (clock, processor) = (times.map(\.clock).sorted(), times.map(\.processor).sorted())
        Figures.report(
            "from exec to the first sample, median of five starts",
            "\(Figures.text(clock[2], 0)) ms, at most \(Figures.text(clock[4], 0)); processor time until it is found playing \(Figures.text(processor[2], 0)) ms"
        )
        #expect(clock.allSatisfy { $0 > 0 })
        // The CPU time until a peer has found it playing, which a busy machine does not increase.
        #expect(processor[2] < 150)
        if isStress { #expect(clock[2] < 150) }
    }

    /// Seconds of CPU time of all its threads.
    static func processorTime(of pid: Int32) throws -> Double {
        let folder = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, thread in
            let text = (try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)) ?? ""
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
        }
    }

    @Test("The memory of a playing session does not grow during ten minutes of sound (an hour in a stress run)")
    func flat() async throws {
        let seconds = isStress ? 3600.0 : 600
        let patch = TestPatch.moving.replacing("duration: 30\n", with: "duration: 7200\n")
        try await JACKServer.run(bufferSize: 1024) { server in
            let program = try await PlayingProgram(on: server, ["moving.yaml": patch])
            let peer = program.peer
            // All chapters, seeks and edits have happened once.
            for place in [5, 16, 25, 1] as [Float] {
                #expect(try await peer.command("position", .float(place)) == 0)
                #expect(try await peer.command("layer/1/gain", .float(-30 - place)) == 0)
            }
            try await server.freewheel(true)
            func memory(at elapsed: Double) async throws -> Int {
                try await peer.reach(elapsed)
                let memory = try Self.memory(of: program.process.pid)
                return (memory["RssAnon"] ?? .max / 2) + (memory["RssFile"] ?? 0)
            }
            let before = try await memory(at: 60)
            let after = try await memory(at: seconds)
            let reached = try await peer.value("now/elapsed").numbers[0] ?? 0
            try await server.freewheel(false)
            Figures.report("memory of a playing session, \(Int(seconds / 60)) minutes of sound later", "\(before) kB, then \(after) kB")
            #expect(reached >= seconds)
            #expect(after < 60_000)
            #expect(after - before < 1024)
            #expect(try await program.terminate() == .code(0))
        }
    }

    private struct Mapping {
        var rights: String
        /// Empty for memory of no file.
        var path: String
        /// kB.
        var size = 0
        /// kB.
        var locked = 0
    }

    /// The mappings with locked pages, except for the server's shared memory, which libjack locks.
    private static func lockedMappings(of pid: Int32) throws -> [Mapping] {
        var mappings: [Mapping] = []
        // `String(contentsOfFile:)` takes what one read gives for the whole of such a file.
        let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/smaps")).readToEnd() ?? Data()
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            // The first line of a mapping begins with its places, in hexadecimal digits; then rights, offset, device, inode, path.
            if let first = line.first, first.isNumber || ("a"..."f").contains(first) {
                let fields = line.split(separator: " ", maxSplits: 5)
                mappings.append(Mapping(rights: String(fields[1]), path: fields.count > 5 ? String(fields[5]) : ""))
            } else if line.hasPrefix("Size:") {
                mappings[mappings.count - 1].size = Int(line.filter(\.isNumber)) ?? 0
            } else if line.hasPrefix("Locked:") {
                mappings[mappings.count - 1].locked = Int(line.filter(\.isNumber)) ?? 0
            }
        }
        return mappings.filter { $0.locked > 0 && !$0.path.contains("/dev/shm/") }
    }

    /// The Rss lines of /proc/PID/status, in kB.
    static func memory(of pid: Int32) throws -> [String: Int] {
        let lines = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).split(separator: "\n")
        return Dictionary(
            lines.filter { $0.hasPrefix("Rss") }.compactMap { line in
                let parts = line.split(separator: ":")
                return Int(parts[1].filter(\.isNumber)).map { (String(parts[0]), $0) }
            }
        ) { $1 }
    }

    @Test("Sixteen layers are rendered offline in full with either kernel, faster than they play; the speed is reported")
    func offline() async throws {
        let isolated = try IsolatedEnvironment()
        let hasAVX2 = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).contains("avx2")
        for kernel in ["baseline", "avx2"] where kernel == "baseline" || hasAVX2 {
            for count in [1, 8, 16] {
                try isolated.folder.write(Self.layers(count), to: "layers.yaml")
                let begin = ContinuousClock.now
                let run = try await RunningProgram.run(
                    try PackageRoot.program(),
                    ["render", "layers.yaml", "-o", "x.wav", "--to", "300", "--depth", "32f", "--kernel", kernel],
                    environment: isolated.variables, folder: isolated.folder.path)
                let seconds = (ContinuousClock.now - begin).timeInterval
                #expect(run.exit == .code(0), "\(run.errors)")
                let size = try FileManager.default.attributesOfItem(atPath: isolated.folder.file("x.wav"))[.size] as? Int ?? 0
                #expect(size >= 300 * 48_000 * 8)
                #expect(seconds < 300, "\(count) layers, \(kernel)")
                Figures.report(
                    "render of \(count) binaural layers, \(kernel), file and start included",
                    "\(Figures.text(300 / seconds, 0)) x real time")
            }
        }
    }
}
