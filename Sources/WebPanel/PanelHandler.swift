// The web server's thread: the panel's files, and WebSockets that carry OSC.

import Foundation
import HTTP
import OSC
import OSCRemote
import POSIX
import RegularFiles

/// Serves the panel's page, and lets clients exchange OSC packets with the player over WebSockets.
///
/// It runs on the server's thread. Packets reach the control actor through ``OSCWebSockets``.
package final class PanelHandler: WebHandler {
    private let loop: WebLoop
    private let configuration: Configuration
    private let packets: OSCWebSockets
    private let picture: (PictureRequest, @escaping @Sendable (Picture?) -> Void) -> Void
    private var clients: [ObjectIdentifier: PanelClient] = [:]
    private var byEndpoint: [Endpoint: PanelClient] = [:]
    private let listeners: PanelListeners
    private var limit = EntryLimit()
    private var accessVersion: [Int]?
    private var revocationTimer: WebTimer?

    package struct Configuration: Sendable {
        package var access: AccessFile
        /// The role of clients on this machine.
        package var localRole: Role
        /// The program's version.
        package var version: String

        package init(access: AccessFile, localRole: Role, version: String) {
            (self.access, self.localRole, self.version) = (access, localRole, version)
        }
    }

    package struct PictureRequest: Sendable {
        package var isDark = false
        /// The width in points.
        package var width = 1200.0
    }

    /// The picture of what plays.
    package struct Picture: Sendable {
        var svg: [UInt8]
        /// The start and the end of the time axis, as fractions of the width.
        var span: ClosedRange<Double>
        /// For the page: the seconds at the end of the time axis, then for each panel its name, its top and bottom as parts of the height, and
        /// the values at its bottom and top, with semicolons between them.
        var axes: String

        package init(svg: [UInt8], span: ClosedRange<Double>, axes: String) { (self.svg, self.span, self.axes) = (svg, span, axes) }
    }

    /// The path of WebSockets that carry OSC.
    package static let socketPath = "/osc"
    /// Clients that are connected and have not shown a token or a key yet.
    private static let strangerLimit = 4
    /// Seconds that they have for it.
    private static let strangerTime = 2.0
    /// Seconds between looks at the file of paired clients.
    private static let revocationTime = 2.0

    /// - Parameters:
    ///   - listen: Begins to encode what plays for a listener; the result is a sentence saying why that is not possible at the moment.
    ///   - picture: Draws what plays; `nil` if nothing does.
    package init(
        _ loop: WebLoop, _ configuration: Configuration, packets: OSCWebSockets,
        listen: @escaping @Sendable (ListenedFormat, ListenedStream) -> String?,
        picture: @escaping (PictureRequest, @escaping @Sendable (Picture?) -> Void) -> Void
    ) {
        (self.loop, self.configuration, self.packets, self.picture) = (loop, configuration, packets, picture)
        listeners = PanelListeners(loop, source: listen)
    }

    /// Sends a packet to a client; it is dropped if the client does not keep up.
    package func send(_ packet: [UInt8], to endpoint: Endpoint) { byEndpoint[endpoint]?.connection.send(.binary(packet)) }

    /// Resumes reading from a client whose packets have been handled.
    package func resume(_ endpoint: Endpoint) { byEndpoint[endpoint]?.connection.resume() }

    // MARK: Requests

    package func received(_ request: Request, on connection: HTTPConnection) {
        guard limit.admits(limited(connection, request), at: MonotonicClock.seconds) else { return connection.respond(Self.tooMany) }
        if request.path == "/picture.svg" {
            guard mayLook(request, on: connection) else {
                return connection.respond(Response(.forbidden, text: "This page is not paired.", headers: PanelFiles.headers))
            }
            return draw(request, on: connection)
        }
        if let format = PanelListeners.format(of: request.path) { return listen(request, format, on: connection) }
        guard let file = PanelFiles.file(at: request.path) else {
            return connection.respond(Response(.notFound, headers: PanelFiles.headers))
        }
        connection.respond(Response(.ok, file.type, file.bytes, headers: PanelFiles.headers))
    }

    /// A page that gets this instead of its file asks again by itself.
    private static var tooMany: Response {
        Response(.tooManyRequests, closes: true, headers: [("Retry-After", "60"), ("Refresh", "10")] + PanelFiles.headers)
    }

    /// Whether the client is on this machine or shows its key.
    private func mayLook(_ request: Request, on connection: HTTPConnection) -> Bool {
        if isTrusted(connection, request) { return true }
        guard let key = request.headers["binaural-key"] else { return false }
        if (try? configuration.access.client(withKey: key)) ?? nil != nil { return true }
        limit.noteFailure(of: limited(connection, request), at: MonotonicClock.seconds)
        return false
    }

    /// Admits listeners that have a ticket, or that are on this machine and were not sent here by a page of another site.
    private func listen(_ request: Request, _ format: ListenedFormat, on connection: HTTPConnection) {
        let address = limited(connection, request)
        let ticket = listeners.ticket(of: request, from: address)
        // A browser plays sound for any page, without naming it in `Origin`.
        let isElsewhere = request.headers["sec-fetch-site"].map { !["same-origin", "none"].contains($0) } ?? false
        guard !isElsewhere, ticket != nil || isTrusted(connection, request) else {
            limit.noteFailure(of: address, at: MonotonicClock.seconds)
            return connection.respond(
                Response(.forbidden, text: "Only the page of a paired device may listen, with a new ticket.", headers: PanelFiles.headers))
        }
        listeners.answer(request, format, ticket, on: connection)
        watchRevocations()
    }

    private func draw(_ request: Request, on connection: HTTPConnection) {
        var wanted = PictureRequest()
        for part in (request.query ?? "").split(separator: "&") {
            if part == "dark" { wanted.isDark = true }
            if part.hasPrefix("width="), let width = Double(part.dropFirst(6)), width.isFinite { wanted.width = min(max(width, 360), 4000) }
        }
        let waiting = OnLoop(connection)
        picture(wanted) { [loop] picture in
            loop.post {
                guard let picture else { return waiting.value.respond(Response(.noContent, headers: PanelFiles.headers)) }
                let span = "\(picture.span.lowerBound) \(picture.span.upperBound)"
                let headers = PanelFiles.headers + [("Time-Span", span), ("Axes", picture.axes)]
                waiting.value.respond(Response(.ok, "image/svg+xml", picture.svg, headers: headers))
            }
        }
    }

    /// The name under which the attempts of a client are counted. An IPv6 client has all addresses of its network; a proxy on this machine, with
    /// all that come through it, does not lock out the programs on it.
    private func limited(_ connection: HTTPConnection, _ request: Request?) -> String {
        if isTrusted(connection, request) { return "this machine's \(connection.far.host)" }
        return if case .ipv6(let high, _, _)? = IPAddress(connection.far.host) { "\(high)" } else { connection.far.host }
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
        guard limit.admits(limited(connection, request), at: MonotonicClock.seconds) else { return Self.tooMany }
        let strangers = clients.values.count { $0.role == nil }
        guard strangers < Self.strangerLimit || isTrusted(connection, request) else {
            return Response(.unavailable, text: "Other clients are connecting: try again.", closes: true)
        }
        return nil
    }

    /// Whether the client is a program on this machine. A proxy on this machine is called by another name.
    private func isTrusted(_ connection: HTTPConnection, _ request: Request?) -> Bool {
        connection.isLocal && request.map { $0.headers["host"].map(HostRule.isLoopback(authority:)) ?? true } == true
    }

    package func opened(_ webSocket: HTTPConnection) {
        guard let host = IPAddress(webSocket.far.host) else { return webSocket.close(.denied) }
        let client = PanelClient(webSocket, Endpoint(host: host, port: webSocket.far.port))
        clients[ObjectIdentifier(webSocket)] = client
        if isTrusted(webSocket, webSocket.handshake) { return enter(client, as: configuration.localRole) }
        let now = MonotonicClock.seconds
        client.timer = loop.schedule(at: now + Self.strangerTime, now: now) { [weak self, weak client] in
            if let client, client.role == nil { self?.turnOut(client) }
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
        let address = limited(client.connection, client.connection.handshake)
        let found: (client: AccessFile.Client, key: String?)?
        do throws(FileError) {
            if let token = request.token {
                found = try configuration.access.pair(token: token, name: request.shownName, at: Date().timeIntervalSince1970)
                    .map { ($0.client, $0.key) }
            } else {
                found = try request.key.flatMap { key throws(FileError) in try configuration.access.client(withKey: key) }.map { ($0, nil) }
            }
        } catch {
            return turnOut(client, "\(error)")
        }
        guard let found else {
            limit.noteFailure(of: address, at: MonotonicClock.seconds)
            let remedy = "The \(request.token == nil ? "key was revoked" : "token was used or has expired"): run 'binaural web pair'."
            return turnOut(client, remedy)
        }
        limit.noteSuccess(of: address)
        client.pairing = found.client.id
        enter(client, as: found.client.access, named: found.client.name, key: found.key)
        watchRevocations()
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
        client.connection.send(.text(EntryAnswer(key: key, role: role.rawValue, version: configuration.version).text))
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
        let version = configuration.access.version
        guard version != accessVersion, let known = try? configuration.access.clients().map(\.id) else { return }
        accessVersion = version
        for client in clients.values {
            if let id = client.pairing, !known.contains(id) { client.connection.close(.denied) }
        }
        listeners.endRevoked(known: known)
    }
}

/// A client of the panel.
final class PanelClient {
    let connection: HTTPConnection
    let endpoint: Endpoint
    /// `nil` until the client has been admitted.
    var role: Role?
    /// The number of the paired client whose key it has shown.
    var pairing: Int?
    var timer: WebTimer?

    init(_ connection: HTTPConnection, _ endpoint: Endpoint) { (self.connection, self.endpoint) = (connection, endpoint) }
}

/// Carries a value of the server's thread through code on other threads.
struct OnLoop<Value>: @unchecked Sendable {
    // SAFETY: made and used on the server's thread only.
    let value: Value

    init(_ value: Value) { self.value = value }
}
