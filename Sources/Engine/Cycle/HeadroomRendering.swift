// Render thread: headroom for keys and crossfades, whose levels are known only while playing.

import Synthesis

/// The gain of a playhead's keys while more of them sound than there is room for under the ceiling; `nil` if there is room.
///
/// Each key's level is known before it is heard, since it rises with its attack. The keys are reduced in that time, and nothing clips.
@_noLocks @_noAllocation
func chordGain(
    _ keyboard: UnsafePointer<Keyboard>, in plan: UnsafePointer<PlanData>, count: Int, frame: EngineFrame, planFrame: PlanFrame,
    scratch: Scratch
) -> UnsafeMutablePointer<Float>? {
    let room = plan.pointee.chordRoom
    let end = planFrame.number + Int64(count)
    var limit = end
    let piece = room.piece(at: planFrame.number, limit: &limit)
    let isSteady = piece.pointee.isConstant && limit == end
    var sum: Float = 0
    for index in 0..<Keyboard.capacity where keyboard.pointee.notes[index].sounds { sum += keyboard.pointee.notes[index].level }
    // The sum over all parts is at least the sum of each.
    if sum == 0 || isSteady && chordGain(sum, room: piece.pointee.c0) == 1 { return nil }
    clear(scratch.chord, count: count)
    for part in 0..<plan.pointee.keysCount {
        clear(scratch.share, count: count)
        for index in 0..<Keyboard.capacity {
            let note = keyboard.pointee.notes + index
            guard note.pointee.sounds, note.pointee.part == part else { continue }
            fill(scratch.first, count: count, with: note.pointee.level)
            clear(scratch.second, count: count)
            note.pointee.shape(scratch.first, scratch.second, count: count, frame: frame)
            add(to: scratch.share, count: count, source: scratch.first)
        }
        for i in 0..<count { scratch.chord[i] = max(scratch.chord[i], scratch.share[i]) }
    }
    for i in 0..<count { scratch.chord[i] = chordGain(scratch.chord[i], room: room.value(at: planFrame.number + Int64(i))) }
    return scratch.chord
}

/// The gain of keys whose levels add up to `sum`, which keeps their sum within `room`. Both are counted in keys struck at full velocity.
///
/// Up to a sum of three quarters of `room`, or of one key if that is more but within `room`, the gain is 1. From there to as far beyond
/// `room`, the reduced sum rises along a curve without a kink, start + width * (t - t^3 + t^4/2) for t from 0 to 1, and then stays at `room`.
@_noLocks @_noAllocation
private func chordGain(_ sum: Float, room: Float) -> Float {
    let start = max(0.75 * room, min(room, 1))
    guard sum > start else { return 1 }
    let width = 2 * (room - start)
    guard sum < start + width else { return room / sum }
    let t = (sum - start) / width
    return (start + width * (t - t * t * t + t * t * t * t / 2)) / sum
}

/// The shape of a fade from the current sound to another: two that would exceed the ceiling at equal power get the smooth shape.
@_noLocks @_noAllocation
func fadeShape(_ shape: Fade.Shape, into playable: PlayablePlan, _ state: UnsafeMutablePointer<RenderState>) -> Fade.Shape {
    guard case .equalPower = shape, state.pointee.current >= 0,
        let current = (state.pointee.playheads + state.pointee.current).pointee.playable
    else { return shape }
    // The maximum of a sin(x) + b cos(x) is sqrt(a^2 + b^2).
    let (a, b) = (current.plan.pointee.level, playable.plan.pointee.level)
    return a * a + b * b > state.pointee.ceiling * state.pointee.ceiling * 1.000_01 ? .smooth : shape
}
