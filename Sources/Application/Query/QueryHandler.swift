// The web server's thread: snapshots from the main queue are looked up, compared and serialised there.
import HTTP
import OSCRemote
import OperatingSystem

/// Answers OSCQuery requests and sends WebSockets the values that they listen to. It runs on the server's thread; it knows the player only
/// from the trees that the OSC server supplies, which it requests no more often than necessary.
final class QueryHandler: WebHandler, @unchecked Sendable {
    // SAFETY: everything runs on the server's thread, except for the closure that `ask` passes on, which returns to that thread.
    private let loop: WebLoop
    private let port: UInt16
    private let changes: ChangeFlag
    private let ask: (@escaping @Sendable (QueryTree) -> Void) -> Void
    private var waiting: [Question] = []
    /// The questions that the requested tree will answer.
    private var asked: [Question] = []
    private var isAsking = false
    private var lastAsked = -Double.infinity
    private var listeners: [ObjectIdentifier: (socket: HTTPConnection, listener: QueryListener)] = [:]
    private var last: QueryTree?
    private var alarm: (timer: WebTimer, due: Double)?

    private typealias Question = (request: Request, connection: HTTPConnection)

    /// Seconds between trees: for a request, after a change, and for listeners to values that change with time.
    private static let (shortest, afterChange, longest) = (0.005, 0.02, 0.05)

    /// - Parameters:
    ///   - port: That of the server, which the answers name.
    ///   - ask: Requests a tree, which is passed to its argument on any thread.
    init(_ loop: WebLoop, port: UInt16, _ changes: ChangeFlag, ask: @escaping (@escaping @Sendable (QueryTree) -> Void) -> Void) {
        self.loop = loop
        self.port = port
        self.changes = changes
        self.ask = ask
    }

    func received(_ request: Request, on connection: HTTPConnection) {
        waiting.append((request, connection))
        arrange()
    }

    func refusal(ofWebSocket request: Request, on connection: HTTPConnection) -> Response? { nil }

    func opened(_ webSocket: HTTPConnection) {
        let isOwn = webSocket.handshake.map(webSocket.isOwn) ?? false
        listeners[ObjectIdentifier(webSocket)] = (webSocket, QueryListener(isForOthers: !isOwn))
        changes.setAwaited(true)
        arrange()
    }

    func received(_ message: WebSocketMessage, on webSocket: HTTPConnection) {
        guard case .text(let text) = message else { return }
        listeners[ObjectIdentifier(webSocket)]?.listener.take(text)
    }

    func closed(_ webSocket: HTTPConnection) {
        listeners[ObjectIdentifier(webSocket)] = nil
        changes.setAwaited(!listeners.isEmpty)
        if listeners.isEmpty { last = nil }
    }

    /// Called when the change flag was raised.
    func changed() { arrange() }

    private var nextDue: Double? {
        if isAsking { return nil }
        if !waiting.isEmpty { return lastAsked + Self.shortest }
        if listeners.isEmpty { return nil }
        return lastAsked + (changes.isRaised ? Self.afterChange : Self.longest)
    }

    /// Sets the alarm for the next question to the player.
    private func arrange() {
        guard let due = nextDue else { return }
        if let alarm, alarm.due <= due { return }
        alarm?.timer.cancel()
        let timer = loop.schedule(at: due, now: MonotonicClock.seconds) { [weak self] in
            self?.alarm = nil
            self?.act()
        }
        alarm = (timer, due)
    }

    private func act() {
        let now = MonotonicClock.seconds
        guard let due = nextDue, due <= now else { return arrange() }
        (asked, waiting) = (waiting, [])
        isAsking = true
        lastAsked = now
        changes.lower()
        ask { [self] tree in loop.post { self.take(tree) } }
    }

    private func take(_ tree: QueryTree) {
        isAsking = false
        for (request, connection) in asked { connection.respond(answer(request, connection, tree)) }
        asked = []
        defer { arrange() }
        guard !listeners.isEmpty else { return }
        if let last, tree.hasOtherLayers(than: last) {
            for (socket, _) in listeners.values {
                for text in QueryTree.pathChanges { socket.send(.text(text)) }
            }
        }
        last = tree
        var values = QueryValues(tree)
        for id in listeners.keys {
            guard let socket = listeners[id]?.socket else { continue }
            listeners[id]?.listener.sendChanges(&values, hasRoom: { socket.hasRoom }) { socket.send(.binary($0)) }
        }
    }

    private func answer(_ request: Request, _ connection: HTTPConnection, _ tree: QueryTree) -> Response {
        let tree = connection.isOwn(request) ? tree : tree.forOthers(at: connection.localHost)
        return switch tree.answer(request.path, query: request.query, port: port) {
        case .json(let body): .json(body)
        case .noContent: Response(.noContent)
        case .notFound(let sentence): Response(.notFound, text: sentence)
        case .badRequest(let sentence): Response(.badRequest, text: sentence)
        }
    }
}
