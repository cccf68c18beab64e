// The web server's thread: one connection of a client.

import NIOCore
import NIOHTTP1
import NIOWebSocket
import OperatingSystem

/// One client's connection. Only used on the server's thread.
///
/// The memory that a client can occupy is bounded, and so is the time that it has for each step.
package final class HTTPConnection {
    private let channel: any Channel
    private var state: State
    /// The request that is being answered.
    private var request: Request?
    /// The fault of the request that is being read, unless its syntax is wrong.
    var fault: Response?
    /// The time at which the client is disconnected unless it has made progress, on the monotonic clock.
    private var deadline: Double
    /// Bytes that were still to be sent when ``deadline`` was set.
    private var pendingCount = 0
    private var heartbeat: Heartbeat
    /// Whether the connection is or was a WebSocket.
    private(set) var hasOpened = false
    /// The request that has opened the WebSocket.
    package private(set) var handshake: Request?
    /// Called when the connection of a stream has been closed.
    private var streamEnded: (() -> Void)?
    private var hasAnswered = false
    /// Whether a frame is being written.
    private var isWriting = false
    private var alarm: (task: Scheduled<Void>, due: Double)?
    /// Whether the client is on this machine, and has not come through the port for a proxy. It may be a proxy all the same, see ``isOwn(_:)``.
    package let isLocal: Bool
    /// Whether the client has come through the port for a proxy.
    package let isProxied: Bool
    /// The numeric address of this machine at which the client has reached it.
    package let localHost: String
    /// The client's numeric address and port.
    package let far: (host: String, port: UInt16)

    private enum State {
        /// Waiting for a request; an incomplete one may have begun.
        case head(hasBegun: Bool)
        /// A request is being answered.
        case answering
        /// The answer is being sent.
        case sending
        case webSocket
        /// An answer of unknown length is being sent.
        case streaming
        /// The remaining output is being sent; nothing is added to it.
        case finishing
        /// Everything has been sent; the client gets a moment to read it before the connection is closed.
        case draining
        case over
    }

    /// Seconds that a client may take to complete a request, to read what it was sent, or to stay idle between requests.
    static let patience = 10.0
    /// Seconds that a client has to read the last answer before the connection is closed.
    private static let drainTime = 1.0
    /// Bytes of unread output at which a client is not read from, and a WebSocket's client gets no more messages, until it has read some.
    static let outputLimit = 65_536
    /// Bytes of unread output at which the client of a stream is disconnected: four seconds of FLAC, or 40 of MP3.
    package static let streamLimit = 1 << 20

    /// - Parameters:
    ///   - pingInterval: Seconds without a byte from a WebSocket's client after which it is pinged.
    ///   - isProxied: Whether it has come through the port for a proxy.
    init(_ channel: any Channel, pingInterval: Double, isProxied: Bool) {
        let now = MonotonicClock.seconds
        self.channel = channel
        far = (channel.remoteAddress?.ipAddress ?? "", UInt16(clamping: channel.remoteAddress?.port ?? 0))
        self.isProxied = isProxied
        isLocal = !isProxied && (far.host.hasPrefix("127.") || far.host == "::1")
        localHost = channel.localAddress?.ipAddress ?? ""
        state = .head(hasBegun: false)
        deadline = now + Self.patience
        heartbeat = Heartbeat(interval: pingInterval, at: now)
        arrange()
    }

    /// Whether a request comes from a program on this machine, and not through a proxy, which calls this machine by another name or says that it
    /// passes the request on.
    package func isOwn(_ request: Request) -> Bool {
        guard isLocal, !request.isForwarded, let host = request.headers["host"] else { return false }
        return HostRule.isLoopback(authority: host)
    }

    package var isWebSocket: Bool { if case .webSocket = state { true } else { false } }

    /// Whether there is room for another message, that is, whether the WebSocket's client keeps up.
    package var hasRoom: Bool { channel.isWritable }

    // MARK: Out

    /// Answers the pending request.
    package func respond(_ response: Response) {
        guard case .answering = state, let request else { return }
        self.request = nil
        send(response, closes: response.closes || !request.keepsAlive, hasBody: request.method != "HEAD")
    }

    /// Answers what is not a valid request, and closes the connection.
    func refuse(_ response: Response) {
        switch state {
        case .head, .answering: send(response, closes: true, hasBody: true)
        default: break
        }
    }

    private func send(_ response: Response, closes: Bool, hasBody: Bool) {
        begin(.sending)
        channel.write(HTTPServerResponsePart.head(response.head(closes: closes)), promise: nil)
        if hasBody, !response.body.isEmpty {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: response.body))), promise: nil)
        }
        // The end of the response lets the next request in, which has to wait until the client has read this response.
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))).assumeIsolated().whenSuccess { [self] in
            guard case .sending = state else { return }
            // The next request may begin while the end is being written.
            if !closes {
                hasAnswered = true
                begin(.head(hasBegun: false))
            }
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
            if closes { finish() }
        }
        arrange()
    }

    /// Begins to answer the pending request with a body whose end is open; ``send(streamed:)`` adds to it. The client is disconnected if it has
    /// ``streamLimit`` bytes left to read, or has not been up to date for ``patience``.
    ///
    /// - Parameters:
    ///   - response: The body's beginning may be empty.
    ///   - ended: Called when the connection has been closed, by whichever side.
    package func stream(_ response: Response, ended: @escaping () -> Void) {
        guard case .answering = state, let request else { return ended() }
        self.request = nil
        streamEnded = ended
        begin(.streaming)
        // A sender's buffer of the system's choice would hold minutes of sound for a client that does not read.
        channel.setOption(.socketOption(.so_sndbuf), value: Self.outputLimit).whenFailure { _ in }
        channel.writeAndFlush(HTTPServerResponsePart.head(response.streamHead(for: request)), promise: nil)
        send(streamed: response.body)
    }

    /// Answers a pending `HEAD` with the head that ``stream(_:ended:)`` would send, and closes the connection.
    package func respond(withHeadOfStream response: Response) {
        guard case .answering = state, let request else { return }
        self.request = nil
        // The end of the response is left out, since it would be sent as a chunk.
        channel.writeAndFlush(HTTPServerResponsePart.head(response.streamHead(for: request)), promise: nil)
        finish()
    }

    /// Adds to the body that ``stream(_:ended:)`` has begun.
    package func send(streamed bytes: [UInt8]) {
        guard case .streaming = state, !bytes.isEmpty else { return }
        let pending = pendingOutput
        guard pending <= Self.streamLimit else { return channel.close(promise: nil) }
        if pending == 0 { begin(.streaming) }
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
        arrange()
    }

    /// Completes the body that ``stream(_:ended:)`` has begun, and closes the connection.
    package func endStream() {
        guard case .streaming = state else { return }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        finish()
    }

    /// Queues a message; it is dropped if the client does not keep up.
    package func send(_ message: WebSocketMessage) {
        switch message {
        case .text(let text): send(.text, Array(text.utf8))
        case .binary(let bytes): send(.binary, bytes)
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ payload: [UInt8]) {
        guard isWebSocket, hasRoom else { return }
        if pendingOutput == 0 { begin(.webSocket) }
        write(opcode, payload)
        arrange()
    }

    /// A write that fails has the rest of the input read before it returns.
    private func write(_ opcode: WebSocketOpcode, _ payload: [UInt8]) {
        isWriting = true
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: ByteBuffer(bytes: payload)), promise: nil)
        isWriting = false
    }

    /// Sends a close frame and closes the connection.
    package func close(_ fault: WebSocketFault) { close([UInt8(fault.rawValue >> 8), UInt8(truncatingIfNeeded: fault.rawValue)]) }

    private func close(_ reason: [UInt8]) {
        guard isWebSocket else { return }
        write(.connectionClose, reason)
        finish()
    }

    /// Closes the connection when everything has been sent and the client has had the time to read it.
    private func finish() {
        begin(.finishing)
        channel.close(mode: .output).assumeIsolated().whenSuccess { [self] in
            guard case .finishing = state else { return }
            begin(.draining)
            arrange()
        }
        arrange()
    }

    // MARK: In

    /// Whether the client is not read from for the time being.
    private(set) var isPaused = false

    /// Stops reading from the client; what has been read already still arrives.
    package func pause() { isPaused = true }

    package func resume() {
        guard isPaused else { return }
        isPaused = false
        channel.read()
    }

    /// Whether input is interpreted; that of a connection that ends is discarded.
    var interpretsInput: Bool {
        switch state {
        case .finishing, .draining, .over: false
        default: true
        }
    }

    /// Notes that bytes have arrived.
    func heard() {
        heartbeat.heard(at: MonotonicClock.seconds)
        if case .head(hasBegun: false) = state { state = .head(hasBegun: true) }
    }

    /// Begins to answer a request.
    func begin(answering request: Request) {
        guard case .head = state else { return }
        self.request = request
        begin(.answering)
    }

    /// Notes the request that is about to open a WebSocket.
    func begin(opening request: Request) { handshake = request }

    func becomeWebSocket() {
        hasOpened = true
        begin(.webSocket)
        heartbeat.heard(at: MonotonicClock.seconds)
        arrange()
    }

    func received(_ frame: WebSocketFrame, _ handler: any WebHandler) {
        guard isWebSocket else { return }
        guard !isWriting else { return loop.assumeIsolated().execute { [self] in handle(frame, handler) } }
        handle(frame, handler)
    }

    private func handle(_ frame: WebSocketFrame, _ handler: any WebHandler) {
        let bytes = Array(frame.unmaskedData.readableBytesView)
        switch frame.opcode {
        case .ping: send(.pong, bytes)
        case .pong: break
        case .connectionClose: do throws(WebSocketFault) { close(try CloseFrame.answer(to: bytes)) } catch { close(error) }
        case .text:
            guard let text = String(validating: bytes, as: UTF8.self) else { return close(.notText) }
            handler.received(.text(text), on: self)
        case .binary: handler.received(.binary(bytes), on: self)
        default: close(.malformed)
        }
    }

    /// Seconds for which a client that has asked for nothing yet is not taken for an idle one.
    private static let firstPatience = 2.0

    /// When the client became idle: no request has begun since, and the earlier ones are answered. `nil` if it is not idle.
    var idleSince: Double? {
        guard case .head(hasBegun: false) = state else { return nil }
        let since = deadline - Self.patience
        return hasAnswered || since + Self.firstPatience < MonotonicClock.seconds ? since : nil
    }

    // MARK: Time

    private func begin(_ state: State) {
        self.state = state
        var patience = Self.patience
        if case .draining = state { patience = Self.drainTime }
        deadline = MonotonicClock.seconds + patience
        pendingCount = pendingOutput
    }

    var loop: any EventLoop { channel.eventLoop }

    /// Bytes that are to be sent and that the system has not taken yet.
    private var pendingOutput: Int { (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    /// The time at which something is due, unless the client makes progress.
    private var due: Double? {
        switch state {
        case .answering, .over: nil
        case .webSocket: pendingOutput > 0 ? min(deadline, heartbeat.due) : heartbeat.due
        case .streaming: pendingOutput > 0 ? deadline : nil
        default: deadline
        }
    }

    private func arrange() {
        guard let due else { return }
        // An alarm that is early only arranges the next one.
        if let alarm, alarm.due <= due { return }
        alarm?.task.cancel()
        let wait = max(0, due - MonotonicClock.seconds)
        let task = channel.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(wait * 1e9))) { [weak self] () -> Void in
            self?.alarm = nil
            self?.act()
        }
        alarm = (task, due)
    }

    private func act() {
        let now = MonotonicClock.seconds
        if isWebSocket, heartbeat.due <= now { pingIfSilent(at: now) }
        if let due, due <= now, deadline <= now { expire() }
        arrange()
    }

    /// Pings a WebSocket's client that has been silent for an interval, and gives it up when it has not answered.
    private func pingIfSilent(at now: Double) {
        // A client that has yet to read its output would not see the ping; its deadline covers that case.
        guard pendingOutput == 0 else { return heartbeat.putOff(from: now) }
        switch heartbeat.beat(at: now) {
        case .ping: send(.ping, [])
        case .giveUp: channel.close(promise: nil)
        }
    }

    private func expire() {
        let pending = pendingOutput
        if case .streaming = state {
            if pending > 0 { channel.close(promise: nil) }
            return
        }
        if pending > 0, pending < pendingCount {
            // The client reads, if slowly.
            deadline = MonotonicClock.seconds + Self.patience
            pendingCount = pending
            return
        }
        switch state {
        case .webSocket where pending == 0: break
        // An incomplete request is answered with a timeout; an idle connection is just closed.
        case .head(hasBegun: true):
            fault = Response(.timeout, closes: true)
            channel.pipeline.fireErrorCaught(HTTPParserError.closedConnection)
        default: channel.close(promise: nil)
        }
    }

    /// Called when the connection has been closed.
    func ended() {
        state = .over
        alarm?.task.cancel()
        alarm = nil
        streamEnded?()
        streamEnded = nil
    }

    /// Closes the connection at once.
    func abort() { channel.close(promise: nil) }
}
