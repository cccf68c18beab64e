import Glibc
import Patches

/// Bytes -> sequence of SBaGen -> patch -> YAML and back, with libFuzzer at the front.
///
/// Whatever the bytes are, they are faults, each with words, or a patch whose parameters stay in their ranges, and which reads back equal
/// from what is written of it.
@main struct FuzzSequences {
    static func main() {
        var count = CommandLine.argc
        // SAFETY: libFuzzer gets the vector that main got, and may keep it until the process ends.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = runDriver(&count, &arguments) { bytes, count in
            FuzzSequences.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }

    fileprivate static func read(_ bytes: [UInt8]) {
        do throws(Diagnostics) {
            let begin = processorSeconds()
            let sequence = try SBaGenSequence.parse(bytes: bytes, file: "a.sbg", now: 43_200)
            let patch = sequence.patch(now: 43_200)
            // The sanitizer takes its time too.
            precondition(processorSeconds() - begin < 1, "it takes too long")
            for remark in sequence.remarks { precondition(!remark.warning.isEmpty) }
            check(patch)
            // Written out, a small sequence may be a large patch.
            let text = patch.yaml
            if text.utf8.count < YAMLSource.maximumSize / 16 {
                let again = try? Patch.parse(text, file: "a.yaml")
                precondition(again == patch, "not the same patch:\n\(text)")
            }
            let exported = patch.exported().sequence
            precondition((try? SBaGenSequence.parse(bytes: Array(exported.utf8), file: "b.sbg")) != nil, "not a sequence:\n\(exported)")
        } catch {
            precondition(!error.all.isEmpty && !"\(error)".isEmpty)
        }
    }

    /// Of this thread, which a busy machine does not stretch.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func check(_ patch: Patch) {
        precondition(!patch.layers.isEmpty && patch.layers.count <= Patch.maximumLayerCount)
        precondition(Set(patch.layers.map(\.name)).count == patch.layers.count, "two layers of one name")
        precondition(patch.duration.map { $0 > 0 && $0 <= Patch.day } ?? true)
        for layer in patch.layers {
            for (parameter, value) in layer.values { check(value, parameter, layer) }
        }
        for move in patch.chapters + patch.cues {
            precondition(move.start >= 0 && move.over.map { $0 > 0 } ?? true)
            for setting in move.settings { check(setting.value, setting.parameter, patch.layers[setting.layer]) }
        }
    }

    private static func check(_ value: Double, _ parameter: Parameter, _ layer: Layer) {
        precondition(layer.kind.description(of: parameter)?.range.contains(value) == true, "\(layer.name).\(parameter): \(value)")
    }
}

/// `LLVMFuzzerRunDriver` of libFuzzer: runs it inside of a program that has a main function of its own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
