/// A subscription of a ``Bus``.
package struct Listening: Hashable, Sendable {
    let number: Int
}

/// The signal subscriptions, and the owners of the names they come from.
struct Listeners {
    private struct Watch {
        let name: String
        let take: (String?) -> Void
        /// The owner that was reported last; `nil` before the first report.
        var reported: String??
    }

    private var handlers: [Int: (match: BusMatch, take: (BusSignal) -> Void)] = [:]
    private var watches: [Int: Watch] = [:]
    private var owners: [String: String] = [:]
    /// The names whose owners the bus was asked for.
    private var followed: Set<String> = []
    private var count = 0

    static let ownerRule = "type='signal',sender='\(BusMethod.daemon)',interface='\(BusMethod.daemon)',member='NameOwnerChanged'"

    /// - Returns: also whether the bus has to be asked for such signals.
    mutating func add(_ match: BusMatch, _ take: @escaping (BusSignal) -> Void) -> (Listening, isFirst: Bool) {
        let isFirst = !handlers.values.contains { $0.match == match }
        count += 1
        handlers[count] = (match, take)
        return (Listening(number: count), isFirst)
    }

    mutating func watch(_ name: String, _ take: @escaping (String?) -> Void) -> Listening {
        count += 1
        watches[count] = Watch(name: name, take: take)
        return Listening(number: count)
    }

    /// - Returns: the match that is no longer needed.
    mutating func remove(_ listening: Listening) -> BusMatch? {
        watches[listening.number] = nil
        guard let match = handlers.removeValue(forKey: listening.number)?.match else { return nil }
        return handlers.values.contains { $0.match == match } ? nil : match
    }

    /// Each match once.
    var matches: Set<BusMatch> { Set(handlers.values.map(\.match)) }

    func handlers(of signal: BusMessage) -> [(BusSignal) -> Void] {
        handlers.sorted { $0.key < $1.key }.filter { _, handler in
            handler.match.admits(signal) && (owners[handler.match.sender] ?? handler.match.sender) == signal.sender
        }.map(\.value.take)
    }

    // MARK: Owners of names

    /// The names whose owners are needed and that were not followed yet; from now on they are. Signals carry the unique name of their
    /// sender only.
    mutating func namesToFollow() -> Set<String> {
        let names = Set(watches.values.map(\.name)).union(
            handlers.values.map(\.match.sender).filter { !$0.hasPrefix(":") && $0 != BusMethod.daemon })
        defer { followed.formUnion(names) }
        return names.subtracting(followed)
    }

    /// - Returns: the reports that are due.
    mutating func setOwner(of name: String, to owner: String?) -> [() -> Void] {
        owners[name] = owner
        return reports(on: name)
    }

    /// The reports on a name that some watches have not had yet.
    mutating func reports(on name: String) -> [() -> Void] {
        let owner = owners[name]
        var reports: [() -> Void] = []
        for (number, watch) in watches.sorted(by: { $0.key < $1.key }) where watch.name == name && watch.reported != .some(owner) {
            watches[number]?.reported = .some(owner)
            reports.append { watch.take(owner) }
        }
        return reports
    }

    /// Whether the owner of a name is known, so that no answer of the bus will report it.
    func knowsOwner(of name: String) -> Bool { owners[name] != nil }

    /// Forgets all owners, as the bus is gone.
    mutating func busIsGone() -> [() -> Void] {
        let gone = owners.keys.sorted()
        (owners, followed) = ([:], [])
        return gone.flatMap { reports(on: $0) }
    }
}
