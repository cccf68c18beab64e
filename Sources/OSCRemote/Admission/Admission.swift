import Logging
import OSC
import OperatingSystem

/// Decides who may send what, and how much: roles, message rates, and the budgets of answers. Times are seconds on the monotonic clock.
final class Admission {
    private let configuration: OSCServerConfiguration
    private let peers: PeerTable
    private let logger: Logger
    let cookies = Cookies()
    private var rateLimits = RateLimits()
    /// The roles of the open WebSockets, which have proven them when they were opened, and the names of their devices.
    private var webSockets: [PeerAddress: (role: Role, name: String?)] = [:]
    /// The budget shared by all peers for which the table had no room.
    private var crowdBudget = TokenBucket(perSecond: Peer.errorsPerSecond, burst: Peer.errorsPerSecond)
    private var crowdPatternBudget = TokenBucket(perSecond: Peer.matchesPerSecond, burst: Peer.matchBurst)
    var strangerBudget = TokenBucket(perSecond: Admission.answersToStrangers, burst: Admission.answersToStrangers)
    private var strangers = ThrottledLog(interval: 60)
    /// The number of packets from addresses that are not allowed.
    private(set) var strangersPackets = 0

    init(_ configuration: OSCServerConfiguration, peers: PeerTable, logger: Logger) {
        (self.configuration, self.peers, self.logger) = (configuration, peers, logger)
    }

    /// The role of programs on this machine.
    var localRole: Role { configuration.localRole }

    /// The role of an address; `nil` if it is not allowed.
    func role(of address: PeerAddress) -> Role? {
        if case .webSocket = address { webSockets[address]?.role } else { configuration.role(of: address) }
    }

    /// Admits a WebSocket.
    ///
    /// - Parameter name: the name with which its device was paired; `nil` on this machine.
    func add(webSocket address: PeerAddress, as role: Role, named name: String?) { webSockets[address] = (role, name) }

    func remove(webSocket address: PeerAddress) { webSockets[address] = nil }

    /// The name of a paired device; `nil` for other peers.
    func name(ofWebSocket address: PeerAddress) -> String? { webSockets[address]?.name }

    /// Whether the peer is a program on this machine. A device that was paired, and has come through a proxy on this machine, is not.
    func isOnThisMachine(_ peer: Peer) -> Bool { peer.endpoint.isLocal && name(ofWebSocket: peer.endpoint) == nil }

    /// Refuses what the peer's role does not allow.
    func admit(_ peer: Peer, to row: Row) throws(Refusal) {
        guard peer.role < row.role else { return }
        let remedy =
            switch peer.endpoint {
            case _ where isOnThisMachine(peer): "start binaural with --osc-local-role "
            case .webSocket: "pair again, with binaural web pair --role "
            case .udp, .unix: "start binaural with --osc-allow CIDR="
            }
        throw Refusal(.denied, "This needs the role \"\(row.role.rawValue)\": \(remedy)\(row.role.rawValue).")
    }

    /// Counts a packet from an address that is not allowed, and reports it now and then.
    func countStranger(_ source: PeerAddress, at seconds: Double) {
        strangersPackets += 1
        guard let count = strangers.add(at: seconds) else { return }
        logger.warning("OSC: \(count) packets from addresses not in --osc-allow were refused, the last one from \(source).")
    }

    /// Whether one more message of the peer is within the rate of its address; if so, it is counted. Programs on this machine have no limit.
    func isWithinRate(_ peer: Peer, at seconds: Double) -> Bool {
        guard !isOnThisMachine(peer), let address = peer.endpoint.host else { return true }
        return rateLimits.pass(address, at: seconds)
    }

    /// Whether the peer may be sent one more error; if so, it is counted.
    func takeErrorBudget(of peer: Peer, at seconds: Double) -> Bool {
        peers.isKept(peer) ? peer.errorBudget.take(at: seconds) : crowdBudget.take(at: seconds)
    }

    /// Charges for the addresses that a peer's pattern matches, which are looked up only if the peer has not exceeded its limit.
    func charge(forPatternOf peer: Peer, at seconds: Double, _ match: () throws(Refusal) -> Int) throws(Refusal) {
        let limit = "Patterns that match more than \(Int(Peer.matchesPerSecond)) addresses a second: send fewer, or narrower ones."
        try charge(peer, at: seconds, limit, match)
    }

    /// Charges for the items of a list, which are found only if the peer has not exceeded the limit of its patterns.
    func charge(forListOf peer: Peer, at seconds: Double, _ list: () -> Int) throws(Refusal) {
        try charge(peer, at: seconds, "Lists of more than \(Int(Peer.matchesPerSecond)) items a second: ask again in a moment.", list)
    }

    private func charge(_ peer: Peer, at seconds: Double, _ limit: String, _ work: () throws(Refusal) -> Int) throws(Refusal) {
        let isKept = peers.isKept(peer)
        let isAllowed = isKept ? peer.patternBudget.hasAny(at: seconds) : crowdPatternBudget.hasAny(at: seconds)
        guard isAllowed else { throw Refusal(.rateLimited, limit) }
        let count = Double(try work())
        if isKept { peer.patternBudget.charge(count, at: seconds) } else { crowdPatternBudget.charge(count, at: seconds) }
    }

    /// Whether the end of a refused bundle's ramps may be reported, so that a flood of them does not displace other feedback.
    func takeFinishBudget(of peer: Peer, at seconds: Double) -> Bool {
        if isWithinRate(peer, at: seconds) { return true }
        return peers.isKept(peer) ? peer.finishBudget.take(at: seconds) : crowdBudget.take(at: seconds)
    }
}
