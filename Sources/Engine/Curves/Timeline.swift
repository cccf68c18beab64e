import Patches

/// A move of a parameter to a new value, by a chapter or a live edit.
struct Move: Equatable, Sendable {
    /// The plan frame at which it begins.
    var start: Int64
    /// The length in frames.
    var frames: Int64
    /// The easing; `nil` continues value, slope and curvature, and settles smoothly.
    var easing: Easing?
    var target: Double
}

/// The course of one parameter in its own unit over the frames of a plan.
struct Timeline: Equatable, Sendable {
    /// Movements in order of their start.
    private(set) var movements: [Movement]
    /// A move with an easing is led in and out over this many frames, so that it begins and ends without a kink. It is also the
    /// shortest time that a move may take.
    let leadFrames: Int64
    /// Easings and moves that take over others may leave a parameter's range; moves that take over from them begin within these bounds.
    let bounds: ClosedRange<Double>
    /// Whether easings move the ratio of a frequency.
    let movesRatio: Bool

    init(value: Double, leadFrames: Int64, bounds: ClosedRange<Double>, movesRatio: Bool = false) {
        self.bounds = bounds
        self.movesRatio = movesRatio
        movements = [Movement(start: 0, frames: 0, shape: .held(value))]
        self.leadFrames = leadFrames
    }

    func motion(at frame: Int64) -> Motion {
        movements[index(at: frame)].motion(at: Double(frame))
    }

    func movement(at frame: Int64) -> Movement { movements[index(at: frame)] }

    /// An upper bound of the magnitudes of its values, at most by half too large.
    var largest: Double { movements.reduce(0) { max($0, -$1.bounds.lowerBound, $1.bounds.upperBound) } }

    /// The value at which it settles.
    var end: Double { movements[movements.count - 1].motion(at: .infinity).value }

    /// The frame from which on it stays at ``end``.
    var restFrame: Int64 { movements[movements.count - 1].end }

    /// Index in `movements` of the movement at `frame`.
    private func index(at frame: Int64) -> Int {
        var low = 0
        var high = movements.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if movements[middle].start <= frame { low = middle } else { high = middle }
        }
        return low
    }

    /// Drops movements that end before `frame`.
    mutating func forget(before frame: Int64) {
        movements.removeFirst(index(at: frame))
    }

    /// Moves to another course from a frame on, over this many frames, with continuous value, slope and curvature.
    mutating func join(_ other: Timeline, at frame: Int64, over frames: Int64) {
        let (now, taken) = takeOver(at: frame, within: max(frames, leadFrames))
        let arrival = frame + taken
        while let last = movements.last, last.start >= frame { movements.removeLast() }
        movements.append(.joining(now, other.motion(at: arrival), start: frame, frames: arrival - frame))
        let index = other.index(at: arrival)
        movements.append(other.movements[index].suffix(from: arrival))
        movements += other.movements[(index + 1)...]
    }

    /// The motion that another course takes over at a frame, and in how many frames, at most `frames` and at least the lead.
    ///
    /// The slope of a short steep move must not be carried through a long one, where it would lead thousands of times as far. So it lasts
    /// no longer than it takes to divert the course by half the distance of its own move, or than that move lasts if it is smooth.
    private func takeOver(at frame: Int64, within frames: Int64) -> (now: Motion, frames: Int64) {
        let movement = movements[index(at: frame)]
        let now = movement.motion(at: Double(frame)).limited(to: bounds, over: leadFrames)
        let longest = now.frames(leading: movement.extent / 2)
        guard longest < Double(frames) else { return (now, frames) }
        return (now, min(max(Int64(longest), movement.smoothFrames, leadFrames), frames))
    }

    /// Adds a move and drops all movements from its start on.
    mutating func append(_ move: Move) {
        let frames = max(move.frames, leadFrames)
        let (now, taken) = takeOver(at: move.start, within: frames)
        while let last = movements.last, last.start >= move.start { movements.removeLast() }
        let rest = Motion(value: move.target)
        if let easing = move.easing, frames > 2 * leadFrames {
            let eased = Movement(
                start: move.start, frames: frames,
                shape: movesRatio
                    ? .gliding(Glissando(from: now.value, to: move.target), easing, offset: 0, total: frames)
                    : .eased(from: now.value, to: move.target, easing, offset: 0, total: frames))
            let leadOut = frames - leadFrames
            // A curve may be vertical just where the lead meets it.
            func met(_ frame: Int64) -> Motion {
                eased.motion(at: Double(move.start + frame)).limited(leading: abs(move.target - now.value), over: leadFrames)
            }
            movements.append(.joining(now, met(leadFrames), start: move.start, frames: leadFrames))
            let led = eased.suffix(from: move.start + leadFrames)
            movements.append(Movement(start: led.start, frames: leadOut - leadFrames, shape: led.shape))
            movements.append(.joining(met(leadOut), rest, start: move.start + leadOut, frames: leadFrames))
        } else if taken < frames {
            let calm = Movement.joining(Motion(value: now.value), rest, start: move.start, frames: frames)
            let joined = move.start + taken
            movements.append(.joining(now, calm.motion(at: Double(joined)), start: move.start, frames: taken))
            movements.append(calm.suffix(from: joined))
        } else {
            movements.append(.joining(now, rest, start: move.start, frames: frames))
        }
        movements.append(Movement(start: move.start + frames, frames: 0, shape: .held(move.target)))
    }
}
