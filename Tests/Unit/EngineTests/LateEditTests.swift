import Dispatch
import Engine
import Foundation
import Patches
import Synchronization
import TestSupport
import Testing

/// Edits that come too late for their frame.
@Suite(.ownThread) struct LateEditTests {
    @Test("Edits are applied even if cycles follow each other without a pause, as under freewheel")
    func freewheel() {
        let engine = EngineControl(sampleRate: 48_000)
        let (handle, isOver) = (engine.handle, Flag())
        let hasEnded = DispatchSemaphore(value: 0)
        // A separate thread, since one of the tests' pool may start late.
        Thread.detachNewThread {
            // SAFETY: 64 frames each, freed after the last call.
            let left = UnsafeMutablePointer<Float>.allocate(capacity: 64)
            let right = UnsafeMutablePointer<Float>.allocate(capacity: 64)
            while !isOver.value {
                handle.render(left: left, right: right, frames: 64, hostTime: 0)
                // The least time that the server and its other clients take.
                usleep(5)
            }
            left.deallocate()
            right.deallocate()
            hasEnded.signal()
        }
        engine.start(PlanCompiler.compile(.single(.binaural), sampleRate: 48_000))
        for round in 0..<3 {
            var awaited: Set<UInt64> = [engine.setMaster(Double(-round))]
            // As many as a surface sends in a burst: repeating all of them after a miss takes longer than many cycles.
            for step in 0..<12 {
                let setting = Setting(layer: 0, parameter: .gain, value: Double(-20 - step % 7))
                if let serial = engine.edit([setting], ramp: 0.5, easing: .bounceOut) { awaited.insert(serial) }
            }
            // Without the growing lead it never ends.
            let isDone = eventually {
                for case .landed(let serial, _, _) in engine.poll() { awaited.remove(serial) }
                return awaited.isEmpty
            }
            #expect(isDone, "round \(round)")
            if !isDone { break }
        }
        isOver.raise()
        hasEnded.wait()
    }
}

private final class Flag: Sendable {
    private let raised = Atomic(false)
    var value: Bool { raised.load(ordering: .relaxed) }
    func raise() { raised.store(true, ordering: .relaxed) }
}
