// Render thread: where a layer is added to.

import Synthesis

/// A gain over a block: one number, or one for each frame.
struct BlockGain: BitwiseCopyable {
    var constant: Float
    var values: UnsafeMutablePointer<Float>?

    @_noLocks @_noAllocation
    init(_ constant: Float, values: UnsafeMutablePointer<Float>? = nil) {
        self.constant = constant
        self.values = values
    }

    var isSilent: Bool {
        @_noLocks @_noAllocation get { values == nil && constant == 0 }
    }
}

/// The samples of an ear, and the gain at which a layer is added to them.
struct EarOutput: BitwiseCopyable {
    let samples: UnsafeMutablePointer<Float>
    var gain: BlockGain

    @_noLocks @_noAllocation
    init(_ samples: UnsafeMutablePointer<Float>, _ gain: BlockGain) {
        self.samples = samples
        self.gain = gain
    }
}

struct EarOutputs: BitwiseCopyable {
    var left: EarOutput
    var right: EarOutput

    @_noLocks @_noAllocation
    init(left: EarOutput, right: EarOutput) {
        self.left = left
        self.right = right
    }
}

extension LayerStretch {
    /// Both ears, with a gain and the layer's balance.
    @_noLocks @_noAllocation
    @inline(__always)
    func ears(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, gain: BlockGain, _ pieces: LayerPieces
    ) -> EarOutputs {
        EarOutputs(
            left: EarOutput(left, product(gain, pieces.panLeft, in: scratch.gainLeft)),
            right: EarOutput(right, product(gain, pieces.panRight, in: scratch.gainRight)))
    }

    /// Adds samples to an ear.
    @_noLocks @_noAllocation
    func add(_ source: UnsafePointer<Float>, to ear: EarOutput) {
        if let values = ear.gain.values {
            kernel.addProduct(to: ear.samples, count: count, source: source, gains: values)
        } else if ear.gain.constant != 0 {
            kernel.addProduct(to: ear.samples, count: count, source: source, gain: ear.gain.constant)
        }
    }

    /// Adds a share of samples to an ear, with `scratch.share` as scratch space.
    @_noLocks @_noAllocation
    @inline(__always)
    func add(_ source: UnsafePointer<Float>, to ear: EarOutput, share: UnsafePointer<ValuePiece>) {
        add(source, to: EarOutput(ear.samples, product(ear.gain, share, in: scratch.share)))
    }
}
