import Foundation
import TestSupport
import Testing

extension AcceptanceTests {
    /// What a running program costs. Times are told, not judged: they are the machine's as much as the program's.
    @Suite struct RunningCostTests {
        private static func layers(_ count: Int) -> String {
            let layers = (0..<count).map { "  - {name: l\($0), binaural: {carrier: \(100 + 37 * $0), beat: \(4 + $0)}, gain: -40}\n" }
            return "title: Layers\nlayers:\n" + layers.joined()
        }

        @Test("A playing session takes less than 60 MB of memory; start and load are told")
        func playing() async throws {
            try await JACKServer.run(ownClientName: true) { server in
                let program = try await PlayingProgram(on: server, ["layers.yaml": Self.layers(16)])
                let peer = program.peer
                let now = try await peer.value("now/elapsed")
                // When frame 0 was played.
                let first = now.tag - (now.numbers[0] ?? 0)
                #expect(first > program.started)
                Figures.tell(
                    "from exec to the first sample", "\(Figures.text((first - program.started) * 1000, 0)) ms")
                let capture = try await TimedCapture(of: program, seconds: 10)
                try await capture.advance(seconds: 2)
                _ = try await capture.finish()
                let status = try await peer.value("status").numbers
                Figures.tell(
                    "DSP load of 16 binaural layers, 256 frames",
                    "\(Figures.text(status[3] ?? 0, 2)) %, peak \(Figures.text(status[4] ?? 0, 2)) %")
                let memory = try Self.memory(of: program.process.pid)
                Figures.tell("memory of a playing session", "RssAnon \(memory["RssAnon"] ?? 0) kB, RssFile \(memory["RssFile"] ?? 0) kB")
                #expect((memory["RssAnon"] ?? .max) + (memory["RssFile"] ?? 0) < 60_000)
                let locked = try Self.lockedMemory(of: program.process.pid)
                Figures.tell("memory that is locked, the server's apart", "\(locked) kB")
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
                // The engine's block.
                if limit.rlim_cur > 1 << 20 { #expect(100..<500 ~= locked) }
                #expect(try await program.terminate() == .code(0))
            }
        }

        @Test("Memory of a playing session stays as it is through ten minutes of sound, an hour in a stress run")
        func flat() async throws {
            let seconds = ProcessInfo.processInfo.environment["BINAURAL_STRESS"] != nil ? 3600.0 : 600
            let patch = TestPatch.moving.replacing("duration: 30\n", with: "duration: 7200\n")
            try await JACKServer.run(bufferSize: 1024, ownClientName: true) { server in
                let program = try await PlayingProgram(on: server, ["moving.yaml": patch])
                let peer = program.peer
                // Its chapters, seeks and edits have been there once.
                for place in [5, 16, 25, 1] as [Float] {
                    #expect(try await peer.command("position", .float(place)) == 0)
                    #expect(try await peer.command("layer/1/gain", .float(-30 - place)) == 0)
                }
                try await server.freewheel(true)
                func memory(at elapsed: Double) async throws -> Int {
                    let limit = ContinuousClock.now + .seconds(300)
                    while try await peer.value("now/elapsed").numbers[0] ?? 0 < elapsed, ContinuousClock.now < limit {
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    let memory = try Self.memory(of: program.process.pid)
                    return (memory["RssAnon"] ?? .max / 2) + (memory["RssFile"] ?? 0)
                }
                let before = try await memory(at: 60)
                let after = try await memory(at: seconds)
                let reached = try await peer.value("now/elapsed").numbers[0] ?? 0
                try await server.freewheel(false)
                Figures.tell("memory of a playing session, \(Int(seconds / 60)) minutes of sound later", "\(before) kB, then \(after) kB")
                #expect(reached >= seconds)
                #expect(after < 60_000 && after - before < 1024)
                #expect(try await program.terminate() == .code(0))
            }
        }

        /// What is locked of all mappings but the server's shared memory, which libjack locks; in kB.
        private static func lockedMemory(of pid: Int32) throws -> Int {
            var (sum, isOwn) = (0, true)
            // `String(contentsOfFile:)` takes what one read gives for the whole of such a file.
            let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/smaps")).readToEnd() ?? Data()
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                if line.hasPrefix("Locked:"), isOwn { sum += Int(line.filter(\.isNumber)) ?? 0 }
                // The first line of a mapping, whose places are in hexadecimal digits.
                if let first = line.first, first.isNumber || ("a"..."f").contains(first) { isOwn = !line.contains("/dev/shm/") }
            }
            return sum
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

        @Test("Offline, sixteen layers and either kernel render what was asked for; how fast is told")
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
                    Figures.tell(
                        "render of \(count) binaural layers, \(kernel), file and start included",
                        "\(Figures.text(300 / seconds, 0)) x real time")
                }
            }
        }
    }
}
