import Bus
import Dispatch

/// A search for services in the network, which ends when Avahi knows of no more. Everything happens on the bus's queue.
package final class ServiceSearch {
    package enum Fault: Error, Hashable, Sendable {
        /// There is no system bus; the text is the reason.
        case noBus(String)
        /// Avahi does not run.
        case noDaemon
        /// Avahi has refused to search; the text is its reason.
        case refused(String)
    }

    private let bus: Bus
    private let types: [String]
    private let done: (Result<[FoundService], Fault>) -> Void
    private var found: [FoundService] = []
    private var listenings: [Listening] = []
    /// The types whose search has not ended.
    private var pending: Set<String>
    /// The browsers' paths, with their types.
    private var browsers: [String: String] = [:]
    private var endedBrowsers: Set<String> = []
    private var resolvingCount = 0
    /// Services that were looked up so far.
    private var resolvedCount = 0
    private let deadline: any DispatchSourceTimer
    private var isBrowsing = false
    private var isDone = false

    /// The maximum number of services to look up: a network may have very many.
    private static let mostServices = 1000

    /// - Parameters:
    ///   - types: Such as `_osc._udp`.
    ///   - limit: Seconds after which it ends with what was found.
    ///   - done: Gets the services in the order in which they were found, one for each interface and protocol.
    package init(
        for types: [String], on bus: Bus, queue: DispatchQueue, within limit: Double,
        done: @escaping (Result<[FoundService], Fault>) -> Void
    ) {
        (self.types, self.bus, self.done) = (types, bus, done)
        pending = Set(types)
        deadline = DispatchSource.makeTimerSource(queue: queue)
        deadline.setEventHandler { [weak self] in self?.end() }
        deadline.schedule(deadline: .now() + limit)
        deadline.activate()
    }

    package func start() {
        bus.changed = { [weak self] event in
            if case .lost(let reason) = event { self?.fail(.noBus(reason)) }
        }
        listenings = [
            // Without its path: the first items may come together with the answer that names the browser.
            bus.listen(to: BusMatch(sender: Avahi.name, interface: Avahi.serviceBrowser)) { [weak self] in self?.received($0) },
            bus.watch(Avahi.name) { [weak self] owner in
                if owner != nil { self?.browse() } else { self?.fail(.noDaemon) }
            },
        ]
    }

    deinit { deadline.cancel() }

    private func browse() {
        guard !isBrowsing else { return }
        isBrowsing = true
        for type in types {
            let arguments: [BusValue] = [.int32(Avahi.any), .int32(Avahi.any), .string(type), .string(""), .uint32(0)]
            bus.call(Avahi.ofServer("ServiceBrowserNew", arguments)) { [weak self] answer in
                guard let self else { return }
                switch answer {
                case .success(let values):
                    guard let path = values.first?.text else { return }
                    browsers[path] = type
                    endIfComplete()
                case .failure(let error): fail(.refused("\(error)"))
                }
            }
        }
    }

    private func received(_ signal: BusSignal) {
        switch signal.member {
        case "ItemNew": resolve(signal.arguments)
        case "AllForNow":
            endedBrowsers.insert(signal.path)
            endIfComplete()
        case "Failure": fail(.refused(signal.arguments.first?.text ?? ""))
        default: break
        }
    }

    /// - Parameter item: interface, protocol, name, type, domain and flags.
    private func resolve(_ item: [BusValue]) {
        guard item.count == 6, resolvedCount < Self.mostServices else { return }
        resolvedCount += 1
        resolvingCount += 1
        let arguments = Array(item.prefix(5)) + [.int32(Avahi.any), .uint32(0)]
        bus.call(Avahi.ofServer("ResolveService", arguments)) { [weak self] answer in
            guard let self else { return }
            resolvingCount -= 1
            // A service that cannot be resolved is gone by now.
            if case .success(let values) = answer, let service = FoundService(resolved: values) { found.append(service) }
            endIfComplete()
        }
    }

    private func endIfComplete() {
        for (path, type) in browsers where endedBrowsers.contains(path) { pending.remove(type) }
        if pending.isEmpty, resolvingCount == 0 { end() }
    }

    private func end() { finish(.success(found)) }

    private func fail(_ fault: Fault) { finish(.failure(fault)) }

    private func finish(_ result: Result<[FoundService], Fault>) {
        guard !isDone else { return }
        isDone = true
        deadline.cancel()
        for listening in listenings { bus.stop(listening) }
        listenings = []
        done(result)
    }
}
