// What crosses between control and render thread: plain values in rings.

import Synthesis

/// Something for the render thread to do.
struct Message: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: the pointers stay valid until their token comes back.
    enum Kind: UInt8, BitwiseCopyable {
        case start, stop, setNext, replace, setMaster
    }

    var kind: Kind
    var serial: UInt64
    /// Engine frame at which to do it; 0 is as soon as possible.
    var atFrame: Int64 = 0
    var sound: Sound?
    /// start: plan frame to begin at. replace: last plan frame at which the plan may come. setMaster: last engine frame at which it may.
    var position: Int64 = 0
    /// start: engine frame of the plan's frame 0, from which the plan frame to begin at follows; `.max` for none.
    var origin = Int64.max
    /// Frames of the fade, or of the crossfade; 0 for none.
    var fadeFrames: Int64 = 0
    var fadeShape: Fade.Shape = .smooth
    /// start: leave the fade in to the plan itself when it begins at 0. stop: a panic, nothing that waits for its frame begins.
    var flag = false
    /// replace: which playhead is meant.
    var playhead: UInt64 = 0
    /// setMaster.
    var master: Master?

    init(_ kind: Kind, serial: UInt64) {
        self.kind = kind
        self.serial = serial
    }
}

/// A plan on its way to a playhead, with what the playhead needs to play it.
struct Sound: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: as for `Message`.
    var plan: UnsafePointer<PlanData>
    /// What control gets back to know that the plan is not used any more.
    var planToken: UInt
    /// `nil` in a replacement, which goes on with the workspace that is there.
    var workspace: Workspace?
    var workspaceToken: UInt
}

/// What the render thread writes into while a playhead plays.
struct Workspace: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: as for `Message`; the render thread alone uses it.
    /// One for each layer.
    var cursors: UnsafeMutablePointer<LayerCursor>
    /// One for each layer of coloured noise.
    var noise: UnsafeMutablePointer<NoiseBlocks>
    /// One for each layer of coloured noise; used where it spins.
    var spins: UnsafeMutablePointer<SpinSource>
    /// One for each layer that is a file.
    var sounds: UnsafeMutablePointer<UnsafeMutablePointer<SoundStream>?>
    /// The engine's, which all its playheads share.
    var keyboard: UnsafeMutablePointer<Keyboard>
}

/// Master gain in engine frames.
struct Master: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: as for `Message`.
    var track: ValueTrack
    var token: UInt
}

/// Something that the render thread tells.
struct Report: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable {
        /// A message has been done.
        case landed
        /// It came too late and has not been done.
        case refused
        /// What was next has begun; `serial` is that of its setNext.
        case advanced
        /// The current plan came to its end and nothing was next.
        case ended
        /// `token` is not used any more.
        case retired
    }

    var kind: Kind
    var serial: UInt64 = 0
    var engineFrame: Int64 = 0
    /// Plan frame; -1 for none.
    var position: Int64 = -1
    var token: UInt = 0

    @_noLocks @_noAllocation
    init(_ kind: Kind, serial: UInt64 = 0, engineFrame: Int64 = 0, position: Int64 = -1, token: UInt = 0) {
        self.kind = kind
        self.serial = serial
        self.engineFrame = engineFrame
        self.position = position
        self.token = token
    }
}
