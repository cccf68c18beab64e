import OSC
import Playback

/// Finds the row of each message of a packet, and turns it into an answer or commands.
extension RemoteServer {
    func apply(_ packet: Packet, from peer: Peer) {
        switch packet {
        case .message(let message): handle(message, from: peer)
        case .bundle(let bundle): apply(bundle, from: peer)
        }
    }

    func handle(_ message: Message, from peer: Peer) {
        guard isWithinRate(peer) || message.address == "\(AddressTable.root)/panic" else {
            return reply(to: peer, message.address, CommandResult(.rateLimited, "More than 500 messages a second: send fewer."))
        }
        let address: String
        switch message.address {
        // Phones send these on their own, regardless of the root.
        case "/accxyz", "/ping": address = AddressTable.root + message.address
        // An answer of another server, or of this one because of a wrong port: answering it could loop forever.
        case let answer where AddressTable.answers.contains(answer): return ignoredAnswers += 1
        case "\(AddressTable.root)/clock" where message.typeTags == "ttt": return ignoredAnswers += 1
        case "\(AddressTable.root)/describe" where message.typeTags == "sssffss": return ignoredAnswers += 1
        default: address = message.address
        }
        do throws(Refusal) {
            let keys = try keys(address, isQuestion: message.arguments.isEmpty)
            guard keys.count > 1 else { return respond(to: keys[0], message.arguments, from: peer) }
            receiver?.simultaneously { for key in keys { respond(to: key, message.arguments, from: peer) } }
        } catch {
            reply(to: peer, address, CommandResult(error.status, error.message))
        }
    }

    func isWithinRate(_ peer: Peer) -> Bool {
        guard !peer.endpoint.isLocal, let address = peer.endpoint.endpoint?.host else { return true }
        return gates.pass(address, at: now.seconds)
    }

    /// - Parameter isQuestion: The message has no arguments. A pattern then matches only what can be read, so that reading all of a layer
    ///   presses none of its buttons.
    private func keys(_ address: String, isQuestion: Bool) throws(Refusal) -> [AddressTable.Key] {
        guard AddressPattern.hasWildcards(address) else {
            if let key = table.key(address) { return [key] }
            throw Refusal(.unknownAddress, "There is no such address: \(AddressTable.root)/describe lists all addresses.")
        }
        let pattern: AddressPattern
        do throws(AddressPattern.Fault) {
            pattern = try AddressPattern(address)
        } catch {
            throw Refusal(.badArguments, "The address pattern is malformed: \(error).")
        }
        let reached = table.keys(matching: pattern, in: snapshot.player, isUnlimited: isQuestion)
        let keys = isQuestion ? reached.filter { table.row($0).read != nil } : reached
        if keys.isEmpty {
            if !reached.isEmpty {
                throw Refusal(
                    .badArguments, "A pattern without arguments only reads, but this one matches only commands: send 1 to press.")
            }
            throw Refusal(.unknownAddress, "The pattern matches nothing: patterns match only properties and layers.")
        }
        guard keys.count <= AddressTable.maximumTargetCount else {
            throw Refusal(.badArguments, "The pattern matches more than \(AddressTable.maximumTargetCount) addresses: narrow it.")
        }
        return keys
    }

    private func respond(to key: AddressTable.Key, _ arguments: [Argument], from peer: Peer) {
        let row = table.row(key)
        // A read-only address takes no arguments: these are another server's answer.
        if row.action == nil, row.isAnswer(arguments) { return ignoredAnswers += 1 }
        do throws(Refusal) {
            if row.action == nil, !arguments.isEmpty { throw row.surplus(arguments.count) }
            guard let action = row.action, !arguments.isEmpty || row.read == nil else { return try get(key, from: peer) }
            guard peer.role >= row.role else {
                let remedy = peer.endpoint.isLocal ? "--osc-local-role " : "--osc-allow CIDR="
                throw Refusal(.denied, "This needs the role \"\(row.role.rawValue)\": start binaural with \(remedy)\(row.role.rawValue).")
            }
            guard let (request, asSent) = try self.request(key, arguments, from: peer) else { return }
            switch action {
            case .exchange(let exchange):
                try carryOut(exchange, request, from: peer)
                if row.read != nil { reply(to: peer, table.address(key), CommandResult(.success, by: "server")) }
            case .commands(let make):
                let commands = try make(request).map { $0.ramping(in: rampGroup) }
                try refuseTouch(commands, of: peer)
                perform(commands, for: key, asSent, from: peer)
            }
        } catch {
            if !peer.subscriptions.isEmpty, !arguments.isEmpty {
                // A control that shows a refused value has to be reset.
                sentValues.append(SentValue(key: key, source: source, peer: peer, asSent: nil))
                hasNews = true
            }
            reply(to: peer, table.address(key), CommandResult(error.status, error.message))
        }
    }

    private func get(_ key: AddressTable.Key, from peer: Peer) throws(Refusal) {
        var reading = reading(for: peer)
        guard table.row(key).group == .now else {
            guard let value = try table.read(key, reading) else { return }
            return transmit(Message(table.address(key), value).encoded, to: peer)
        }
        // The value is read at the present moment, which is the answer's time tag.
        var snapshot = reading.snapshot
        snapshot.nowPlaying = reading.fresh
        reading = Reading(snapshot: snapshot, identity: reading.identity)
        guard let value = try table.read(key, reading) else { return }
        let tag = TimeTag(snapshot.clock, snapshot.moment)
        transmit(Bundle(timeTag: tag, messages: [Message(table.address(key), value)]).encoded, to: peer)
    }

    /// The arguments as the row requires them; `nil` for the release of a button.
    func request(_ key: AddressTable.Key, _ arguments: [Argument], from peer: Peer?) throws(Refusal) -> (Request, [Argument])? {
        let row = table.row(key)
        guard arguments.count <= row.inputs.count else { throw row.surplus(arguments.count) }
        var values: [Value?] = []
        var asSent: [Argument] = []
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
        var reading = reading(for: peer)
        reading.layerIndex = key.layer?.index(in: reading.player)
        return (Request(reading: reading, values: values, now: now), asSent)
    }

    private func perform(_ commands: [Command], for key: AddressTable.Key, _ asSent: [Argument], from peer: Peer) {
        if isInBundle, commands.contains(where: \.runsOutsideBundles) {
            postponed.append { [unowned self] in perform(commands, for: key, asSent, from: peer) }
            return
        }
        let results = Results(count: commands.count)
        guard commands.count == 1 else {
            receiver?.simultaneously { perform(commands, results, for: key, asSent, from: peer) }
            return
        }
        perform(commands, results, for: key, asSent, from: peer)
    }

    private func perform(_ commands: [Command], _ results: Results, for key: AddressTable.Key, _ asSent: [Argument], from peer: Peer) {
        let source = source
        let takesLong = commands.contains { $0.takesLong }
        if takesLong { tellProgress(0, of: key, to: peer) }
        for command in commands {
            noteHold(command, by: peer)
            give(command, from: peer.hand) { [weak self] result in
                guard let self, let outcome = results.add(result) else { return }
                process {
                    self.noteChange()
                    if takesLong { self.tellProgress(1, of: key, to: peer) }
                    let isDone = outcome.status == .success
                    self.sentValues.append(SentValue(key: key, source: source, peer: peer, asSent: isDone ? asSent : nil))
                    self.reply(to: peer, self.table.address(key), outcome)
                }
            }
        }
    }

    /// Passes a command to the receiver. A panic, also by a shake, drops waiting bundles.
    func give(_ command: Command, from hand: String, answer: @escaping (CommandResult) -> Void) {
        let isPanic = command == .panic || command == .shake && reading().shakeCommand == .panic
        noteChange()
        receiver?.perform(command, from: hand) { [weak self] result in
            if isPanic, result.status == .success, let self {
                for entry in schedule.removeAll() { finish(entry.messages, from: entry.peer) }
            }
            answer(result)
        }
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
    /// Whether the command is session or file work, a search for a server, or the end of the program, which wait for the end of the bundle.
    fileprivate var runsOutsideBundles: Bool {
        switch self {
        case .reconnectJACK, .connectPort, .disconnectPort, .quit: true
        default: takesLong
        }
    }

    /// Whether the sender gets progress reports.
    fileprivate var takesLong: Bool {
        switch self {
        case .addItem, .loadSession, .saveSession: true
        default: false
        }
    }
}

extension TimeTag {
    /// The wall-clock time of a moment on the render clock.
    init(_ clock: Snapshot.Clock, _ moment: Moment) {
        let seconds = clock.seconds(of: moment).clamped(to: 0...1e11)
        let whole = seconds.rounded(.down)
        self.init(secondsSince1970: Int64(whole), nanoseconds: Int64(((seconds - whole) * 1e9).rounded(.down)))
    }
}
