import Bus
import Dispatch
import OSC
import Synchronization
import Zeroconf

/// A running instance that is announced in the network.
package struct NetworkInstance: Hashable, Sendable {
    /// The name under which it is announced, such as `binaural on studio`.
    package let name: String
    /// The address of its remote control, as for `--to`.
    package let address: String
    /// The URL of its OSCQuery server; `nil` if it has none.
    package let query: String?
    /// The program's version; empty if unknown.
    package let version: String

    package init(name: String, address: String, query: String?, version: String) {
        (self.name, self.address, self.query, self.version) = (name, address, query, version)
    }
}

/// Searches the network for running instances, through Avahi.
//
// SAFETY: the bus and the search are used on the queue only.
package final class NetworkSearch: @unchecked Sendable {
    private static let (control, query) = ("_osc._udp", "_oscjson._tcp")

    private let queue = DispatchQueue(label: "binaural.search")
    private let bus: Bus
    private let search: ServiceSearch
    private let outcome: Outcome

    private final class Outcome: Sendable {
        let result = Mutex<Result<[FoundService], ServiceSearch.Fault>>(.success([]))
        let isReady = DispatchSemaphore(value: 0)
    }

    private init(within limit: Double) {
        let outcome = Outcome()
        self.outcome = outcome
        bus = Bus(.system, on: queue)
        search = ServiceSearch(for: [Self.control, Self.query], on: bus, queue: queue, within: limit) { result in
            outcome.result.withLock { $0 = result }
            outcome.isReady.signal()
        }
    }

    /// All instances that answer within some seconds, sorted by name. Blocks until then.
    ///
    /// - Throws: `RemoteClientError` if the network cannot be searched.
    package static func instances(within limit: Double) throws(RemoteClientError) -> [NetworkInstance] {
        let search = NetworkSearch(within: limit)
        search.queue.sync {
            search.search.start()
            search.bus.start()
        }
        search.outcome.isReady.wait()
        search.queue.sync { search.bus.close() }
        switch search.outcome.result.withLock({ $0 }) {
        case .success(let services): return instances(of: services)
        case .failure(.noBus(let reason)):
            throw RemoteClientError(.unavailable, "Cannot search the network without the system bus: \(reason). \(remedy)")
        case .failure(.noDaemon): throw RemoteClientError(.unavailable, "Cannot search the network: Avahi is not running. \(remedy)")
        case .failure(.refused(let reason)): throw RemoteClientError(.unavailable, "Cannot search the network: \(reason). \(remedy)")
        }
    }

    private static let remedy = "Start avahi-daemon, or name the instance with --to HOST:PORT."

    /// The instances among services, each with its best address, sorted by name.
    package static func instances(of services: [FoundService]) -> [NetworkInstance] {
        let own = services.filter { $0.text["app"] == "binaural" }
        let names = Set(own.filter { $0.type == control }.map { Key($0) })
        return names.sorted { ($0.name, $0.host) < ($1.name, $1.host) }.compactMap { key in
            guard let service = best(control, of: own, key), let address = endpoint(service) else { return nil }
            let query = best(query, of: own, key).flatMap(endpoint).map { "http://\($0)/" }
            return NetworkInstance(name: key.name, address: address, query: query, version: service.text["version"] ?? "")
        }
    }

    private struct Key: Hashable {
        let name: String
        let host: String

        init(_ service: FoundService) { (name, host) = (service.name, service.host) }
    }

    /// IPv4 before IPv6, and addresses that are valid everywhere before those that are valid on one interface or this machine only.
    private static func best(_ type: String, of services: [FoundService], _ key: Key) -> FoundService? {
        services.filter { $0.type == type && Key($0) == key }.min { (rank($0), $0.address) < (rank($1), $1.address) }
    }

    private static func rank(_ service: FoundService) -> Int {
        guard let address = IPAddress(service.address) else { return 4 }
        if address.isLoopback { return 3 }
        return address.bitCount == 32 ? 0 : service.address.contains("%") ? 2 : 1
    }

    private static func endpoint(_ service: FoundService) -> String? {
        IPAddress(service.address).map { "\(Endpoint(host: $0, port: service.port))" }
    }
}
