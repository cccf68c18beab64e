// A program with a process callback that commits one fault, `fault(_:)` of the file that it is compiled with.
//
// It uses jack_stand_in.c instead of JACK, so that each check can be tried on many faults quickly.
import Glibc

@_silgen_name("jack_set_process_callback")
private func setProcessCallback(
    _ client: OpaquePointer?, _ callback: @convention(c) (UInt32, UnsafeMutableRawPointer?) -> Int32, _ context: UnsafeMutableRawPointer?
) -> Int32

@_silgen_name("jack_run_cycles")
private func runCycles(_ count: Int32)

final class Present {
    var other: Present?
}

@main struct PlantedFault {
    static func main() {
        // A lock at the start and an object at byte 64, for the faults that need one.
        let context = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64)
        context.initializeMemory(as: UInt8.self, repeating: 0, count: 128)
        (context + 64).initializeMemory(as: Present.self, to: Present())
        _ = setProcessCallback(nil, process, context)
        runCycles(100)
    }
}

private func process(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
    fault(context!)
    return 0
}
