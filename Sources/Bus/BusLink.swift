import Csystemd
import Dispatch
import Glibc
import OperatingSystem

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
    private let queue: DispatchQueue
    private weak var delegate: (any BusLinkDelegate)?
    private var watch: DescriptorWatch?
    private var waiting = WriteQueue()
    private let timer: any DispatchSourceTimer
    /// Fires when messages are left after a batch, since the descriptor need not become ready for these.
    private let leftovers: any DispatchSourceUserDataOr
    private var pending: [ObjectIdentifier: PendingCall] = [:]
    private var isReady = false
    private(set) var isOver = false

    /// The number of messages handled in one batch on the queue, and the seconds after which a batch ends, so that other work comes in
    /// between.
    private static let batchSize = 16
    private static let longestBatch = 0.002

    init(to address: BusAddress, on queue: DispatchQueue, for delegate: any BusLinkDelegate) throws(BusLinkError) {
        handle = try BusHandle(opening: address)
        self.queue = queue
        self.delegate = delegate
        timer = DispatchSource.makeTimerSource(queue: queue)
        leftovers = DispatchSource.makeUserDataOrSource(queue: queue)
        let result = sd_bus_add_filter(handle.bus, nil, messageArrives, Unmanaged.passUnretained(self).toOpaque())
        timer.setEventHandler { [weak self] in self?.serve() }
        leftovers.setEventHandler { [weak self] in self?.serve() }
        timer.activate()
        leftovers.activate()
        do throws(Errno) {
            guard result >= 0 else { throw Errno(rawValue: -result) }
            try follow(sd_bus_get_fd(handle.bus))
        } catch {
            close()
            throw BusLinkError(error)
        }
        arm()
    }

    deinit { close() }

    /// Closes the connection without waiting; calls that are not answered yet fail.
    func close() {
        guard !isOver else { return }
        isOver = true
        timer.cancel()
        leftovers.cancel()
        watch = nil
        let unanswered = pending.values
        pending = [:]
        for call in unanswered { call.answer(.failure(.disconnected)) }
    }

    func send(_ message: BusMessage) {
        guard !isOver else { return }
        guard sd_bus_send(handle.bus, message.pointer, nil) >= 0 else { return }
        waiting.add(message.size)
        arm()
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
            waiting.add(message.size)
            arm()
        } catch {
            call.answer(.failure(error))
        }
    }

    // MARK: Serving

    private func serve() {
        guard !isOver else { return }
        let end = MonotonicClock.seconds + Self.longestBatch
        for _ in 0..<Self.batchSize {
            let result = sd_bus_process(handle.bus, nil)
            guard !isOver else { return }
            if result < 0, ![EAGAIN, EINTR].contains(-result) { return lose(Errno(rawValue: -result).reason) }
            if !isReady, sd_bus_is_ready(handle.bus) > 0 {
                isReady = true
                delegate?.linkIsReady()
                guard !isOver else { return }
            }
            if result <= 0 { return arm() }
            if MonotonicClock.seconds >= end { break }
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
        let (events, descriptor) = (sd_bus_get_events(handle.bus), sd_bus_get_fd(handle.bus))
        // If the bus has closed the connection, the next batch finds the reason.
        guard events >= 0, descriptor >= 0 else { return leftovers.or(data: 1) }
        // Another address of the bus may be tried now.
        do throws(Errno) { try follow(descriptor) } catch { return lose(error.reason) }
        var count: UInt64 = 0
        if sd_bus_get_n_queued_write(handle.bus, &count) >= 0 { waiting.keep(last: count) }
        guard !waiting.isTooLong else { return lose("it does not read what is sent to it") }
        watch?.watchesWriting = events & Int32(POLLOUT) != 0
        var time: UInt64 = 0
        let known = sd_bus_get_timeout(handle.bus, &time)
        guard known > 0, time != .max else { return timer.schedule(deadline: .distantFuture) }
        let wait = max(0, Double(time) * 1e-6 - MonotonicClock.seconds)
        timer.schedule(deadline: .now() + min(wait, 3600), leeway: .milliseconds(1))
    }

    /// Watches this descriptor from now on, or an error number below 0 in its place.
    private func follow(_ descriptor: Int32) throws(Errno) {
        guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
        guard watch?.watches(descriptor) != true else { return }
        watch = try DescriptorWatch(descriptor, on: queue) { [weak self] in self?.serve() }
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

// SAFETY (both): called inside sd_bus_process, on the link's queue; the link outlives the call, and its slots go with it.
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
