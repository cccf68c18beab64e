// The web server's thread: one connection of a client.

import Glibc
import POSIX

/// One client's connection; its buffers are bounded. Only used on the server's thread.
package final class HTTPConnection {
    let descriptor: Int32
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    /// Bytes of the output that have been sent.
    private var sentCount = 0
    private var state: State
    /// The payload so far of a fragmented message; `nil` between messages.
    private var message: [UInt8]?
    /// When the client is given up if it has not made progress, on the monotonic clock.
    private(set) var deadline: Double
    private(set) var isOver = false
    /// Whether the connection is or was a WebSocket.
    private(set) var hasOpened = false
    private var request: Request?
    private var isText = false
    private var heartbeat: Heartbeat
    private let hosts: HostRule
    /// Whether the client is on this machine.
    package let isLocal: Bool
    /// The numeric address of this machine at which the client has reached it.
    package let localHost: String

    private enum State {
        /// Waiting for a request.
        case head
        /// A request is being answered.
        case answering
        case webSocket
        /// The remaining output is being sent; nothing is added to it.
        case finishing
        /// Everything has been sent; the client gets a moment to read it before the socket is closed.
        case draining
    }

    /// Seconds that a client may take to complete a request, to read what it was sent, or to stay idle between requests.
    static let patience = 10.0
    /// Seconds that a client has to read the last answer before the socket is closed.
    private static let drainTime = 1.0
    /// Bytes of unread output at which a WebSocket's client gets no more messages until it has read some.
    private static let outputLimit = 65_536

    /// - Parameter pingInterval: Seconds without a byte from a WebSocket's client after which it is pinged.
    init(_ descriptor: Int32, at now: Double, hosts: HostRule, pingInterval: Double) {
        self.descriptor = descriptor
        self.hosts = hosts
        isLocal = SocketAddress(ofFarEnd: descriptor)?.isLoopback ?? false
        localHost = SocketAddress(ofLocalEnd: descriptor)?.host ?? ""
        state = .head
        deadline = now + Self.patience
        heartbeat = Heartbeat(interval: pingInterval, at: now)
    }

    deinit { Glibc.close(descriptor) }

    package var isWebSocket: Bool { if case .webSocket = state { true } else { false } }

    /// Whether there is room for another message, that is, whether the WebSocket's client keeps up.
    package var hasRoom: Bool { output.count - sentCount < Self.outputLimit }

    // MARK: Out

    /// Answers the pending request.
    package func respond(_ response: Response) {
        guard case .answering = state, let request else { return }
        let closes = response.closes || !request.keepsAlive
        output += response.encoded(hasBody: request.method != "HEAD", closes: closes)
        state = response.status == .switchingProtocols ? .webSocket : closes ? .finishing : .head
        self.request = nil
        deadline = MonotonicClock.seconds + Self.patience
    }

    /// Queues a frame; it is dropped if the client does not keep up.
    package func send(_ frame: WebSocketFrame) {
        guard isWebSocket, hasRoom else { return }
        if sentCount == output.count { deadline = MonotonicClock.seconds + Self.patience }
        output += frame.encoded
    }

    /// Sends a close frame and closes the connection.
    package func close(_ fault: WebSocketFrame.Fault) {
        guard isWebSocket else { return }
        output += WebSocketFrame.close(fault).encoded
        finish()
    }

    private func finish() {
        state = .finishing
        deadline = MonotonicClock.seconds + Self.patience
    }

    /// Answers that the server is full, as far as can be sent without waiting, and closes the connection.
    func turnAway(_ reason: String) {
        refuse(Response(.unavailable, text: reason, closes: true))
        transmit()
    }

    private func refuse(_ response: Response) {
        output += response.encoded(closes: true)
        finish()
    }

    // MARK: The server's turn

    /// The events to `poll` for.
    var events: Int16 {
        var events: Int32 = 0
        if wantsInput { events |= POLLIN }
        if sentCount < output.count { events |= POLLOUT }
        return Int16(events)
    }

    /// A client that does not read its answers is not read from.
    private var wantsInput: Bool {
        switch state {
        case .head: sentCount == output.count
        case .webSocket: hasRoom
        case .draining: true
        case .answering, .finishing: false
        }
    }

    /// Whether ``deadline`` applies at the moment.
    var isWaiting: Bool {
        switch state {
        case .answering: false
        case .webSocket: sentCount < output.count
        default: true
        }
    }

    /// When ``pingIfSilent(at:)`` is to be called; `nil` unless it is a WebSocket.
    var pingDue: Double? { isWebSocket ? heartbeat.due : nil }

    /// Pings a WebSocket's client that has been silent for an interval, and gives it up when it has not answered.
    func pingIfSilent(at now: Double) {
        guard isWebSocket, heartbeat.due <= now else { return }
        // A client that has yet to read its output would not see the ping; its deadline covers that case.
        guard sentCount == output.count else { return heartbeat.putOff(from: now) }
        switch heartbeat.beat(at: now) {
        case .ping: send(WebSocketFrame(.ping, []))
        case .giveUp: isOver = true
        }
    }

    func expire() {
        // An incomplete request is answered with a timeout; an idle connection is just closed.
        if case .head = state, !input.isEmpty, sentCount == output.count { return refuse(Response(.timeout, closes: true)) }
        isOver = true
    }

    /// Reads the input that has arrived, interprets it, and writes pending output.
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
        if count > 0 { heartbeat.heard(at: MonotonicClock.seconds) }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isOver = true }
    }

    private var isDraining: Bool { if case .draining = state { true } else { false } }

    /// Interprets one request or one frame if it is complete and the one before it has been answered.
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
            if let refusal = refusal(request) {
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

    /// The response that refuses a request; `nil` if it may be handled.
    private func refusal(_ request: Request) -> Response? {
        if !hosts.admits(request, isLocal: isLocal) {
            return Response(
                .forbidden, text: "Only requests to an address or a name of this machine, and not from pages of other sites, are answered.",
                closes: true)
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            return Response(.methodNotAllowed, closes: true, headers: ["Allow: GET, HEAD"])
        }
        return request.hasBody ? Response(.bodyTooLarge, closes: true) : nil
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

    /// The text of the message that this frame completes; `nil` for an incomplete or a binary message.
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
            deadline = MonotonicClock.seconds + Self.patience
        }
        if sentCount == output.count {
            (output, sentCount) = ([], 0)
            if case .finishing = state {
                shutdown(descriptor, Int32(SHUT_WR))
                state = .draining
                input = []
                deadline = MonotonicClock.seconds + Self.drainTime
            }
        } else if sentCount >= Self.outputLimit {
            output.removeFirst(sentCount)
            sentCount = 0
        }
    }
}
