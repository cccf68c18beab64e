import Patches

/// What undo and redo go through: the live edits of queue items, step by step. It never touches the play state.
package struct EditHistory: Equatable, Sendable {
    /// What a step changes.
    struct Edits: Equatable, Sendable {
        var edits: [LiveEdit]
        var mutedLayers: Set<Int>
        var waves: [Int: Waveform]

        init(_ item: QueueItem) {
            edits = item.edits
            mutedLayers = item.mutedLayers
            waves = item.waves
        }
    }

    struct Step: Equatable, Sendable {
        var reference: String
        var before: Edits
        var after: Edits
        /// What was moved, and by whom; a stream of moves of one fader is one step.
        var subject: Subject
        var moment: Moment
    }

    enum Subject: Equatable, Sendable {
        case parameter(layer: Int, Parameter, sender: String?)
        case other
    }

    private(set) var undone: [Step] = []
    private(set) var done: [Step] = []

    /// Steps that are kept.
    private static let limit = 200
    /// Sets of one parameter closer than this are one step, in seconds.
    private static let joinWithin = 0.5

    package init() {}

    package var undoDepth: Int { done.count }
    package var redoDepth: Int { undone.count }

    mutating func add(_ step: Step, sampleRate: Int) {
        guard step.before != step.after else { return }
        undone = []
        if let last = done.last, step.subject != .other, last.subject == step.subject, last.reference == step.reference,
            step.moment.frame - last.moment.frame < Int64(Self.joinWithin * Double(sampleRate))
        {
            done[done.count - 1].after = step.after
            done[done.count - 1].moment = step.moment
        } else {
            done.append(step)
            if done.count > Self.limit { done.removeFirst() }
        }
    }

    mutating func undo() -> Step? {
        guard let step = done.popLast() else { return nil }
        undone.append(step)
        return step
    }

    mutating func redo() -> Step? {
        guard let step = undone.popLast() else { return nil }
        done.append(step)
        return step
    }
}
