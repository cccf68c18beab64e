// The web server's thread: those who listen to what plays.

import HTTP
import OperatingSystem

/// Serves what plays as streams of sound, to a bounded number of listeners.
final class PanelListeners {
    /// Begins to encode what plays for a listener.
    ///
    /// - Returns: A sentence saying why that is not possible at the moment; `nil` if it was begun.
    typealias Source = @Sendable (ListenedFormat, ListenedStream) -> String?

    private struct Listener {
        let connection: HTTPConnection
        let stream: ListenedStream
        let ticket: ListeningTickets.Ticket?
        let place: Place
    }

    /// The place of one of the listeners. A player that asks for the first bytes only, as Safari does, gets the stream like others, since a server may
    /// ignore ranges (RFC 9110, section 14.2). Some close it at once, and some continue to read it; so at first it gives way to another listener.
    struct Place {
        let isProbe: Bool
        /// In seconds on the monotonic clock.
        let begun: Double

        /// Seconds for which a player that asks for the first bytes only gives way.
        private static let probeTime = 10.0

        func givesWay(at now: Double) -> Bool { isProbe && now < begun + Self.probeTime }
    }

    private let loop: WebLoop
    private let source: Source
    private var listeners: [ObjectIdentifier: Listener] = [:]
    private var tickets = ListeningTickets()

    static let maximumCount = 8

    init(_ loop: WebLoop, source: @escaping Source) { (self.loop, self.source) = (loop, source) }

    /// The format of a stream's path, such as `/listen.mp3`; `nil` for other paths.
    static func format(of path: String) -> ListenedFormat? {
        path.hasPrefix("/listen.") ? ListenedFormat(rawValue: String(path.dropFirst("/listen.".count))) : nil
    }

    /// A ticket for the page of a client that has been admitted.
    ///
    /// - Parameter pairing: The hash of the client's key; `nil` if it is on this machine.
    func issueTicket(for pairing: String?) -> String { tickets.issue(for: pairing, at: MonotonicClock.seconds) }

    /// The text of the ticket that the request shows, valid or not.
    static func ticket(in request: Request) -> String? {
        let prefix = "ticket="
        return request.query?.split(separator: "&").first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }

    /// The ticket of that text, if it is valid for that address.
    func ticket(_ text: String, from address: String) -> ListeningTickets.Ticket? {
        tickets.ticket(text, from: address, at: MonotonicClock.seconds)
    }

    /// Whether paired clients are listening.
    var hasPaired: Bool { listeners.values.contains { $0.ticket?.pairing != nil } }

    /// Ends the streams, and drops the tickets, of paired clients whose keys are not among the hashes any more.
    func endRevoked(known: Set<String>) {
        tickets.dropRevoked(known: known)
        for listener in listeners.values {
            if let id = listener.ticket?.pairing, !known.contains(id) { end(listener) }
        }
    }

    /// Answers a request for a stream that may be answered.
    func answer(_ request: Request, _ format: ListenedFormat, _ ticket: ListeningTickets.Ticket?, on connection: HTTPConnection) {
        let now = MonotonicClock.seconds
        let isFull = listeners.count >= Self.maximumCount
        let earlier = ticket.flatMap { ticket in listeners.values.first { $0.ticket?.text == ticket.text } }
        let replaced = earlier ?? (isFull ? listeners.values.first { $0.place.givesWay(at: now) } : nil)
        guard replaced != nil || !isFull else {
            return refuse(connection, "\(Self.maximumCount) devices are already listening: stop one of them first.")
        }
        let response = Response(.ok, format.type, [], headers: [("Accept-Ranges", "none")] + PanelFiles.headers)
        guard request.method != "HEAD" else { return connection.respond(withHeadOfStream: response) }
        if let replaced { end(replaced) }
        let all = OnLoop(self)
        let stream = ListenedStream { [loop] stream in loop.post { all.value.pass(stream) } }
        if let reason = source(format, stream) { return refuse(connection, reason) }
        let id = ObjectIdentifier(stream)
        let place = Place(isProbe: ["bytes=0-0", "bytes=0-1"].contains(request.headers["range"]), begun: now)
        listeners[id] = Listener(connection: connection, stream: stream, ticket: ticket, place: place)
        connection.stream(response) { [weak self] in
            self?.listeners[id] = nil
            stream.end()
        }
    }

    private func refuse(_ connection: HTTPConnection, _ sentence: String) {
        connection.respond(Response(.unavailable, text: sentence, closes: true, headers: [("Retry-After", "5")] + PanelFiles.headers))
    }

    private func pass(_ stream: ListenedStream) {
        guard let listener = listeners[ObjectIdentifier(stream)] else { return }
        let (bytes, isOver) = stream.take()
        listener.connection.send(streamed: bytes)
        if isOver { end(listener) }
    }

    private func end(_ listener: Listener) {
        listeners[ObjectIdentifier(listener.stream)] = nil
        listener.stream.end()
        listener.connection.endStream()
    }
}
