// The web server's thread: those who listen to what plays.

import HTTP
import POSIX

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
    /// - Parameter pairing: The client's number; `nil` if it is on this machine.
    func issueTicket(for pairing: Int?) -> String { tickets.issue(for: pairing, at: MonotonicClock.seconds) }

    /// The valid ticket that the request from that address shows.
    func ticket(of request: Request, from address: String) -> ListeningTickets.Ticket? {
        let prefix = "ticket="
        guard let part = request.query?.split(separator: "&").first(where: { $0.hasPrefix(prefix) }) else { return nil }
        return tickets.ticket(String(part.dropFirst(prefix.count)), from: address, at: MonotonicClock.seconds)
    }

    /// Whether paired clients are listening.
    var hasPaired: Bool { listeners.values.contains { $0.ticket?.pairing != nil } }

    /// Ends the streams of paired clients that are not among the known ones any more.
    func endRevoked(known: [Int]) {
        for listener in listeners.values {
            if let id = listener.ticket?.pairing, !known.contains(id) { end(listener) }
        }
    }

    /// Answers a request for a stream that may be answered.
    func answer(_ request: Request, _ format: ListenedFormat, _ ticket: ListeningTickets.Ticket?, on connection: HTTPConnection) {
        guard request.method != "HEAD" else { return connection.respond(Response(.ok, format.type, [], headers: PanelFiles.headers)) }
        if let ticket, let earlier = listeners.values.first(where: { $0.ticket?.text == ticket.text }) { end(earlier) }
        guard listeners.count < Self.maximumCount else {
            return refuse(connection, "\(Self.maximumCount) devices are already listening: stop one of them first.")
        }
        let all = OnLoop(self)
        let stream = ListenedStream { [loop] stream in loop.post { all.value.pass(stream) } }
        if let reason = source(format, stream) { return refuse(connection, reason) }
        let id = ObjectIdentifier(stream)
        listeners[id] = Listener(connection: connection, stream: stream, ticket: ticket)
        connection.stream(Response(.ok, format.type, [], headers: PanelFiles.headers)) { [weak self] in
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
