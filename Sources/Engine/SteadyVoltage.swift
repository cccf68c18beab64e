// Render thread: a layer that puts out a steady voltage is found and muted.
//
// The mean of the output is watched over windows of a second. Four in a row that are alike, and not nothing, start a search: for one
// more window the share of each layer of the current playhead is measured, and those that have a mean of their own are faded out.
// They stay silent until the next start or seek. Nothing of this changes a sample before a layer is muted.
//
// Of a wave that goes hardly faster than once a window something is left over too, and much the same again and again; but the eighths of such a
// window are large. So a voltage is not looked for where waves of 1 to 4 Hz are several times as large as it is.

import Synthesis

struct SteadyVoltage: BitwiseCopyable {
    /// A mean above this (-40 dBFS) is a voltage; in the search, half of it. A window is cut at the end of a block, and of a hum of 1 Hz
    /// this leaves a mean of a hundredth at most.
    static var threshold: Double {
        @_noLocks @_noAllocation get { 1e-2 }
    }

    /// Windows like the one before that make it a steady one: with fewer, a wave slower than a second could be mistaken for it.
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
    /// Which playhead is being searched; 0: none.
    var searched: UInt64 = 0

    init(windowFrames: Int, layerSums: UnsafeMutablePointer<Double>, layerCapacity: Int) {
        self.windowFrames = windowFrames
        self.layerSums = layerSums
        self.layerCapacity = layerCapacity
        framesLeft = windowFrames
    }

    /// Parts of a window that are added up by themselves.
    static var partCount: Int {
        @_noLocks @_noAllocation get { 8 }
    }

    /// Sums of the output up to the start of the part of the window, and the magnitudes of the parts before it.
    private var partStart = SIMD2<Double>()
    private var partMagnitudes = SIMD2<Double>()
    private var part = 0

    /// Takes note of the output's sums so far; true at the end of a window.
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

    /// Whether the sum of a window, in the left channel or in the right, is more than what waves leave over; begins another one.
    @_noLocks @_noAllocation
    mutating func endParts(_ sum: SIMD2<Double>) -> (left: Bool, right: Bool) {
        defer {
            partMagnitudes = SIMD2()
            part = 0
        }
        return (4 * abs(sum.x) > partMagnitudes.x, 4 * abs(sum.y) > partMagnitudes.y)
    }

    /// As if nothing had been put out.
    mutating func restart() {
        self = SteadyVoltage(windowFrames: windowFrames, layerSums: layerSums, layerCapacity: layerCapacity)
    }
}

/// Counts `count` frames that have been put out; at the end of a window, looks at it.
@_noLocks @_noAllocation
func watchVoltage(_ state: UnsafeMutablePointer<RenderState>, count: Int) {
    let sumLeft = state.pointee.measures.pointee.sum
    let sumRight = (state.pointee.measures + 1).pointee.sum
    guard state.pointee.voltage.add(SIMD2(sumLeft, sumRight), count: count) else { return }
    let frames = Double(state.pointee.voltage.windowFrames - state.pointee.voltage.framesLeft)
    let left = (sumLeft - state.pointee.voltage.startLeft) / frames
    let right = (sumRight - state.pointee.voltage.startRight) / frames
    let isMore = state.pointee.voltage.endParts(SIMD2(left, right) * frames)
    let isAlikeNow =
        isMore.left && isAlike(left, state.pointee.voltage.meanLeft) || isMore.right && isAlike(right, state.pointee.voltage.meanRight)
    state.pointee.voltage.alike = isAlikeNow ? state.pointee.voltage.alike + 1 : 0
    if state.pointee.voltage.searched != 0 {
        muteSteadyLayers(state, frames: frames)
        state.pointee.voltage.searched = 0
        state.pointee.voltage.alike = 0
    } else if state.pointee.voltage.alike >= SteadyVoltage.alikeCount, state.pointee.current >= 0 {
        for index in 0..<2 * state.pointee.voltage.layerCapacity { state.pointee.voltage.layerSums[index] = 0 }
        state.pointee.voltage.searched = (state.pointee.playheads + state.pointee.current).pointee.serial
    }
    state.pointee.voltage.meanLeft = left
    state.pointee.voltage.meanRight = right
    state.pointee.voltage.startLeft = sumLeft
    state.pointee.voltage.startRight = sumRight
    state.pointee.voltage.framesLeft = state.pointee.voltage.windowFrames
}

/// Whether both are a voltage and the same one, within a quarter.
@_noLocks @_noAllocation
private func isAlike(_ a: Double, _ b: Double) -> Bool {
    abs(a) > SteadyVoltage.threshold && abs(b) > SteadyVoltage.threshold && abs(a - b) < 0.25 * abs(a)
}

/// Fades out those layers of the playhead searched that have a mean.
@_noLocks @_noAllocation
private func muteSteadyLayers(_ state: UnsafeMutablePointer<RenderState>, frames: Double) {
    guard state.pointee.current >= 0 else { return }
    let playhead = state.pointee.playheads + state.pointee.current
    guard playhead.pointee.serial == state.pointee.voltage.searched, let sound = playhead.pointee.sound else { return }
    playhead.pointee.muted.settle()
    var found = false
    for layer in 0..<min(sound.plan.pointee.layerCount, state.pointee.voltage.layerCapacity) {
        let left = abs(state.pointee.voltage.layerSums[2 * layer]) / frames
        let right = abs(state.pointee.voltage.layerSums[2 * layer + 1]) / frames
        guard max(left, right) > SteadyVoltage.threshold / 2 else { continue }
        playhead.pointee.muted.fade(layer)
        state.pointee.guardActions.pointee.dc &+= 1
        found = true
    }
    if found {
        playhead.pointee.muted.fade = Fade(
            shape: .smooth, isOut: true, start: state.pointee.engineFrame, frames: Int64(state.pointee.voltage.windowFrames / 50))
    }
}

/// Which layers of a playhead have been muted: a bit for each.
struct MutedLayers: BitwiseCopyable {
    private var silent: InlineArray<16, UInt64> = .init(repeating: 0)
    private var fading: InlineArray<16, UInt64> = .init(repeating: 0)
    var isEmpty = true
    /// Of those that are fading.
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

    /// What was fading has faded out.
    @_noLocks @_noAllocation
    mutating func settle() {
        for index in 0..<16 {
            silent[index] |= fading[index]
            fading[index] = 0
        }
    }
}
