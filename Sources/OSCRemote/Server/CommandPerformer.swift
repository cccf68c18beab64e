import Logging
import OSC
import Playback

/// The message that commands were made from.
struct SentCommand {
    let key: AddressTable.Key
    /// The address as it was sent, or the one that a pattern matched.
    let address: String
    /// The arguments as the address would answer them, had they been accepted unchanged.
    let asSent: [OSCArgument]
}

/// Passes commands to the receiver in the name of peers, answers them, and keeps account of what each peer holds.
final class CommandPerformer {
    private let state: CurrentState
    private let peers: PeerTable
    private let schedule: BundleSchedule
    private let admission: Admission
    private let answers: AnswerSender
    private let feedback: Feedback
    private let waiting: WaitingSenders
    private let logger: Logger

    init(
        state: CurrentState, peers: PeerTable, schedule: BundleSchedule, admission: Admission, answers: AnswerSender, feedback: Feedback,
        waiting: WaitingSenders, logger: Logger
    ) {
        self.state = state
        self.peers = peers
        self.schedule = schedule
        self.admission = admission
        self.answers = answers
        self.feedback = feedback
        self.waiting = waiting
        self.logger = logger
    }

    /// Performs the commands made from one message; session and file work waits for the end of the bundle.
    func perform(_ commands: [Command], for sent: SentCommand, _ context: PacketContext) throws(Refusal) {
        let commands = commands.map { $0.ramping(in: context.bundle?.rampGroup) }
        try refuseTouch(commands, of: context.peer)
        endLowerTouches(of: commands, by: context.peer)
        guard let bundle = context.bundle, commands.contains(where: \.runsOutsideBundles) else {
            return performTogether(commands, for: sent, context)
        }
        bundle.postpone { [self] in performTogether(commands, for: sent, context.within(nil)) }
    }

    private func performTogether(_ commands: [Command], for sent: SentCommand, _ context: PacketContext) {
        let results = Results(count: commands.count)
        guard commands.count == 1 else {
            state.receiver?.simultaneously { perform(commands, results, for: sent, context) }
            return
        }
        perform(commands, results, for: sent, context)
    }

    private func perform(_ commands: [Command], _ results: Results, for sent: SentCommand, _ context: PacketContext) {
        let (peer, address) = (context.peer, sent.address)
        let takesLong = commands.contains { $0.takesLong }
        let changesSession = commands.contains { $0.changesSession }
        if takesLong { answers.reportProgress(0, of: address, to: peer) }
        if changesSession { waiting.begin(context.source, at: state.now.seconds) }
        for command in commands {
            recordHold(command, by: peer)
            pass(command, from: peer.holds.sender) { [weak self] result in
                guard let self, let outcome = results.add(result) else { return }
                if changesSession { waiting.end(context.source) }
                feedback.process {
                    self.feedback.recordChange()
                    if takesLong { self.answers.reportProgress(1, of: address, to: peer) }
                    self.feedback.record(SentValue(sent.key, outcome.status == .success ? sent.asSent : nil, in: context))
                    self.reportPlace(outcome, to: peer)
                    self.answers.reply(to: peer, address, outcome)
                }
            }
        }
    }

    /// Reports the place of an item that was added or plays, to peers that want replies.
    private func reportPlace(_ outcome: CommandResult, to peer: Peer) {
        let items = state.snapshot.player.items
        guard outcome.status == .success, peer.replies >= 1, let place = outcome.place, items.indices.contains(place) else { return }
        answers.answer(peer, "queue/place", [.count(place + 1), .text(items[place].reference)])
    }

    /// Passes a command to the receiver. A panic, also by a shake, drops waiting bundles.
    func pass(_ command: Command, from sender: String, answer: @escaping (CommandResult) -> Void) {
        let isPanic = command == .panic || command == .shake && state.reading().shakeCommand == .panic
        feedback.recordChange()
        state.receiver?.perform(command, from: sender) { [weak self] result in
            if isPanic, result.status == .success, let self {
                for entry in schedule.removeAll() { feedback.finish(entry.messages, from: entry.peer) }
            }
            answer(result)
        }
    }

    /// Handles a phone's acceleration in g. Peers that may not send commands are ignored.
    func handleAcceleration(_ peer: Peer, x: Double, y: Double, z: Double, at seconds: Double) {
        guard peer.shakes.isShake(x: x, y: y, z: z, at: seconds), peer.role >= .control, state.reading().shakeCommand != nil else { return }
        pass(.shake, from: peer.holds.sender) { [logger] result in
            if result.status != .success { logger.info("OSC: shake failed: \(result.message)") }
        }
    }

    // MARK: Holds

    private func recordHold(_ command: Command, by peer: Peer) {
        if case .button = command { for other in peers.all { other.holds.loseButton() } }
        peer.holds.record(command)
    }

    /// Only peers with a lease may touch a control, since the end of the lease releases it.
    private func refuseTouch(_ commands: [Command], of peer: Peer) throws(Refusal) {
        let touches = commands.contains {
            switch $0 {
            case .touch(_, true), .touchTogether(_, true): true
            default: false
            }
        }
        if touches, !peers.isKept(peer) { throw Refusal(.queueFull, "There are already \(PeerTable.maximumCount) peers: end one of them.") }
    }

    /// Ends the touches of faders that the commands move or touch by peers with a lower role, and, for this computer, by those elsewhere: a device
    /// does not lock out this computer.
    private func endLowerTouches(of commands: [Command], by peer: Peer) {
        let held = state.snapshot.player.held
        guard !held.isEmpty else { return }
        for fader in commands.flatMap(\.movedFaders) {
            guard let holder = held[fader]?.holder else { continue }
            guard let other = peers.all.first(where: { $0.holds.sender == holder }) else { continue }
            guard other.role < peer.role || admission.isOnThisMachine(peer) && !admission.isOnThisMachine(other) else { continue }
            other.holds.record(.touch(fader, false))
            pass(.touch(fader, false), from: holder) { _ in }
        }
    }

    /// Releases everything that a peer holds, since it is gone.
    func endHolds(of peer: Peer) {
        for command in peer.holds.end() { pass(command, from: peer.holds.sender) { _ in } }
    }

    /// Transfers holds and waiting bundles when a peer gets its answers at another address.
    func moveHolds(of peer: Peer, to other: Peer) {
        schedule.transfer(from: peer, to: other)
        guard !peer.holds.isEmpty else { return }
        // The player knows the holds of the two under different names, so they cannot be merged.
        guard other.holds.isEmpty else { return endHolds(of: peer) }
        other.holds = peer.holds
        peer.holds = Holds(sender: peer.holds.sender)
    }

    /// Collects the results of the commands made from one message.
    private final class Results {
        private var missing: Int
        private var failure: CommandResult?

        init(count: Int) { missing = count }

        /// - Returns: The first failure, else the last success, once all results are in.
        func add(_ result: CommandResult) -> CommandResult? {
            missing -= 1
            if result.status != .success, failure == nil { failure = result }
            return missing == 0 ? failure ?? result : nil
        }
    }
}

extension Command {
    /// The faders that the command moves or touches.
    fileprivate var movedFaders: [Fader] {
        switch self {
        case .setMasterGain: [.masterGain]
        case .tune: [.a4]
        case .set(let setting, _): [.parameter(setting.parameter, layer: setting.layer)]
        case .setTogether(let settings): settings.map { .parameter($0.parameter, layer: $0.layer) }
        case .touch(let fader, true): [fader]
        case .touchTogether(let faders, true): faders
        default: []
        }
    }

    /// Whether the command is session or file work, a search for a server, or the end of the program, which wait for the end of the bundle.
    fileprivate var runsOutsideBundles: Bool {
        switch self {
        case .application(.setPreference): false
        case .application: true
        default: takesLong
        }
    }

    /// Whether what the sender sends next is meant for another session, or for a queue that has the item.
    fileprivate var changesSession: Bool {
        switch self {
        case .addFile, .openItem, .openFile, .application(.loadSession), .application(.saveSession(.some)): true
        default: false
        }
    }

    /// Whether the sender gets progress reports.
    fileprivate var takesLong: Bool {
        switch self {
        case .addItem, .addFile, .openItem, .openFile, .relinkItem, .savePatch, .application(.loadSession), .application(.saveSession):
            true
        default: false
        }
    }

    /// The command with its ramp, if it has one, assigned to a group.
    fileprivate func ramping(in group: RampGroup?) -> Command {
        guard let group else { return self }
        switch self {
        case .set(let setting, var ramp?):
            ramp.group = group
            return .set(setting, ramp: ramp)
        case .setMasterGain(let gain, var ramp?):
            ramp.group = group
            return .setMasterGain(gain, ramp: ramp)
        default: return self
        }
    }
}
