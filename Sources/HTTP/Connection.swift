// The web server's thread: one connection of a client.

import Glibc

/// One client: bytes in, bytes out, none of them without bounds. Only used on the server's thread.
package final class Connection {
    let descriptor: Int32
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    /// Of the output, what the network has taken.
    private var sentCount = 0
    private var state: State
    /// The text of the frames of a message that is not complete.
    private var message: [UInt8]?
    /// When the client is given up, on the clock of ``WebServer/now``.
    private(set) var deadline: Double
    private(set) var isOver = false
    /// It is a WebSocket, or was one.
    private(set) var hasOpened = false
    private var request: Request?
    private var isText = false
    private var heartbeat: Heartbeat

    private enum State {
        /// Waits for a request.
        case head
        /// A request is being answered.
        case answering
        case webSocket
        /// Nothing more is said than what waits.
        case finishing
        /// All has been said: the client may see it before the connection goes.
        case draining
    }

    /// Seconds until a request has to be complete, and those for which a connection may be idle or its client read nothing.
    static let patience = 10.0
    /// Seconds that a client has to read the last answer.
    private static let drainTime = 1.0
    /// Bytes that wait for a WebSocket's client, beyond which it is told no more until it has read.
    private static let outputLimit = 65_536

    /// - Parameter pingInterval: Seconds without a byte from a WebSocket's client after which it is pinged.
    init(_ descriptor: Int32, at now: Double, pingInterval: Double) {
        self.descriptor = descriptor
        state = .head
        deadline = now + Self.patience
        heartbeat = Heartbeat(interval: pingInterval, at: now)
    }

    deinit { Glibc.close(descriptor) }

    package var isWebSocket: Bool { if case .webSocket = state { true } else { false } }

    /// Whether a WebSocket's client keeps up with what it is told.
    package var hasRoom: Bool { output.count - sentCount < Self.outputLimit }

    // MARK: Out

    /// Answers the request that waits for it.
    package func respond(_ response: Response) {
        guard case .answering = state, let request else { return }
        let closes = response.closes || !request.keepsAlive
        output += response.encoded(hasBody: request.method != "HEAD", closes: closes)
        state = response.status == .switchingProtocols ? .webSocket : closes ? .finishing : .head
        self.request = nil
        deadline = WebServer.now + Self.patience
    }

    /// Dropped where the client does not keep up.
    package func send(_ frame: WebSocketFrame) {
        guard isWebSocket, hasRoom else { return }
        if sentCount == output.count { deadline = WebServer.now + Self.patience }
        output += frame.encoded
    }

    /// Says goodbye.
    package func close(_ fault: WebSocketFrame.Fault) {
        guard isWebSocket else { return }
        output += WebSocketFrame.close(fault).encoded
        finish()
    }

    private func finish() {
        state = .finishing
        deadline = WebServer.now + Self.patience
    }

    /// There is no room: one answer, at once or not at all.
    func turnAway() {
        refuse(Response(.unavailable, text: "\(WebServer.maximumConnectionCount) connections are open: close one.", closes: true))
        transmit()
    }

    private func refuse(_ response: Response) {
        output += response.encoded(closes: true)
        finish()
    }

    // MARK: The server's turn

    /// What it waits for, for `poll`.
    var events: Int16 {
        var events: Int32 = 0
        if wantsInput { events |= POLLIN }
        if sentCount < output.count { events |= POLLOUT }
        return Int16(events)
    }

    /// A client that does not take its answers asks nothing more.
    private var wantsInput: Bool {
        switch state {
        case .head: sentCount == output.count
        case .webSocket: hasRoom
        case .draining: true
        case .answering, .finishing: false
        }
    }

    /// Whether the patience with the client has a limit at the moment.
    var isWaiting: Bool {
        switch state {
        case .answering: false
        case .webSocket: sentCount < output.count
        default: true
        }
    }

    /// When ``pingIfSilent(at:)`` is to be called; `nil` unless it is a WebSocket.
    var pingDue: Double? { isWebSocket ? heartbeat.due : nil }

    /// Asks a WebSocket's client that has been silent for a while whether it is still there, and gives it up when it has not answered.
    func pingIfSilent(at now: Double) {
        guard isWebSocket, heartbeat.due <= now else { return }
        // A client that has yet to read what waits would see no ping, and the patience with it has a limit of its own.
        guard sentCount == output.count else { return heartbeat.putOff(from: now) }
        switch heartbeat.beat(at: now) {
        case .ping: send(WebSocketFrame(.ping, []))
        case .giveUp: isOver = true
        }
    }

    func expire() {
        // Half a request is worth an answer; silence is not.
        if case .head = state, !input.isEmpty, sentCount == output.count { return refuse(Response(.timeout, closes: true)) }
        isOver = true
    }

    /// Takes what has come, then gives what waits.
    func advance(_ ready: Int16, _ handler: any WebHandler) {
        if ready & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
            isOver = true
            return
        }
        if ready & Int16(POLLIN) != 0 { receive() }
        transmit()
        var before = -1
        while !isOver, input.count != before {
            before = input.count
            interpret(handler)
            transmit()
        }
    }

    private func receive() {
        guard wantsInput else { return }
        let room = Request.maximumHeadSize - input.count
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { buffer in
            // SAFETY: recv writes at most `room` bytes, which the buffer has.
            let count = recv(descriptor, buffer.baseAddress, room, Int32(MSG_DONTWAIT))
            if count > 0, !isDraining { input += buffer[..<count] }
            return count
        }
        if count > 0 { heartbeat.heard(at: WebServer.now) }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isOver = true }
    }

    private var isDraining: Bool { if case .draining = state { true } else { false } }

    /// One request or one frame, if it is all there and the one before it has been answered.
    private func interpret(_ handler: any WebHandler) {
        switch state {
        case .head where sentCount == output.count && !input.isEmpty: interpretHead(handler)
        case .webSocket: interpretFrame(handler)
        default: break
        }
    }

    private func interpretHead(_ handler: any WebHandler) {
        switch Request.read(input) {
        case .incomplete: break
        case .refused(let response): refuse(response)
        case .complete(let request, let size):
            input.removeFirst(size)
            self.request = request
            state = .answering
            if let refusal = WebServer.refusal(request) {
                respond(refusal)
            } else if let answer = Handshake.answer(request) {
                respond(answer)
                if isWebSocket {
                    hasOpened = true
                    handler.opened(self)
                }
            } else {
                handler.received(request, on: self)
            }
        }
    }

    private func interpretFrame(_ handler: any WebHandler) {
        do throws(WebSocketFrame.Fault) {
            guard let (frame, size) = try WebSocketFrame.read(input[...]) else { return }
            input.removeFirst(size)
            switch frame.kind {
            case .ping: send(WebSocketFrame(.pong, frame.payload))
            case .pong: break
            case .close:
                output += WebSocketFrame(.close, Array(frame.payload.prefix(2))).encoded
                finish()
            case .text, .binary, .continuation:
                if let text = try text(frame) { handler.received(text, on: self) }
            }
        } catch {
            close(error)
        }
    }

    /// The text of a message that is complete with this frame; bytes are read and mean nothing.
    private func text(_ frame: WebSocketFrame) throws(WebSocketFrame.Fault) -> String? {
        guard (frame.kind == .continuation) == (message != nil) else { throw .malformed }
        if frame.kind != .continuation { isText = frame.kind == .text }
        let bytes = (message ?? []) + frame.payload
        guard bytes.count <= WebSocketFrame.maximumPayloadSize else { throw .tooLarge }
        message = frame.isLast ? nil : bytes
        guard frame.isLast, isText else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        return text
    }

    func transmit() {
        while sentCount < output.count {
            let count = output.withUnsafeBytes { bytes in
                // SAFETY: the rest of the output is that long.
                Glibc.send(
                    descriptor, bytes.baseAddress! + sentCount, bytes.count - sentCount,
                    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno != EAGAIN && errno != EINTR { isOver = true }
                break
            }
            sentCount += count
            deadline = WebServer.now + Self.patience
        }
        if sentCount == output.count {
            (output, sentCount) = ([], 0)
            if case .finishing = state {
                shutdown(descriptor, Int32(SHUT_WR))
                state = .draining
                input = []
                deadline = WebServer.now + Self.drainTime
            }
        } else if sentCount >= Self.outputLimit {
            output.removeFirst(sentCount)
            sentCount = 0
        }
    }
}
