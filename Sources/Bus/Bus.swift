import Dispatch

/// A message bus as this program uses it: the names and objects that it offers, the signals that it wants, the methods that it calls.
///
/// It survives the loss of the bus: it reconnects, after a quarter of a second at first and later every five seconds, and then claims its
/// names and matches again. Without a bus, calls fail at once and signals are dropped. Everything happens on one queue without blocking;
/// when many messages arrive, they are handled in batches.
package final class Bus {

    /// A change of the connection, for the log.
    package enum Event: Hashable, Sendable {
        case connected
        /// The connection has ended, or the first try to connect has failed. Later tries are silent.
        case lost(String)
    }

    /// Receives each change of the connection. At ``Event/connected``, calls can be made.
    package var changed: (Event) -> Void = { _ in }
    package private(set) var isConnected = false

    private let address: BusAddress
    private let queue: DispatchQueue
    private var link: BusLink?
    private let retry: any DispatchSourceTimer
    private var backoff = Backoff()
    private var isReported = false
    private var isClosed = false
    private var objects = ServedObjects()
    private var names: NameClaim?
    private var listeners = Listeners()

    /// - Parameter queue: the serial queue on which everything happens, also the calls of this object's functions.
    package init(_ address: BusAddress, on queue: DispatchQueue) {
        (self.address, self.queue) = (address, queue)
        retry = DispatchSource.makeTimerSource(queue: queue)
        retry.setEventHandler { [weak self] in self?.connect() }
        retry.schedule(deadline: .distantFuture)
        retry.activate()
    }

    deinit { retry.cancel() }

    /// Begins to connect; what is served, owned and listened to may be set before or after.
    package func start() { connect() }

    /// Leaves the bus, which releases the names.
    package func close() {
        isClosed = true
        isConnected = false
        retry.cancel()
        link?.close()
        link = nil
    }

    private func connect() {
        guard !isClosed, link == nil else { return }
        do throws(BusLinkError) {
            link = try BusLink(to: address, on: queue, for: self)
        } catch {
            wait(because: error.reason, isFinal: error.isFinal)
        }
    }

    private func wait(because reason: String, isFinal: Bool = false) {
        let wasConnected = isConnected
        isConnected = false
        link = nil
        names?.forget()
        if !isFinal { retry.schedule(deadline: .now() + backoff.next(), leeway: .milliseconds(10)) }
        let reports = listeners.busIsGone()
        if wasConnected || !isReported {
            isReported = true
            changed(.lost(reason))
        }
        for report in reports { report() }
    }

    // MARK: Names and objects of this program

    /// Serves an object: `handler` gets the calls to this path and, if `includingChildren`, to those below it. Programs that look around
    /// are shown the way to it; of the standard interfaces, only Peer is answered here.
    package func serve(_ path: String, includingChildren: Bool = false, _ handler: @escaping (BusCall) -> Void) {
        objects.serve(path, includingChildren: includingChildren, handler)
    }

    /// Owns the first of these names that is free. `owned` gets it, also when that changes, and `nil` if all are taken.
    package func own(firstOf names: [String], owned: @escaping (String?) -> Void) {
        self.names = NameClaim(names, owned)
        if isConnected { claim() }
    }

    private func claim() { names?.begin { [weak self] in self?.call($0, answer: $1) } }

    /// Sends a signal; without a bus it is dropped.
    package func emit(_ signal: BusSignal) {
        if isConnected { link?.emit(signal) }
    }

    // MARK: Calls to other programs, and their signals

    /// Calls a method. The answer comes later on the queue, at the latest after `limit` seconds; without a bus it comes at once.
    package func call(
        _ method: BusMethod, within limit: Double = 25, answer: @escaping (Result<[BusValue], BusError>) -> Void = { _ in }
    ) {
        guard isConnected, let link else { return answer(.failure(.disconnected)) }
        link.call(method, within: limit, answer)
    }

    /// Receives signals until ``stop(_:)``.
    package func listen(to match: BusMatch, _ handler: @escaping (BusSignal) -> Void) -> Listening {
        let (listening, isFirst) = listeners.add(match, handler)
        if isConnected, isFirst { subscribe(to: match) }
        return listening
    }

    /// Watches who owns a name: `changed` gets the unique name of the owner, or `nil`, when it is known and at every change.
    package func watch(_ name: String, changed: @escaping (String?) -> Void) -> Listening {
        let listening = listeners.watch(name, changed)
        follow()
        if listeners.knowsOwner(of: name) { for report in listeners.reports(on: name) { report() } }
        return listening
    }

    /// Ends what ``listen(to:_:)`` or ``watch(_:changed:)`` began.
    package func stop(_ listening: Listening) {
        guard let match = listeners.remove(listening), isConnected else { return }
        call(.ofDaemon("RemoveMatch", [.string(match.rule)]))
    }

    private func subscribe(to match: BusMatch) {
        call(.ofDaemon("AddMatch", [.string(match.rule)]))
        follow()
    }

    /// Finds out who owns the names that are needed; later changes are reported by the bus.
    private func follow() {
        guard isConnected else { return }
        for name in listeners.namesToFollow() {
            call(.ofDaemon("AddMatch", [.string("\(Listeners.ownerRule),arg0='\(name)'")]))
            call(.ofDaemon("GetNameOwner", [.string(name)])) { [weak self] answer in
                guard let self, isConnected else { return }
                setOwner(of: name, to: (try? answer.get())?.first?.text)
            }
        }
    }

    private func setOwner(of name: String, to owner: String?) {
        for report in listeners.setOwner(of: name, to: owner) { report() }
    }
}

extension Bus: BusLinkDelegate {
    func linkIsReady() {
        isConnected = true
        isReported = true
        backoff = Backoff()
        for match in listeners.matches { subscribe(to: match) }
        follow()
        claim()
        changed(.connected)
    }

    func linkIsLost(_ reason: String) { wait(because: reason) }

    func received(_ call: BusMessage, on link: BusLink) -> Bool { objects.answer(call, on: link) }

    func received(signal: BusMessage) {
        if signal.sender == BusMethod.daemon, signal.interface == BusMethod.daemon { receivedFromDaemon(signal) }
        let handlers = listeners.handlers(of: signal)
        guard !handlers.isEmpty, let arguments = try? signal.arguments() else { return }
        let received = BusSignal(sender: signal.sender, signal.path, signal.interface, signal.member, arguments)
        for handler in handlers { handler(received) }
    }

    private func receivedFromDaemon(_ signal: BusMessage) {
        guard let texts = try? signal.arguments().map({ $0.text ?? "" }) else { return }
        switch signal.member {
        case "NameOwnerChanged" where texts.count == 3: setOwner(of: texts[0], to: texts[2].isEmpty ? nil : texts[2])
        case "NameLost" where texts.first == names?.name: claim()
        default: break
        }
    }
}
