import OSC
import Playback

/// Finds the row of each message of a packet, and turns it into an answer or commands.
final class Dispatcher {
    let table: AddressTable
    let state: CurrentState
    let peers: PeerTable
    let schedule: BundleSchedule
    let admission: Admission
    let answers: AnswerSender
    let feedback: Feedback
    let commands: CommandPerformer
    let subscriptions: Subscriptions
    /// If false, every bundle takes effect immediately.
    let honoursTimeTags: Bool
    private var bundleNumber = 0

    init(
        table: AddressTable, state: CurrentState, peers: PeerTable, schedule: BundleSchedule, admission: Admission, answers: AnswerSender,
        feedback: Feedback, commands: CommandPerformer, subscriptions: Subscriptions, honoursTimeTags: Bool
    ) {
        self.table = table
        self.state = state
        self.peers = peers
        self.schedule = schedule
        self.admission = admission
        self.answers = answers
        self.feedback = feedback
        self.commands = commands
        self.subscriptions = subscriptions
        self.honoursTimeTags = honoursTimeTags
    }

    /// The outcome of a message.
    enum Outcome {
        case handled
        /// It was an answer of another server, or of this one because of a wrong port: answering it could loop forever.
        case ignored
    }

    /// - Returns: The number of messages that were ignored as answers of another server.
    func apply(_ packet: OSCPacket, _ context: PacketContext) -> Int {
        switch packet {
        case .message(let message): handle(message, context) == .ignored ? 1 : 0
        case .bundle(let bundle): apply(bundle, context)
        }
    }

    func handle(_ message: OSCMessage, _ context: PacketContext) -> Outcome {
        guard admission.isWithinRate(context.peer, at: context.now.seconds) || message.address == "\(OSCAddress.root)/panic" else {
            answers.reply(to: context.peer, message.address, Refusal(.rateLimited, "More than 500 messages a second: send fewer."))
            return .handled
        }
        let address: String
        switch message.address {
        // Phones send these on their own, regardless of the root.
        case "/accxyz", "/ping": address = OSCAddress.root + message.address
        case let answer where AddressTable.answers.contains(answer): return .ignored
        case "\(OSCAddress.root)/clock" where message.typeTags == "ttt": return .ignored
        case "\(OSCAddress.root)/describe" where message.typeTags == "sssffss": return .ignored
        default: address = message.address
        }
        do throws(Refusal) {
            guard AddressPattern.hasWildcards(address) else {
                if let key = try table.key(address, in: state.snapshot.player) {
                    return respond(to: key, as: address, message.arguments, context)
                }
                try answerNode(address, message.arguments, context)
                return .handled
            }
            var keys: [AddressTable.Key] = []
            try admission.charge(forPatternOf: context.peer, at: context.now.seconds) { () throws(Refusal) in
                keys = try self.keys(matching: address, isQuestion: message.arguments.isEmpty)
                return keys.count
            }
            respond(to: keys.map { ($0, table.address($0)) }, message.arguments, context)
        } catch {
            answers.reply(to: context.peer, address, error)
        }
        return .handled
    }

    /// Answers a message to an address without a row: with the values below it, if other addresses begin with it.
    private func answerNode(_ address: String, _ arguments: [OSCArgument], _ context: PacketContext) throws(Refusal) {
        guard let members = try table.keys(below: address, in: state.snapshot.player) else {
            return answers.reply(to: context.peer, address) {
                let near = AddressSuggestion(rows: table.rows).address(near: OSCAddress.belowRoot(address))
                let remedy = near.map { "did you mean \($0)?" } ?? "\(OSCAddress.root)/describe lists all addresses."
                return Refusal(.unknownAddress, "There is no such address: \(remedy)")
            }
        }
        guard arguments.isEmpty else {
            throw Refusal(.unknownAddress, "This address can only be read: what can be set is below it, as describe lists it.")
        }
        respond(to: members, [], context)
    }

    private func respond(to members: [(key: AddressTable.Key, address: String)], _ arguments: [OSCArgument], _ context: PacketContext) {
        func respondToAll() {
            for member in members { _ = respond(to: member.key, as: member.address, arguments, context) }
        }
        if members.count == 1 { respondToAll() } else { state.receiver?.simultaneously { respondToAll() } }
    }

    /// - Parameter isQuestion: The message has no arguments. A pattern then matches only what can be read, so that reading all of a layer
    ///   presses none of its buttons.
    private func keys(matching address: String, isQuestion: Bool) throws(Refusal) -> [AddressTable.Key] {
        let pattern: AddressPattern
        do throws(AddressPattern.Fault) {
            pattern = try AddressPattern(address)
        } catch {
            throw Refusal(.badArguments, "The address pattern is malformed: \(error).")
        }
        let reached = table.keys(matching: pattern, in: state.snapshot.player, isUnlimited: isQuestion)
        let keys = isQuestion ? reached.filter { table.row($0).read != nil } : reached
        if keys.isEmpty {
            if !reached.isEmpty {
                throw Refusal(.badArguments, "A pattern without arguments only reads, but this one matches only commands: send 1 to press.")
            }
            throw Refusal(.unknownAddress, "The pattern matches nothing: patterns match only properties and layers.")
        }
        guard keys.count <= AddressTable.maximumTargetCount else {
            throw Refusal(.badArguments, "The pattern matches more than \(AddressTable.maximumTargetCount) addresses: narrow it.")
        }
        return keys
    }

    /// - Parameter address: The address of the answers: the one that was sent, in which a layer may have been named.
    private func respond(to key: AddressTable.Key, as address: String, _ arguments: [OSCArgument], _ context: PacketContext) -> Outcome {
        let (row, peer) = (table.row(key), context.peer)
        // A read-only address takes no arguments: these are another server's answer.
        if row.action == nil, row.isAnswer(arguments) { return .ignored }
        do throws(Refusal) {
            if row.action == nil, !arguments.isEmpty { throw row.surplus(arguments.count) }
            guard let action = row.action, !arguments.isEmpty || row.read == nil else {
                try get(key, as: address, for: peer)
                return .handled
            }
            try admission.admit(peer, to: row)
            guard let (request, asSent) = try self.request(key, arguments, from: peer) else { return .handled }
            switch action {
            case .exchange(let exchange):
                try carryOut(exchange, request, context)
                if row.read != nil { answers.reply(to: peer, address, CommandResult(.success, by: "server")) }
            case .commands(let make):
                try commands.perform(make(request), for: SentCommand(key: key, address: address, asSent: asSent), context)
            }
        } catch {
            // A control that shows a refused value has to be reset.
            if !peer.subscriptions.isEmpty, !arguments.isEmpty { feedback.record(SentValue(key, nil, in: context)) }
            answers.reply(to: peer, address, error)
        }
        return .handled
    }

    private func get(_ key: AddressTable.Key, as address: String, for peer: Peer) throws(Refusal) {
        let reading = state.reading(for: peer)
        guard table.row(key).group == .now else {
            guard let value = try table.read(key, reading) else { return }
            return answers.send(OSCMessage(address, value).encoded, to: peer)
        }
        // The value is read at the present moment, which is the answer's time tag.
        guard var value = try table.read(key, reading.atPresent) else { return }
        if !admission.isOnThisMachine(peer) { value = table.row(key).valueForOthers(value) }
        let tag = TimeTag(reading.snapshot.clock, reading.snapshot.moment)
        answers.send(OSCBundle(timeTag: tag, messages: [OSCMessage(address, value)]).encoded, to: peer)
    }

    /// The arguments as the row requires them; `nil` for the release of a button.
    func request(_ key: AddressTable.Key, _ arguments: [OSCArgument], from peer: Peer?) throws(Refusal) -> (OSCRequest, [OSCArgument])? {
        let row = table.row(key)
        guard arguments.count <= row.inputs.count else { throw row.surplus(arguments.count) }
        var values: [Value?] = []
        var asSent: [OSCArgument] = []
        for (index, input) in row.inputs.enumerated() {
            guard index < arguments.count else {
                guard input.isOptional else { throw Refusal(.badArguments, "An argument is missing: \(input.name).") }
                values.append(nil)
                continue
            }
            let (value, sent) = try input.value(of: arguments[index])
            if value == .released { return nil }
            values.append(value)
            asSent.append(sent)
        }
        var reading = state.reading(for: peer)
        reading.isForThisMachine = peer.map(admission.isOnThisMachine) ?? false
        reading.layerIndex = key.layer?.index(in: reading.player)
        return (OSCRequest(reading: reading, values: values), asSent)
    }

    /// The group of a bundle's ramps; `nil` unless a valid `ramp/id` is among the messages.
    func newRampGroup(_ messages: [OSCMessage]) -> RampGroup? {
        guard let id = RampGroup.id(in: messages) else { return nil }
        bundleNumber += 1
        return RampGroup(id: id, bundle: bundleNumber)
    }
}
