// Render thread: a layer that puts out a DC offset is found and muted.
//
// The mean of the output is measured over windows of a second. Four similar means in a row, other than 0, start a search: for one more
// window each layer of the current playhead is measured, and those that have a mean of their own are faded out. They stay silent until the
// next start or seek. No sample changes before a layer is muted.
//
// A wave of hardly more than one cycle per window leaves a mean too, and much the same one every time, but the eighths of its windows have
// large means. So a mean is ignored where waves of 1 to 4 Hz are several times as large.

import Synthesis

struct DCOffset: BitwiseCopyable {
    /// Means above this (-40 dBFS) count as a DC offset; in the search, above half of it. A window ends with a block, which leaves at
    /// most a hundredth of a hum of 1 Hz as its mean.
    static var threshold: Double {
        @_noLocks @_noAllocation get { 1e-2 }
    }

    /// Windows in a row that have to be like the one before: with fewer, a wave slower than a second could be mistaken for a steady
    /// offset.
    static var alikeCount: Int {
        @_noLocks @_noAllocation get { 3 }
    }

    /// Frames in a window: one second.
    let windowFrames: Int
    /// Sums of the samples of each layer of the current playhead during a search: left, right, left, right.
    let layerSums: UnsafeMutablePointer<Double>
    let layerCapacity: Int
    var framesLeft: Int
    /// Sums of the output up to the start of the window.
    var startLeft = 0.0
    var startRight = 0.0
    /// Means of the window before; 0 at the start.
    var meanLeft = 0.0
    var meanRight = 0.0
    /// Windows in a row that were like the one before.
    var alike = 0
    /// Serial of the playhead that is being searched; 0 for none.
    var searched: UInt64 = 0

    init(windowFrames: Int, layerSums: UnsafeMutablePointer<Double>, layerCapacity: Int) {
        self.windowFrames = windowFrames
        self.layerSums = layerSums
        self.layerCapacity = layerCapacity
        framesLeft = windowFrames
    }

    /// Parts of a window that are summed separately.
    static var partCount: Int {
        @_noLocks @_noAllocation get { 8 }
    }

    /// Sums of the output up to the start of the current part, and the magnitudes of the parts before it.
    private var partStart = SIMD2<Double>()
    private var partMagnitudes = SIMD2<Double>()
    private var part = 0

    /// Records the output's sums so far; returns true at the end of a window.
    @_noLocks @_noAllocation
    mutating func add(_ sums: SIMD2<Double>, count: Int) -> Bool {
        framesLeft -= count
        let now = (windowFrames - framesLeft) * Self.partCount / windowFrames
        if now != part {
            let change = sums - partStart
            partMagnitudes += SIMD2(abs(change.x), abs(change.y))
            partStart = sums
            part = now
        }
        return framesLeft <= 0
    }

    /// Whether the sum of a window, in the left and in the right channel, exceeds what waves leave over; begins the next window.
    @_noLocks @_noAllocation
    mutating func endParts(_ sum: SIMD2<Double>) -> (left: Bool, right: Bool) {
        defer {
            partMagnitudes = SIMD2()
            part = 0
        }
        return (4 * abs(sum.x) > partMagnitudes.x, 4 * abs(sum.y) > partMagnitudes.y)
    }

    /// Resets the measurement.
    mutating func restart() {
        self = DCOffset(windowFrames: windowFrames, layerSums: layerSums, layerCapacity: layerCapacity)
    }
}

/// Counts `count` frames of output, and evaluates the window at its end.
@_noLocks @_noAllocation
func watchVoltage(_ state: UnsafeMutablePointer<RenderState>, count: Int) {
    let sumLeft = state.pointee.measures.pointee.sum
    let sumRight = (state.pointee.measures + 1).pointee.sum
    guard state.pointee.dcOffset.add(SIMD2(sumLeft, sumRight), count: count) else { return }
    let frames = Double(state.pointee.dcOffset.windowFrames - state.pointee.dcOffset.framesLeft)
    let left = (sumLeft - state.pointee.dcOffset.startLeft) / frames
    let right = (sumRight - state.pointee.dcOffset.startRight) / frames
    let isMore = state.pointee.dcOffset.endParts(SIMD2(left, right) * frames)
    let isAlikeNow =
        isMore.left && isAlike(left, state.pointee.dcOffset.meanLeft) || isMore.right && isAlike(right, state.pointee.dcOffset.meanRight)
    state.pointee.dcOffset.alike = isAlikeNow ? state.pointee.dcOffset.alike + 1 : 0
    if state.pointee.dcOffset.searched != 0 {
        muteSteadyLayers(state, frames: frames)
        state.pointee.dcOffset.searched = 0
        state.pointee.dcOffset.alike = 0
    } else if state.pointee.dcOffset.alike >= DCOffset.alikeCount, state.pointee.current >= 0 {
        for index in 0..<2 * state.pointee.dcOffset.layerCapacity { state.pointee.dcOffset.layerSums[index] = 0 }
        state.pointee.dcOffset.searched = (state.pointee.playheads + state.pointee.current).pointee.serial
    }
    state.pointee.dcOffset.meanLeft = left
    state.pointee.dcOffset.meanRight = right
    state.pointee.dcOffset.startLeft = sumLeft
    state.pointee.dcOffset.startRight = sumRight
    state.pointee.dcOffset.framesLeft = state.pointee.dcOffset.windowFrames
}

/// Whether both are DC offsets and differ by less than a quarter.
@_noLocks @_noAllocation
private func isAlike(_ a: Double, _ b: Double) -> Bool {
    abs(a) > DCOffset.threshold && abs(b) > DCOffset.threshold && abs(a - b) < 0.25 * abs(a)
}

/// Fades out the layers of the searched playhead that have a mean.
@_noLocks @_noAllocation
private func muteSteadyLayers(_ state: UnsafeMutablePointer<RenderState>, frames: Double) {
    guard state.pointee.current >= 0 else { return }
    let playhead = state.pointee.playheads + state.pointee.current
    guard playhead.pointee.serial == state.pointee.dcOffset.searched, let playable = playhead.pointee.playable else { return }
    playhead.pointee.muted.settle()
    var found = false
    for layer in 0..<min(playable.plan.pointee.layerCount, state.pointee.dcOffset.layerCapacity) {
        let left = abs(state.pointee.dcOffset.layerSums[2 * layer]) / frames
        let right = abs(state.pointee.dcOffset.layerSums[2 * layer + 1]) / frames
        guard max(left, right) > DCOffset.threshold / 2 else { continue }
        playhead.pointee.muted.fade(layer)
        state.pointee.guardActions.pointee.dc &+= 1
        found = true
    }
    if found {
        playhead.pointee.muted.fade = Fade(
            shape: .smooth, isOut: true, start: state.pointee.engineFrame.number, frames: Int64(state.pointee.dcOffset.windowFrames / 50))
    }
}

/// The layers of a playhead that have been muted, as one bit each.
struct MutedLayers: BitwiseCopyable {
    private var silent: InlineArray<16, UInt64> = .init(repeating: 0)
    private var fading: InlineArray<16, UInt64> = .init(repeating: 0)
    var isEmpty = true
    /// The fade of the layers that are fading.
    var fade = Fade(shape: .smooth, isOut: true, start: 0, frames: 1)

    @_noLocks @_noAllocation
    init() {}

    @_noLocks @_noAllocation
    func isSilent(_ layer: Int) -> Bool { silent[layer &>> 6] &>> UInt64(layer & 63) & 1 == 1 }

    @_noLocks @_noAllocation
    func isFading(_ layer: Int) -> Bool { fading[layer &>> 6] &>> UInt64(layer & 63) & 1 == 1 }

    @_noLocks @_noAllocation
    mutating func fade(_ layer: Int) {
        fading[layer &>> 6] |= 1 &<< UInt64(layer & 63)
        isEmpty = false
    }

    /// Marks the layers that were fading as silent.
    @_noLocks @_noAllocation
    mutating func settle() {
        for index in 0..<16 {
            silent[index] |= fading[index]
            fading[index] = 0
        }
    }
}
