import ArgumentParser
import AudioFiles
import Engine
import Foundation
import Library
import Patches

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Write a patch into a WAV file, faster than it plays.",
        discussion: """
            The samples are the very ones that playing gives. Times are seconds, m:ss or h:mm:ss. The file appears when it is complete; one \
            that is there already is replaced then.

            EXAMPLES:
              binaural render deep-alpha -o deep-alpha.wav
              binaural render rain -o rain.wav --to 1:00:00 --depth 16
              binaural render tone.yaml -o middle.wav --from 5:00 --to 5:30 --depth 32f
            """
    )

    @ArgumentParser.Argument(help: "A patch, by name or by path.", completion: .file(extensions: ["yaml", "sbg"]))
    var item: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The WAV file to write.", valueName: "file"), completion: .file(extensions: ["wav"]))
    var output: String

    @Option(help: ArgumentHelp("Begin there in the patch.", valueName: "time"))
    var from: ClockTime?

    @Option(help: ArgumentHelp("End there; an endless patch needs it.", valueName: "time"))
    var to: ClockTime?

    @Option(help: ArgumentHelp("Frames per second, 8000 to 384000.", valueName: "hz"))
    var sampleRate = 48_000

    @Option(help: ArgumentHelp("Bits of a sample: 16, 24, or 32f for floating point.", valueName: "16|24|32f"))
    var depth = SampleFormat.int24

    @Option(parsing: .unconditional, help: ArgumentHelp("No sample is above this level, -60 to 0 dBFS.", valueName: "dB"))
    var ceiling = -6.0

    @Option(help: ArgumentHelp("Instruction set of the render code, as in play.", valueName: "auto|baseline|avx2"))
    var kernel = KernelOption.auto

    func validate() throws {
        guard (8000...384_000).contains(sampleRate) else {
            throw ValidationError("--sample-rate takes 8000 to 384000 Hz, not \(sampleRate).")
        }
        guard ["wav", "wave"].contains(URL(filePath: output).pathExtension.lowercased()) else {
            throw ValidationError("WAV is what is written: give --output a name that ends in .wav, not '\(output)'.")
        }
        guard ceiling >= -60, ceiling <= 0 else {
            throw ValidationError("--ceiling takes a level from -60 to 0 dBFS, not \(NumberText.string(from: ceiling)).")
        }
    }

    func run() throws {
        let library = Library(places: .current)
        let (patch, entry) = try library.loadPatch(item)
        for remark in try library.remarks(on: entry) { ErrorReport.write(lines: remark.warning) }
        let kernel = try kernel.kernel()
        let plan = PlanCompiler.compile(patch, sampleRate: Double(sampleRate))
        let range = try frames(of: plan, patch)
        let interruption = Interruption()

        let writer = try WaveFileWriter(path: output, sampleRate: sampleRate, format: depth, title: patch.details.title)
        let renderer = OfflineRenderer(plan, from: range.lowerBound, kernel: kernel, ceiling: ceiling)
        var progress = ProgressLine(title: patch.details.title, total: range.upperBound - range.lowerBound)
        var buffers = (left: [Float](repeating: 0, count: 8192), right: [Float](repeating: 0, count: 8192))
        while renderer.position < range.upperBound {
            if let signal = interruption.signal {
                progress.clear()
                throw ProgramError(signal: signal, "Stopped before the end; \(output) is as it was.")
            }
            let count = Int(min(8192, range.upperBound - renderer.position))
            try buffers.left.withUnsafeMutableBufferPointer { left in
                try buffers.right.withUnsafeMutableBufferPointer { right in
                    let block = (
                        UnsafeMutableBufferPointer(rebasing: left[..<count]), UnsafeMutableBufferPointer(rebasing: right[..<count])
                    )
                    _ = renderer.render(left: block.0, right: block.1)
                    try writer.write(left: UnsafeBufferPointer(block.0), right: UnsafeBufferPointer(block.1))
                }
            }
            progress.show(renderer.position - range.lowerBound)
        }
        try writer.finish()
        progress.clear()
        report(range, samplesAtCeiling: renderer.guardActions.ceiling)
    }

    private func frames(of plan: Plan, _ patch: Patch) throws -> Range<Int64> {
        guard let end = to.map({ plan.frame(atPosition: $0.seconds) }) ?? (patch.loops ? nil : plan.lengthInFrames) else {
            let why = plan.lengthInFrames == nil ? "is endless" : "goes round for ever"
            throw ProgramError(.usage, "'\(patch.details.title)' \(why): say with --to where the file is to end, such as --to 10:00.")
        }
        let start = from.map { plan.frame(atPosition: $0.seconds) } ?? 0
        guard start < end else {
            throw ProgramError(
                .usage, "There is nothing to render: --from \(text(start)) is not before the end at \(text(end)).")
        }
        return start..<end
    }

    private func report(_ range: Range<Int64>, samplesAtCeiling: UInt64) {
        let samples = depth == .float32 ? "32-bit float" : "\(depth.rawValue) bits"
        print("\(output): \(text(range.upperBound - range.lowerBound)), \(sampleRate) Hz, \(samples)")
        if samplesAtCeiling > 0 {
            ErrorReport.write(
                lines:
                    "\(output): warning: the ceiling of \(NumberText.string(from: ceiling)) dBFS was reached: give the layers lower gains")
        }
    }

    private func text(_ frames: Int64) -> String { DurationText.string(from: Double(frames) / Double(sampleRate)) }
}

extension SampleFormat: ExpressibleByArgument {}
