import Foundation
import TestSupport

/// A recording with the time of every sample: Tests/Peers/acceptance/timed_capture.c.
final class TimedCapture: Sendable {
    private let folder: TemporaryFolder
    private let process: RunningProgram
    private let sampleRate: Int

    /// Starts to record both ports of the program, and others by full name; it is running when this returns.
    init(of program: PlayingProgram, and others: [String] = [], seconds: Double) async throws {
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
    func advance(seconds: Double) async throws {
        let frames = recorded + Int(seconds * Double(sampleRate))
        _ = try await process.line(within: .seconds(60)) { Self.frames($0).map { $0 >= frames } ?? false }
    }

    private var recorded: Int { process.outputLines.reversed().lazy.compactMap(Self.frames).first ?? 0 }

    private static func frames(_ line: String) -> Int? {
        line.hasPrefix("frames ") ? Int(line.dropFirst(7)) : nil
    }

    /// The last sample that it has reported.
    var position: Int { recorded }

    /// The sample at which `transport` starts searching.
    var mark: Int { process.lines.count }

    /// Waits until JACK's transport is stopped at a frame.
    func transport(standsAt frame: Double, from mark: Int) async throws {
        _ = try await process.line(from: mark, within: .seconds(30)) { $0 == "transport \(Int(frame))" }
    }

    /// Waits until its buffer is full.
    func fill() async throws {
        _ = try await process.line(containing: "full", within: .seconds(60))
    }

    /// Ends it; not under freewheel, where jackd takes long to close a client.
    func finish() async throws -> Recording {
        process.closeInput()
        let exit = try await process.exit(within: .seconds(90))
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

struct Recording: Sendable {
    struct Cycle: Sendable {
        /// Its first sample, counted from the beginning of the recording.
        let sample: Int
        /// The time at which it began, unix time.
        let time: Double
        /// Frame of JACK's transport; `nil` while it did not roll.
        let transport: Int?
        /// Position of JACK's transport, from bar 1 on; `nil` without a timebase master.
        let wholeNotes: Double?
    }

    let wave: WaveFile
    let cycles: [Cycle]
    let xruns: Int

    /// The time at which a sample was played, unix time: the sample clock from the beginning of its cycle on.
    func time(ofSample sample: Int) -> Double {
        let cycle = cycles.last { $0.sample <= sample } ?? cycles[0]
        return cycle.time + Double(sample - cycle.sample) / wave.sampleRate
    }

    /// Whole notes of JACK's transport at a sample, at this many quarter notes a minute; `nil` without a timebase master.
    func wholeNotes(ofSample sample: Int, tempo: Double) -> Double? {
        guard let cycle = cycles.last(where: { $0.sample <= sample }), let wholeNotes = cycle.wholeNotes else { return nil }
        return wholeNotes + Double(sample - cycle.sample) / wave.sampleRate * tempo / 240
    }

    /// Frame of JACK's transport at a sample; `nil` while it did not roll.
    func transportFrame(ofSample sample: Int) -> Int? {
        guard let cycle = cycles.last(where: { $0.sample <= sample }), let frame = cycle.transport else { return nil }
        return frame + sample - cycle.sample
    }
}

/// Compiles a program of Tests/Peers/acceptance.
func compile(_ source: String, options: [String], libraries: [String]) async throws {
    let compiler = try requireTool("cc", package: "gcc libc6-dev")
    let finished = try await RunningProgram.run(
        compiler, ["-O2", "-Wall", "-Wextra", "-Werror"] + options + [PackageRoot.file("Tests/Peers/acceptance/\(source)")] + libraries)
    guard finished.exit == .code(0) else { throw ProgramFailure("\(finished.command) failed: \(finished.errors)") }
}

/// Repeats a measurement until no cycle was dropped and no bundle was late. A comparison of sound with the clock means nothing otherwise,
/// and a busy machine causes both.
func undisturbed<Result: Sendable>(_ measure: @Sendable () async throws -> (Result, disturbances: Int)) async throws -> Result {
    for _ in 0..<12 {
        let (result, disturbances) = try await measure()
        if disturbances == 0 { return result }
        print("measured again: \(disturbances) cycles or bundles were late")
    }
    throw ProgramFailure("this machine drops cycles all the time: run the test where less else runs")
}
