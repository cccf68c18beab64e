import Csystemd
import Dispatch
import Glibc
import POSIX

/// The receiver of what comes over one connection.
protocol BusLinkDelegate: AnyObject {
    /// The bus has admitted the connection: calls can be made.
    func linkIsReady()
    func linkIsLost(_ reason: String)
    /// Whether the call is for one of the served objects.
    func received(_ call: BusMessage, on link: BusLink) -> Bool
    func received(signal: BusMessage)
}

/// One connection to a bus, from its beginning to its loss. Everything happens on one queue; nothing waits for the bus.
final class BusLink {
    private let handle: BusHandle
    private let descriptor: Int32
    private let queue: DispatchQueue
    private weak var delegate: (any BusLinkDelegate)?
    private let reading: any DispatchSourceRead
    private var writing: (any DispatchSourceWrite)?
    private let timer: any DispatchSourceTimer
    /// Fires when messages are left after a turn, since the descriptor need not become ready for these.
    private let leftovers: any DispatchSourceUserDataOr
    private var pending: [ObjectIdentifier: PendingCall] = [:]
    private var isReady = false
    private(set) var isOver = false

    /// Messages in one turn on the queue, so that other work comes in between.
    private static let turn = 16
    /// Messages that may wait for a bus that does not read; with more it counts as lost.
    private static let longestQueue: UInt64 = 2000

    init(to address: BusAddress, on queue: DispatchQueue, for delegate: any BusLinkDelegate) throws(BusLinkError) {
        handle = try BusHandle(opening: address)
        descriptor = sd_bus_get_fd(handle.bus)
        guard descriptor >= 0 else { throw BusLinkError(Errno(rawValue: -descriptor)) }
        self.queue = queue
        self.delegate = delegate
        reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        leftovers = DispatchSource.makeUserDataOrSource(queue: queue)
        let result = sd_bus_add_filter(handle.bus, nil, messageArrives, Unmanaged.passUnretained(self).toOpaque())
        reading.setEventHandler { [weak self] in self?.serve() }
        timer.setEventHandler { [weak self] in self?.serve() }
        leftovers.setEventHandler { [weak self] in self?.serve() }
        // The descriptor must stay open until the queue has forgotten it.
        reading.setCancelHandler { [handle] in withExtendedLifetime(handle) {} }
        for source in [reading, timer, leftovers] as [any DispatchSourceProtocol] { source.activate() }
        guard result >= 0 else {
            close()
            throw BusLinkError(Errno(rawValue: -result))
        }
        arm()
    }

    deinit { close() }

    /// Closes the connection without waiting; calls that are not answered yet fail.
    func close() {
        guard !isOver else { return }
        isOver = true
        for source in [reading, timer, leftovers] as [any DispatchSourceProtocol] { source.cancel() }
        stopWriting()
        let unanswered = pending.values
        pending = [:]
        for call in unanswered { call.answer(.failure(.disconnected)) }
    }

    func send(_ message: BusMessage) {
        guard !isOver else { return }
        if sd_bus_send(handle.bus, message.pointer, nil) >= 0 { arm() }
    }

    /// Sends a signal; one that cannot be sent is dropped.
    func emit(_ signal: BusSignal) {
        if let message = try? BusMessage.signal(on: handle.bus, signal) { send(message) }
    }

    /// Calls a method; the answer comes on the queue, within the time limit in seconds.
    func call(_ method: BusMethod, within limit: Double, _ answer: @escaping (Result<[BusValue], BusError>) -> Void) {
        guard !isOver else { return answer(.failure(.disconnected)) }
        let call = PendingCall(answer)
        do throws(BusError) {
            let message = try BusMessage.methodCall(on: handle.bus, method)
            var slot: OpaquePointer?
            try check(
                sd_bus_call_async(
                    handle.bus, &slot, message.pointer, replyArrives, Unmanaged.passUnretained(call).toOpaque(), UInt64(limit * 1e6)),
                "cannot call \(method.member)")
            call.slot = slot
            call.finished = { [weak self, unowned call] in self?.pending[ObjectIdentifier(call)] = nil }
            pending[ObjectIdentifier(call)] = call
            arm()
        } catch {
            call.answer(.failure(error))
        }
    }

    // MARK: Serving

    private func serve() {
        guard !isOver else { return }
        for _ in 0..<Self.turn {
            let result = sd_bus_process(handle.bus, nil)
            guard !isOver else { return }
            if result < 0, ![EAGAIN, EINTR].contains(-result) { return lose(Errno(rawValue: -result).reason) }
            if !isReady, sd_bus_is_ready(handle.bus) > 0 {
                isReady = true
                delegate?.linkIsReady()
                guard !isOver else { return }
            }
            if result <= 0 { return arm() }
        }
        leftovers.or(data: 1)
        arm()
    }

    private func lose(_ reason: String) {
        close()
        delegate?.linkIsLost(reason)
    }

    /// Waits for what libsystemd waits for. sd_bus_get_events, sd_bus_get_timeout
    private func arm() {
        guard !isOver else { return }
        let events = sd_bus_get_events(handle.bus)
        var waiting: UInt64 = 0
        // When the bus has closed the connection, the next turn learns why.
        guard events >= 0, sd_bus_get_fd(handle.bus) == descriptor else { return leftovers.or(data: 1) }
        if sd_bus_get_n_queued_write(handle.bus, &waiting) >= 0, waiting > Self.longestQueue {
            return lose("it does not read what is sent to it")
        }
        if events & Int32(POLLOUT) != 0 { startWriting() } else { stopWriting() }
        var time: UInt64 = 0
        let known = sd_bus_get_timeout(handle.bus, &time)
        guard known > 0, time != .max else { return timer.schedule(deadline: .distantFuture) }
        let wait = max(0, Double(time) * 1e-6 - MonotonicClock.seconds)
        timer.schedule(deadline: .now() + min(wait, 3600), leeway: .milliseconds(1))
    }

    private func startWriting() {
        guard writing == nil else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.serve() }
        source.setCancelHandler { [handle] in withExtendedLifetime(handle) {} }
        source.activate()
        writing = source
    }

    private func stopWriting() {
        writing?.cancel()
        writing = nil
    }

    /// Gets every message that is not a reply, from inside `sd_bus_process`.
    fileprivate func received(_ message: OpaquePointer) -> Bool {
        guard !isOver else { return true }
        var type: UInt8 = 0
        guard sd_bus_message_get_type(message, &type) >= 0 else { return false }
        let message = BusMessage(retaining: message)
        switch Int(type) {
        case Int(SD_BUS_MESSAGE_METHOD_CALL): return delegate?.received(message, on: self) ?? false
        case Int(SD_BUS_MESSAGE_SIGNAL): delegate?.received(signal: message)
        default: break
        }
        return false
    }
}

/// A method call out, until its answer. libsystemd drops its slot with this object, so no answer comes later.
private final class PendingCall {
    var slot: OpaquePointer?
    var finished: () -> Void = {}
    private var take: ((Result<[BusValue], BusError>) -> Void)?

    init(_ take: @escaping (Result<[BusValue], BusError>) -> Void) { self.take = take }

    deinit { if let slot { sd_bus_slot_unref(slot) } }

    func answer(_ result: Result<[BusValue], BusError>) {
        let taken = take
        take = nil
        finished()
        taken?(result)
    }
}

// SAFETY (both): called inside sd_bus_process, on the link's queue; the link outlives the turn, and its slots go with it.
private func messageArrives(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    return Unmanaged<BusLink>.fromOpaque(context).takeUnretainedValue().received(message) ? 1 : 0
}

private func replyArrives(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    let call = Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue()
    let reply = BusMessage(retaining: message)
    if let error = reply.error {
        call.answer(.failure(error))
    } else {
        do throws(BusError) { call.answer(.success(try reply.arguments())) } catch { call.answer(.failure(error)) }
    }
    return 1
}
