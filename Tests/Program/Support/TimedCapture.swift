import Foundation
import TestSupport

/// A recording with the time of every sample: Tests/Peers/acceptance/timed_capture.c.
package final class TimedCapture: Sendable {
    private let folder: TemporaryFolder
    private let process: RunningProgram
    private let sampleRate: Int

    /// Starts to record both ports of the program, and others by full name; it is running when this returns.
    ///
    /// - Parameter seconds: the most that it records: far more than the test needs, since a busy machine may hold the test up.
    package init(of program: PlayingProgram, and others: [String] = [], seconds: Double = 120) async throws {
        folder = try TemporaryFolder()
        sampleRate = program.server.sampleRate
        let executable = folder.file("timed_capture")
        try await compile("timed_capture.c", options: ["-o", executable], libraries: ["-ljack", "-pthread"])
        let name = "timed-\(program.server.clientName)"
        process = try RunningProgram(
            executable, [name, folder.file("capture.wav"), String(seconds)] + program.ports + others,
            environment: ProcessInfo.processInfo.environment.merging(program.server.environment) { $1 })
        _ = try await process.line(containing: "recording")
    }

    /// Waits until this many more seconds have been recorded.
    package func advance(seconds: Double) async throws {
        let frames = recorded + Int(seconds * Double(sampleRate))
        _ = try await process.line { Self.frames($0).map { $0 >= frames } ?? false }
    }

    private var recorded: Int { process.outputLines.reversed().lazy.compactMap(Self.frames).first ?? 0 }

    private static func frames(_ line: String) -> Int? {
        line.hasPrefix("frames ") ? Int(line.dropFirst(7)) : nil
    }

    /// The last sample that it has reported.
    package var position: Int { recorded }

    /// The sample at which `transport` starts searching.
    package var mark: Int { process.lines.count }

    /// Waits until JACK's transport is stopped at a frame.
    package func transport(standsAt frame: Double, from mark: Int) async throws {
        _ = try await process.line(from: mark) { $0 == "transport \(Int(frame))" }
    }

    /// Ends it; not under freewheel, where jackd takes long to close a client.
    package func finish() async throws -> Recording {
        process.closeInput()
        let exit = try await process.exit()
        guard exit == .code(0), let last = process.outputLines.last, last.hasPrefix("xruns ") else {
            throw ProgramFailure("the recording failed (\(exit)): \(process.transcript)")
        }
        let lines = try folder.read("capture.wav.cycles").split(separator: "\n")
        let cycles = lines.compactMap { line -> Recording.Cycle? in
            let parts = line.split(separator: " ").compactMap { Int($0) }
            guard parts.count == 4 else { return nil }
            return Recording.Cycle(
                sample: parts[0], time: Double(parts[1]) / 1e6, transport: parts[2] < 0 ? nil : parts[2],
                wholeNotes: parts[3] < 0 ? nil : Double(parts[3]) / 1e9)
        }
        return Recording(wave: try WaveFile(contentsOf: folder.file("capture.wav")), cycles: cycles, xruns: Int(last.dropFirst(6)) ?? 0)
    }
}

package struct Recording: Sendable {
    package struct Cycle: Sendable {
        /// Its first sample, counted from the beginning of the recording.
        package let sample: Int
        /// The time at which it began, unix time.
        package let time: Double
        /// Frame of JACK's transport; `nil` while it did not roll.
        package let transport: Int?
        /// Position of JACK's transport, from bar 1 on; `nil` without a timebase master.
        package let wholeNotes: Double?
    }

    package let wave: WaveFile
    package let cycles: [Cycle]
    package let xruns: Int

    /// The time at which a sample was played, unix time: the sample clock from the beginning of its cycle on.
    package func time(ofSample sample: Int) -> Double {
        let cycle = cycles.last { $0.sample <= sample } ?? cycles[0]
        return cycle.time + Double(sample - cycle.sample) / wave.sampleRate
    }

    /// Whole notes of JACK's transport at a sample, at this many quarter notes a minute; `nil` without a timebase master.
    package func wholeNotes(ofSample sample: Int, tempo: Double) -> Double? {
        guard let cycle = cycles.last(where: { $0.sample <= sample }), let wholeNotes = cycle.wholeNotes else { return nil }
        return wholeNotes + Double(sample - cycle.sample) / wave.sampleRate * tempo / 240
    }

    /// Frame of JACK's transport at a sample; `nil` while it did not roll.
    package func transportFrame(ofSample sample: Int) -> Int? {
        guard let cycle = cycles.last(where: { $0.sample <= sample }), let frame = cycle.transport else { return nil }
        return frame + sample - cycle.sample
    }
}

/// Compiles a program of Tests/Peers/acceptance.
package func compile(_ source: String, options: [String], libraries: [String]) async throws {
    let compiler = try requireTool("cc", package: "gcc libc6-dev")
    let finished = try await RunningProgram.run(
        compiler, ["-O2", "-Wall", "-Wextra", "-Werror"] + options + [PackageRoot.file("Tests/Peers/acceptance/\(source)")] + libraries)
    guard finished.exit == .code(0) else { throw ProgramFailure("\(finished.command) failed: \(finished.errors)") }
}
