// The web server's thread: the panel's files, and WebSockets that carry OSC.

import Foundation
import HTTP
import OSC
import OSCRemote
import OperatingSystem

/// Serves the panel's page, and lets clients exchange OSC packets with the player over WebSockets.
///
/// It runs on the server's thread. Packets reach control through ``OSCWebSockets``.
package final class PanelHandler: WebHandler {
    private let loop: WebLoop
    private let configuration: Configuration
    private let packets: OSCWebSockets
    private let documents: [String: Document]
    private var clients: [ObjectIdentifier: PanelClient] = [:]
    private var byEndpoint: [Endpoint: PanelClient] = [:]
    private let listeners: PanelListeners
    private var limit = EntryLimit()
    /// For programs on this machine, which nobody else can lock out.
    private var ownLimit = EntryLimit()
    private var accessVersion: [Int]?
    /// The hashes of the keys of paired clients, at that version of the file.
    private var known: Set<String> = []
    private var revocationTimer: WebTimer?

    package struct Configuration: Sendable {
        package var access: AccessFile
        /// The role of clients on this machine.
        package var localRole: Role
        /// Whether clients on this machine enter without a key. False if a proxy may be among them, which would let everybody in.
        package var trustsThisMachine: Bool
        /// The program's version.
        package var version: String

        package init(access: AccessFile, localRole: Role, trustsThisMachine: Bool = true, version: String) {
            (self.access, self.localRole, self.trustsThisMachine, self.version) = (access, localRole, trustsThisMachine, version)
        }
    }

    /// The path of WebSockets that carry OSC.
    package static let socketPath = "/osc"
    /// Makes JSON that is sent to programs on this machine and paired devices; `nil` if there is none at the moment. It is called on the server's
    /// thread, and its argument may be called on any.
    package typealias Document = (@escaping @Sendable ([UInt8]?) -> Void) -> Void
    /// Clients that are connected and have not shown a token or a key yet: of an address, and of all. A newcomer takes the place of one that
    /// waits already.
    private static let (strangersOfAddress, strangerLimit) = (2, 4)
    /// Seconds that they have for it.
    private static let strangerTime = 2.0
    /// Seconds between looks at the file of paired clients.
    private static let revocationTime = 2.0

    /// - Parameters:
    ///   - listen: Begins to encode what plays for a listener; the result is a sentence saying why that is not possible at the moment.
    ///   - documents: By path, such as the course of what plays.
    package init(
        _ loop: WebLoop, _ configuration: Configuration, packets: OSCWebSockets,
        listen: @escaping @Sendable (ListenedFormat, ListenedStream) -> String?,
        documents: [String: Document]
    ) {
        (self.loop, self.configuration, self.packets, self.documents) = (loop, configuration, packets, documents)
        listeners = PanelListeners(loop, source: listen)
    }

    /// Sends a packet to a client; it is dropped if the client does not keep up.
    package func send(_ packet: [UInt8], to endpoint: Endpoint) { byEndpoint[endpoint]?.connection.send(.binary(packet)) }

    /// Resumes reading from a client whose packets have been handled.
    package func resume(_ endpoint: Endpoint) { byEndpoint[endpoint]?.connection.resume() }

    // MARK: Requests

    package func received(_ request: Request, on connection: HTTPConnection) {
        guard admits(request, on: connection) else { return connection.respond(Self.tooMany) }
        if let document = documents[request.path] {
            guard mayLook(request, on: connection) else {
                return connection.respond(Response(.forbidden, text: "This page is not paired.", headers: PanelFiles.headers))
            }
            return answer(request, document, on: connection)
        }
        if let format = PanelListeners.format(of: request.path) { return listen(request, format, on: connection) }
        connection.respond(PanelFiles.answer(to: request) ?? Response(.notFound, headers: PanelFiles.headers))
    }

    /// A page that gets this instead of its file asks again by itself.
    private static var tooMany: Response {
        Response(.tooManyRequests, closes: true, headers: [("Retry-After", "60"), ("Refresh", "10")] + PanelFiles.headers)
    }

    /// Whether a request is not one too many; if so, it is counted.
    private func admits(_ request: Request, on connection: HTTPConnection) -> Bool {
        let (address, now) = (limited(connection, request), MonotonicClock.seconds)
        return isTrusted(connection, request) ? ownLimit.admits(address, at: now) : limit.admits(address, at: now)
    }

    /// Whether the client is on this machine, or shows its key or the pass of its page.
    private func mayLook(_ request: Request, on connection: HTTPConnection) -> Bool {
        if isTrusted(connection, request) { return true }
        let pass = request.headers["binaural-pass"]
        if pass != nil, clients.values.contains(where: { $0.role != nil && $0.pass == pass }) { return true }
        guard let key = request.headers["binaural-key"] else { return false }
        if (try? configuration.access.client(withKey: key)) ?? nil != nil { return true }
        limit.noteFailure(of: limited(connection, request), at: MonotonicClock.seconds)
        return false
    }

    /// Admits listeners that have a ticket, or that are on this machine and were not sent here by a page of another site.
    private func listen(_ request: Request, _ format: ListenedFormat, on connection: HTTPConnection) {
        let address = limited(connection, request)
        // A browser plays sound for any page, without naming it in `Origin`: the client has done nothing wrong.
        let shown = request.isCrossSite ? nil : PanelListeners.ticket(in: request)
        let ticket = shown.flatMap { listeners.ticket($0, from: address) }.flatMap { isRevoked($0.pairing) ? nil : $0 }
        guard ticket != nil || isTrusted(connection, request) else {
            if shown != nil { limit.noteFailure(of: address, at: MonotonicClock.seconds) }
            return connection.respond(
                Response(.forbidden, text: "Only the page of a paired device may listen, with a new ticket.", headers: PanelFiles.headers))
        }
        listeners.answer(request, format, ticket, on: connection)
        watchRevocations()
    }

    private func answer(_ request: Request, _ document: Document, on connection: HTTPConnection) {
        let waiting = OnLoop(connection)
        document { [loop] json in
            loop.post {
                guard let json else { return waiting.value.respond(Response(.noContent, headers: PanelFiles.headers)) }
                let response = Response(.ok, "application/json", json, headers: PanelFiles.headers)
                waiting.value.respond(response.compressed(for: request))
            }
        }
    }

    /// The name under which the attempts of a client are counted. An IPv6 client has all addresses of its network; the pages of other sites, which
    /// a browser on this machine shows, have a name of their own, so that they lock out nobody who comes through a proxy. The proxy names its client
    /// last: what stands before may come from the client.
    private func limited(_ connection: HTTPConnection, _ request: Request?) -> String {
        if connection.isLocal, request?.isCrossSite == true { return "other sites" }
        let forwarded = connection.isProxied ? request?.headers["x-forwarded-for"]?.split { ", \t".contains($0) }.last : nil
        let host = forwarded.flatMap { IPAddress(String($0)) } ?? IPAddress(connection.far.host)
        return if case .ipv6(let high, _, _)? = host { "\(high)" } else { host.map { "\($0)" } ?? connection.far.host }
    }

    // MARK: WebSockets

    package func refusal(ofWebSocket request: Request, on connection: HTTPConnection) -> Response? {
        guard request.path == Self.socketPath else { return Response(.notFound, closes: true) }
        // Unlike OSCQuery's, these WebSockets can change something, so that no other page may open them.
        if let origin = request.headers["origin"]?.lowercased(), let host = request.headers["host"]?.lowercased(),
            !["http://" + host, "https://" + host].contains(origin)
        {
            return Response(.forbidden, text: "Only this server's own page may open a WebSocket.", closes: true)
        }
        return admits(request, on: connection) ? nil : Self.tooMany
    }

    /// Whether the client is a program on this machine, and in a browser not a page of another site.
    private func isTrusted(_ connection: HTTPConnection, _ request: Request?) -> Bool {
        guard configuration.trustsThisMachine, let request else { return false }
        return connection.isOwn(request) && !request.isCrossSite
    }

    package func opened(_ webSocket: HTTPConnection) {
        guard let host = IPAddress(webSocket.far.host) else { return webSocket.close(.denied) }
        let endpoint = Endpoint(host: host, port: webSocket.far.port)
        // The system may give one port to connections to several ports of this program; the newcomer tries again with another one.
        guard !clients.values.contains(where: { $0.endpoint == endpoint }) else { return webSocket.close(.full) }
        let address = limited(webSocket, webSocket.handshake)
        let client = PanelClient(webSocket, endpoint, address, at: MonotonicClock.seconds)
        clients[ObjectIdentifier(webSocket)] = client
        if isTrusted(webSocket, webSocket.handshake) { return enter(client, as: configuration.localRole) }
        makeRoom(for: client)
        expectEntry(of: client)
    }

    /// Turns a client out if it shows nothing in time.
    private func expectEntry(of client: PanelClient) {
        let now = MonotonicClock.seconds
        client.timer?.cancel()
        client.timer = loop.schedule(at: now + Self.strangerTime, now: now) { [weak self, weak client] in
            if let client, client.role == nil { self?.turnOut(client) }
        }
    }

    /// Turns out the client that has waited longest, if too many of the newcomer's address or of all do. That it has asked for a challenge does not
    /// keep its place, since everybody can do that.
    private func makeRoom(for newcomer: PanelClient) {
        let waiting = clients.values.filter { $0.role == nil && $0 !== newcomer }.sorted { $0.opened < $1.opened }
        let neighbours = waiting.filter { $0.address == newcomer.address }
        if neighbours.count >= Self.strangersOfAddress {
            turnOut(neighbours[0])
        } else if waiting.count >= Self.strangerLimit {
            turnOut(waiting[0])
        }
    }

    package func received(_ message: WebSocketMessage, on webSocket: HTTPConnection) {
        guard let client = clients[ObjectIdentifier(webSocket)] else { return }
        switch message {
        case .binary(let packet):
            guard client.role != nil else { return turnOut(client) }
            if !packets.add(packet, from: client.endpoint) { webSocket.pause() }
        case .text(let text):
            if client.role != nil {
                if EntryRequest(text)?.wantsTicket == true {
                    webSocket.send(.text(EntryAnswer(ticket: listeners.issueTicket(for: client.pairing)).text))
                }
                return
            }
            guard let request = EntryRequest(text) else { return turnOut(client) }
            admit(client, request)
        }
    }

    package func closed(_ webSocket: HTTPConnection) {
        guard let client = clients.removeValue(forKey: ObjectIdentifier(webSocket)) else { return }
        client.timer?.cancel()
        guard client.role != nil else { return }
        byEndpoint[client.endpoint] = nil
        packets.close(client.endpoint)
    }

    // MARK: Entry

    private func admit(_ client: PanelClient, _ request: EntryRequest) {
        if request.wantsChallenge, client.challenge == nil {
            let challenge = Credential.key()
            client.challenge = challenge
            client.connection.send(.text(EntryAnswer(challenge: challenge).text))
            return expectEntry(of: client)
        }
        let now = MonotonicClock.seconds
        if request.isToPair, limit.isBlocked(client.address, at: now) {
            return turnOut(client, "Too many wrong keys and tokens came from this address: open the link again in a minute.")
        }
        let found: (client: AccessFile.Client, key: String?)?
        do throws(FileError) { found = try self.found(by: request, client.challenge) } catch { return turnOut(client, "\(error)") }
        guard let found else {
            limit.noteFailure(of: client.address, at: now)
            let remedy = "The \(request.isToPair ? "token was used or has expired" : "key was revoked"): run 'binaural web pair'."
            return turnOut(client, remedy)
        }
        limit.noteSuccess(of: client.address)
        client.pairing = found.client.hash
        if client.challenge != nil { client.pass = Credential.key() }
        enter(client, as: found.client.access, named: found.client.name, key: found.key)
        watchRevocations()
    }

    /// The paired client whose token or key is shown or proven, and the key if it has to be sent.
    private func found(by request: EntryRequest, _ challenge: String?) throws(FileError) -> (client: AccessFile.Client, key: String?)? {
        let (access, name, now) = (configuration.access, request.name ?? "", Date().timeIntervalSince1970)
        if let token = request.token { return try access.pair(token: token, name: name, at: now).map { ($0.client, $0.key) } }
        if let key = request.key { return try access.client(withKey: key).map { ($0, nil) } }
        guard let challenge else { return nil }
        if let proof = request.tokenProof {
            return try access.pair(proof: proof, for: challenge, name: name, at: now).map { ($0.client, nil) }
        }
        if let proof = request.keyProof { return try access.client(proving: proof, for: challenge).map { ($0, nil) } }
        return nil
    }

    /// Closes the WebSocket of a client that was not admitted, which frees its place at once.
    private func turnOut(_ client: PanelClient, _ reason: String? = nil) {
        client.timer?.cancel()
        clients[ObjectIdentifier(client.connection)] = nil
        if let reason { client.connection.send(.text(EntryAnswer(error: reason).text)) }
        client.connection.close(.denied)
    }

    private func enter(_ client: PanelClient, as role: Role, named name: String? = nil, key: String? = nil) {
        client.timer?.cancel()
        client.role = role
        byEndpoint[client.endpoint] = client
        packets.open(client.endpoint, as: role, named: name)
        client.connection.send(.text(EntryAnswer(key: key, role: role.rawValue, version: configuration.version, pass: client.pass).text))
    }

    /// Closes the connections of clients that are revoked meanwhile, while there are any paired ones.
    private func watchRevocations() {
        guard revocationTimer == nil, listeners.hasPaired || clients.values.contains(where: { $0.pairing != nil }) else { return }
        let now = MonotonicClock.seconds
        revocationTimer = loop.schedule(at: now + Self.revocationTime, now: now) { [weak self] in
            guard let self else { return }
            revocationTimer = nil
            closeRevoked()
            watchRevocations()
        }
    }

    private func closeRevoked() {
        guard readKnown() else { return }
        // All are compared each time, since a client may have entered or begun to listen since the file was changed.
        for client in clients.values {
            if let hash = client.pairing, !known.contains(hash) { client.connection.close(.denied) }
        }
        listeners.endRevoked(known: known)
    }

    /// Whether a paired client has been revoked, or that cannot be found out. One on this machine never is.
    private func isRevoked(_ pairing: String?) -> Bool {
        guard let pairing else { return false }
        return !readKnown() || !known.contains(pairing)
    }

    /// Reads which clients are paired, if the file has changed; false if it cannot be read.
    private func readKnown() -> Bool {
        let version = configuration.access.version
        if version == accessVersion { return true }
        guard let clients = try? configuration.access.clients() else { return false }
        (accessVersion, known) = (version, Set(clients.map(\.hash)))
        return true
    }
}

/// A client of the panel.
final class PanelClient {
    let connection: HTTPConnection
    let endpoint: Endpoint
    /// `nil` until the client has been admitted.
    var role: Role?
    /// The hash of the key that it has shown, or got.
    var pairing: String?
    /// The text for which it is to prove its token or key, if it has asked for one.
    var challenge: String?
    /// The text that its page shows with other requests; `nil` if it sends its key.
    var pass: String?
    var timer: WebTimer?
    /// The name under which its attempts are counted.
    let address: String
    /// When it came, in seconds on the monotonic clock.
    let opened: Double

    init(_ connection: HTTPConnection, _ endpoint: Endpoint, _ address: String, at now: Double) {
        (self.connection, self.endpoint, self.address, self.opened) = (connection, endpoint, address, now)
    }
}

/// Carries a value of the server's thread through code on other threads.
struct OnLoop<Value>: @unchecked Sendable {
    // SAFETY: made and used on the server's thread only.
    let value: Value

    init(_ value: Value) { self.value = value }
}
