// What crosses between control and render thread: plain values in rings.

import Synthesis

/// A request to the render thread.
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
    /// start: plan frame to begin at. replace, setMaster: last plan frame or engine frame at which the change may take over.
    var position: Int64 = 0
    /// start: engine frame of the plan's frame 0, from which the plan frame to begin at follows; `.max` for none.
    var origin = Int64.max
    /// Frames of the fade, or of the crossfade; 0 for none.
    var fadeFrames: Int64 = 0
    var fadeShape: Fade.Shape = .smooth
    /// start: at position 0, leave the fade in to the plan itself. stop: a panic, which cancels starts that wait for their frame.
    var flag = false
    /// replace: serial of the playhead that is meant.
    var playhead: UInt64 = 0
    /// setMaster: the new master gain.
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
    /// Returned to control when the plan is no longer used.
    var planToken: UInt
    /// `nil` in a replacement, which keeps the playhead's workspace.
    var workspace: Workspace?
    var workspaceToken: UInt
}

/// Memory that the render thread writes to while a playhead plays.
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

/// A report from the render thread.
struct Report: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable {
        /// A message was carried out.
        case landed
        /// A message was not carried out, because it came too late or was cancelled.
        case refused
        /// The next plan has begun; `serial` is that of its setNext.
        case advanced
        /// The current plan has ended, and none was next.
        case ended
        /// The object of `token` is no longer used.
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
