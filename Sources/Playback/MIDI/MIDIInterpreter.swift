import Patches

/// Converts MIDI messages to commands. Under dense traffic only the latest value of each control is kept.
///
/// It has no clock: each message has the moment at which it arrived, and the resulting request has the same one.
package struct MIDIInterpreter {
    /// A request, returned with the moment of the message that caused it.
    package enum Request: Equatable, Sendable {
        case command(Command)
        /// A controller has moved to a value of 0...127.
        case controller(Int, value: Int, channel: Int)
    }

    private enum Waiting {
        case commands([Command])
        /// Tunes the carrier of the selected layer to the held note and the current pitch bend.
        case carrier
        case controller(Int, value: Int, channel: Int)
    }

    /// A control whose waiting requests replace each other.
    private enum Target: Hashable {
        case carrier
        case controller(Int, channel: Int)
    }

    private var waiting: [(target: Target?, request: Waiting, moment: Moment)] = []
    /// Keys that are down, in the order in which they were pressed.
    private var keys: [Int] = []
    /// The note that was played last, with its item and layer: the pitch wheel affects nothing else.
    private var played: (note: Int, item: Int, layer: Int)?
    /// Pitch bend in semitones.
    private var bend = 0.0

    /// Semitones that the wheel bends to either side, as in General MIDI.
    package static let bendRange = 2.0
    /// Maximum number of waiting requests; nobody plays that many by hand.
    private static let capacity = 64

    package init() {}

    package var isIdle: Bool { waiting.isEmpty }

    /// Handles one message.
    package mutating func take(_ message: MIDIMessage, at moment: Moment, _ state: PlayerState) {
        switch message {
        case .noteOn(let note, _, _):
            keys.removeAll { $0 == note }
            keys.append(note)
            play(note, at: moment, state)
        case .noteOff(let note, _):
            let wasHeard = keys.last == note
            keys.removeAll { $0 == note }
            // A key that is still down sounds again; otherwise the last note stays.
            if wasHeard, let last = keys.last { play(last, at: moment, state) }
        case .pitchBend(let value, _):
            bend = Double(value) / (value < 0 ? 8192 : 8191) * Self.bendRange
            if played != nil { wait(for: .carrier, target: .carrier, at: moment) }
        case .controlChange(let controller, let value, let channel):
            wait(
                for: .controller(controller, value: value, channel: channel), target: .controller(controller, channel: channel), at: moment)
        case .programChange(let program, _): wait(for: .commands([.selectItem(program)]), at: moment)
        case .songSelect(let number):
            guard let chapters = state.patch?.chapters, chapters.indices.contains(number) else { return }
            wait(for: .commands([.changePosition(to: chapters[number].start)]), at: moment)
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

    /// Removes and returns up to `limit` requests in the order of their moments; the rest remain for the next call.
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

    /// The carrier command, or `nil` if another layer is selected by now, it has no carrier, or the item has keys, which the notes then
    /// play.
    private func carrier(_ state: PlayerState) -> Command? {
        guard let played, let patch = state.patch, state.current?.id == played.item, state.selectedLayer == played.layer,
            !patch.layers.contains(where: { $0.kind == .keys }), patch.layers.indices.contains(played.layer),
            patch.layers[played.layer].kind.description(of: .carrier) != nil
        else { return nil }
        let frequency = state.tuning.frequency(ofNote: Double(played.note) + bend)
        return .set(Setting(layer: played.layer, parameter: .carrier, value: frequency), ramp: nil)
    }
}

extension MIDIMessage.MachineControl {
    fileprivate var commands: [Command] {
        // Stop and play end a fast-forward or rewind.
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
