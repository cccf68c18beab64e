import Glibc
import PatchFiles
import Patches
import SBaGen

/// Bytes -> sequence of SBaGen -> patch, and on to a text in either format and back, with libFuzzer at the front.
///
/// Whatever the bytes are, they are faults, each with words, or a patch whose parameters stay in their ranges, and which reads back equal
/// from what is written of it. Until that is decided, a second of the processor and 100 MB of the heap are what may be spent.
@main struct FuzzSequences {
    static func main() {
        HeapCount.install()
        atexit {
            print(
                "worst: \(Int(FuzzSequences.worst.seconds * 1000)) ms of the processor, \(FuzzSequences.worst.bytes / 1000) kB of the heap")
        }
        if CommandLine.argc == 3, CommandLine.arguments[1] == "--truncations" { return readTruncations(of: CommandLine.arguments[2]) }
        var count = CommandLine.argc
        // SAFETY: libFuzzer gets the vector that main got, and may keep it until the process ends.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = runDriver(&count, &arguments) { bytes, count in
            FuzzSequences.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }

    /// Without libFuzzer: a file truncated at every byte.
    private static func readTruncations(of path: String) {
        guard let file = fopen(path, "rb") else { fatalError("there is no \(path)") }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        for count in 0...bytes.count { read(Array(bytes[..<count])) }
        print("tried: \(bytes.count + 1)")
    }

    /// The maximum cost of reading a file.
    nonisolated(unsafe) fileprivate static var worst = (seconds: 0.0, bytes: 0)

    /// All messages are put into words, and the patch is written in both formats and read back, for one file in so many: that takes longer
    /// than to read the file. Long texts are for one in more still.
    private static let share = (all: 8, long: 64)
    /// Bytes of a patch's text, and lines of a sequence.
    private static let small = (bytes: 2048, lines: 8)

    fileprivate static func read(_ bytes: [UInt8]) {
        let hash = bytes.reduce(5381) { ($0 &* 33) ^ Int($1) }
        let (isChosen, isLongChosen) = (hash & (share.all - 1) == 0, hash & (share.long - 1) == 0)
        let (begin, before) = (processorSeconds(), HeapCount.now)
        HeapCount.peak = before
        var sequence: SBaGenSequence?
        var patch: Patch?
        PlantedFault.current?.act(on: bytes, processorSeconds)
        do throws(Diagnostics) {
            // Formulas are read as those of a session.
            let decoded = String(decoding: bytes, as: UTF8.self)
            let areFormulas = ["beat =", "beat<", "beat>"].contains { decoded.contains($0) }
            let text =
                areFormulas ? Array("-p curve t90,10,3 f.sbgf 05ds+/20 mix/30 mixpulse:3/40 mixspin:300+1/40 mixam:beat".utf8) : bytes
            // No sequence begins like this, and every file of voices may.
            let file = decoded.hasPrefix("0 ") ? "a.sbxseq" : "a.sbg"
            let read = try SBaGenSequence.parse(bytes: text, file: file, now: 43_200, files: { _, _ in bytes })
            sequence = read
            patch = read.patch(now: 43_200)
            for remark in read.remarks { require(!remark.warning.isEmpty) }
        } catch {
            require(!error.all.isEmpty && !"\(error.all[0])".isEmpty && !(isChosen && "\(error)".isEmpty))
        }
        // The sanitizer takes time too.
        require(processorSeconds() - begin < 1, "it takes too long")
        require(HeapCount.peak - before < 100_000_000, "it takes too much memory: \(HeapCount.peak - before) bytes")
        worst = (max(worst.seconds, processorSeconds() - begin), max(worst.bytes, HeapCount.peak - before))
        guard let sequence, let patch else { return }
        check(patch)
        guard isChosen, isLongChosen || sequence.lines.count <= small.lines else { return }
        // Written out, a small sequence may be a large patch.
        let text = patch.yaml
        if text.utf8.count < (isLongChosen ? YAMLSource.maximumSize / 16 : small.bytes) {
            let again = try? Patch.parse(text, file: "a.yaml")
            require(again == patch, "not the same patch:\n\(text)")
        }
        let exported = patch.exported().sequence
        require((try? SBaGenSequence.parse(bytes: Array(exported.utf8), file: "b.sbg")) != nil, "not a sequence:\n\(exported)")
    }

    /// A precondition whose message is also printed by an optimized program.
    private static func require(_ isRight: Bool, _ message: @autoclosure () -> String = "not what it has to be", line: UInt = #line) {
        if !isRight { fatalError(message(), line: line) }
    }

    /// CPU time of this thread, which a busy machine does not increase.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func check(_ patch: Patch) {
        require(!patch.layers.isEmpty && patch.layers.count <= Patch.maximumLayerCount)
        require(Set(patch.layers.map(\.name)).count == patch.layers.count, "two layers of one name")
        require(patch.duration.map { $0 > 0 && $0 <= Patch.day } ?? true)
        for layer in patch.layers {
            for (parameter, value) in layer.values { check(value, parameter, layer) }
        }
        for move in patch.chapters + patch.cues {
            require(move.start >= 0 && move.over.map { $0 > 0 } ?? true)
            for setting in move.settings { check(setting.value, setting.parameter, patch.layers[setting.layer]) }
        }
    }

    private static func check(_ value: Double, _ parameter: Parameter, _ layer: Layer) {
        require(layer.description(of: parameter)?.range.contains(value) == true, "\(layer.name).\(parameter): \(value)")
    }
}

/// `LLVMFuzzerRunDriver` of libFuzzer: runs it inside of a program that has a main function of its own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
