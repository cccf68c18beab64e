import Patches

/// What MIDI messages ask of the player. However many come, what is asked for stays little: of what moves something only the last one
/// counts.
///
/// It knows no clock: each message has the moment at which it came, and what follows from it is given back with that moment.
package struct MIDIInterpreter {
    /// Something to do, at the moment of the message that asks for it.
    package enum Request: Equatable, Sendable {
        case command(Command)
        /// A controller has come to a value of 0...127.
        case controller(Int, value: Int, channel: Int)
    }

    private enum Waiting {
        case commands([Command])
        /// The carrier of the selected layer goes to the note that is held, as bent as it is then.
        case carrier
        case controller(Int, value: Int, channel: Int)
    }

    /// What one message moves and another one moves again.
    private enum Target: Hashable {
        case carrier
        case controller(Int, channel: Int)
    }

    private var waiting: [(target: Target?, request: Waiting, moment: Moment)] = []
    /// Keys that are down, the last one at the end.
    private var keys: [Int] = []
    /// The note that was played last, and where: a wheel bends nothing else.
    private var played: (note: Int, item: Int, layer: Int)?
    /// Semitones.
    private var bend = 0.0

    /// Semitones that the wheel goes to either side, as General MIDI has it.
    package static let bendRange = 2.0
    /// Commands that may wait; more come of no hand.
    private static let capacity = 64

    package init() {}

    package var isIdle: Bool { waiting.isEmpty }

    /// Takes a message in.
    package mutating func take(_ message: MIDIMessage, at moment: Moment, _ state: PlayerState) {
        switch message {
        case .noteOn(let note, _, _):
            keys.removeAll { $0 == note }
            keys.append(note)
            play(note, at: moment, state)
        case .noteOff(let note, _):
            let wasHeard = keys.last == note
            keys.removeAll { $0 == note }
            // The key that is still down is heard again; the last one's note stays.
            if wasHeard, let last = keys.last { play(last, at: moment, state) }
        case .pitchBend(let value, _):
            bend = Double(value) / (value < 0 ? 8192 : 8191) * Self.bendRange
            if played != nil { wait(for: .carrier, target: .carrier, at: moment) }
        case .controlChange(let controller, let value, let channel):
            wait(
                for: .controller(controller, value: value, channel: channel), target: .controller(controller, channel: channel), at: moment)
        case .programChange(let program, _): wait(for: .commands([.selectItem(program)]), at: moment)
        case .start: wait(for: .commands([.changePosition(to: 0), .play]), at: moment)
        case .continue: wait(for: .commands([.play]), at: moment)
        case .stop: wait(for: .commands([.pause]), at: moment)
        case .machineControl(let control): wait(for: .commands(control.commands), at: moment)
        }
    }

    private mutating func play(_ note: Int, at moment: Moment, _ state: PlayerState) {
        guard let item = state.current else { return }
        played = (note, item.id, state.selectedLayer)
        wait(for: .carrier, target: .carrier, at: moment)
    }

    private mutating func wait(for request: Waiting, target: Target? = nil, at moment: Moment) {
        if let target {
            waiting.removeAll { $0.target == target }
        } else if waiting.count(where: { $0.target == nil }) >= Self.capacity {
            return
        }
        waiting.append((target, request, moment))
    }

    /// Gives back what is to be done, in the order of its moments: at most so much, the rest the next time.
    package mutating func next(_ limit: Int, _ state: PlayerState) -> [(requests: [Request], moment: Moment)] {
        let due = waiting.prefix(limit)
        waiting.removeFirst(due.count)
        return due.compactMap { _, request, moment in
            switch request {
            case .commands(let commands): (commands.map(Request.command), moment)
            case .carrier: carrier(state).map { ([.command($0)], moment) }
            case .controller(let controller, let value, let channel):
                ([.controller(controller, value: value, channel: channel)], moment)
            }
        }
    }

    /// `nil` when another layer is selected by now, it has no carrier, or the item has keys, which the notes are played on.
    private func carrier(_ state: PlayerState) -> Command? {
        guard let played, let patch = state.patch, state.current?.id == played.item, state.selectedLayer == played.layer,
            !patch.layers.contains(where: { $0.kind == .keys }), patch.layers.indices.contains(played.layer),
            patch.layers[played.layer].kind.description(of: .carrier) != nil
        else { return nil }
        let frequency = Tuning(a4: state.a4).frequency(ofNote: Double(played.note) + bend)
        return .set(Setting(layer: played.layer, parameter: .carrier, value: frequency), ramp: nil)
    }
}

extension MIDIMessage.MachineControl {
    fileprivate var commands: [Command] {
        // What was wound ends with the next order.
        let release: [Command] = [.seek(.forward, begins: false), .seek(.backward, begins: false)]
        return switch self {
        case .stop: release + [.stop]
        case .play: release + [.play]
        case .pause: release + [.pause]
        case .fastForward: [.seek(.backward, begins: false), .seek(.forward, begins: true)]
        case .rewind: [.seek(.forward, begins: false), .seek(.backward, begins: true)]
        case .locate(let seconds): release + [.changePosition(to: seconds)]
        }
    }
}
