import Bus
import Playback

/// The player as the desktop sees it: the object `/org/mpris/MediaPlayer2`, apart from its bus.
///
/// It reads the snapshot that all front ends show, and gives the same commands as they do.
package final class MediaPlayerServer {
    package static let path = "/org/mpris/MediaPlayer2"

    package typealias Reply = (Result<[BusValue], BusError>) -> Void

    let receiver: any CommandReceiver
    private(set) var properties: PlayerProperties
    private var budget = CallBudget()
    private var reported: ReportedPlayer
    private let emit: (BusSignal) -> Void
    /// The earliest time of the next report, in seconds.
    private var notBefore = -Double.infinity

    /// Seconds between two looks at what has changed, and after a report, so that a moved fader does not flood the bus.
    private static let lookInterval = 0.008
    private static let reportInterval = 0.02

    /// - Parameter emit: sends a signal.
    package init(_ identity: PlayerIdentity, receiver: any CommandReceiver, emit: @escaping (BusSignal) -> Void) {
        self.receiver = receiver
        self.emit = emit
        properties = PlayerProperties(identity: identity)
        reported = ReportedPlayer(properties, Snapshot())
    }

    var identity: PlayerIdentity { properties.identity }

    /// Changes the name that is shown to people.
    package func rename(to name: String) {
        properties.identity.name = name
        reported.properties = properties
    }

    // MARK: Changes

    /// Marks the present state as already reported: every program that sees the name appear reads it.
    package func begin() { reported = ReportedPlayer(properties, receiver.snapshot()) }

    /// Reports what has changed since the last report. To be called after every change of state, and at every tick.
    ///
    /// - Parameter seconds: the time on any clock.
    package func changed(_ snapshot: @autoclosure () -> Snapshot, at seconds: Double) {
        guard seconds >= notBefore else { return }
        let hasChanged = report(snapshot())
        notBefore = seconds + (hasChanged ? Self.reportInterval : Self.lookInterval)
    }

    /// - Returns: whether anything had changed.
    @discardableResult
    private func report(_ snapshot: Snapshot) -> Bool {
        let signals = reported.update(snapshot)
        for signal in signals { emit(signal) }
        return !signals.isEmpty
    }

    // MARK: Calls

    /// Counts a call. To be called before its arguments are read, so that a refused call costs little.
    ///
    /// - Parameter seconds: the time on any clock.
    /// - Throws: `LimitsExceeded` if there are too many calls, or if they take too long.
    package func admit(from sender: String, at seconds: Double) throws(BusError) {
        guard budget.allows(from: sender, at: seconds) else {
            throw BusError("LimitsExceeded", "too many calls, or too long ones: send fewer")
        }
    }

    /// Counts the processor time of a call that was admitted at `begin`, with the reading of its arguments.
    ///
    /// - Parameters:
    ///   - begin: seconds on the same clock as in ``admit(from:at:)``.
    ///   - end: as many seconds later as the call has used.
    package func charge(_ sender: String, from begin: Double, to end: Double) { budget.charge(sender, from: begin, to: end) }

    /// Answers a call that was admitted, once.
    ///
    /// - Parameter seconds: the time on any clock.
    package func answer(_ call: MethodCall, at seconds: Double, _ reply: @escaping Reply) {
        // A caller need not name the interface.
        let candidates = InterfaceDescription.all.filter { call.interface.isEmpty || $0.name == call.interface }
        guard !candidates.isEmpty else { return reply(.failure(BusError("UnknownInterface", "there is no \(call.interface) here"))) }
        guard let method = candidates.lazy.compactMap({ $0.method(call.member) }).first else {
            return reply(.failure(BusError("UnknownMethod", "there is no method \(call.member) here")))
        }
        let expected = method.takes.map(\.type).joined()
        guard call.arguments.signature == expected else {
            let given = call.arguments.signature
            return reply(.failure(.invalidArguments("\(call.member) takes '\(expected)', not '\(given)'")))
        }
        if method.opensFile, !budget.allowsOpening(at: seconds) {
            return reply(.failure(BusError("LimitsExceeded", "too many files: open fewer than ten a second")))
        }
        guard method.isOpenToAll || identity.mayControl else { return reply(.failure(.mayOnlyView)) }
        method.handler(self, call, reply)
    }

    func quit(_ call: MethodCall, _ reply: @escaping Reply) {
        guard identity.mayQuit else {
            return reply(.failure(BusError("AccessDenied", "the role of programs on this machine is control (--osc-local-role)")))
        }
        perform(.application(.quit), call, reply)
    }

    // MARK: Commands

    /// Gives a command as every front end does. A disabled command has no effect, which MPRIS does not treat as an error.
    func perform(_ command: Command, _ call: MethodCall, _ reply: @escaping Reply) {
        perform(command, call) { result in
            switch result.status {
            case .success, .disabled, .noSuchContent, .noActionableNowPlayingItem: reply(.success([]))
            default: reply(.failure(BusError(result)))
            }
        }
    }

    /// Gives a command, and continues if it succeeds.
    func attempt(_ command: Command, _ call: MethodCall, _ reply: @escaping Reply, then next: @escaping () -> Void) {
        perform(command, call) { result in
            if result.status == .success { next() } else { reply(.failure(BusError(result))) }
        }
    }

    /// Performs a command and reports its changes before the caller gets its answer.
    private func perform(_ command: Command, _ call: MethodCall, _ answer: @escaping (CommandResult) -> Void) {
        receiver.perform(command, from: "mpris \(call.sender)") { [self] result in
            report(receiver.snapshot())
            answer(result)
        }
    }
}

extension BusError {
    static let mayOnlyView = BusError("AccessDenied", "the role of programs on this machine is view (--osc-local-role)")

    init(_ result: CommandResult) {
        switch result.status {
        case .denied: self.init("AccessDenied", result.message)
        case .badArguments: self.init("InvalidArgs", result.message)
        case .notSupported: self.init("NotSupported", result.message)
        case .queueFull, .rateLimited: self.init("LimitsExceeded", result.message)
        default: self.init("Failed", result.message)
        }
    }
}
