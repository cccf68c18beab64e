import JACKBackend

/// The progress of a change from one session of a session manager to another.
///
/// A session is opened in three steps: it is prepared while the present one sounds on, the present JACK client is closed, and another one is
/// opened.
enum SwitchState {
    /// The user controls which session is open.
    case unmanaged
    /// A session manager controls which session is open. `connect` is the value of `--connect`, which applies to every session; `nil` if it
    /// was not given.
    case managed(Step, connect: ConnectionChoice?)

    enum Step {
        case settled
        /// Another session is being prepared; nothing has changed yet.
        case preparing
        /// The client of the previous session is being closed.
        case closingClient
        /// The client of the new session is being opened.
        case openingClient
    }

    private var step: Step? {
        get { if case .managed(let step, _) = self { step } else { nil } }
        set { if let newValue, case .managed(_, let connect) = self { self = .managed(newValue, connect: connect) } }
    }

    var isManaged: Bool { step != nil }

    var isUnderWay: Bool { step != nil && step != .settled }

    var connect: ConnectionChoice? { if case .managed(_, let connect) = self { connect } else { nil } }

    /// Whether reported connections are those of the previous session's client.
    var hasForeignConnections: Bool { step == .closingClient }

    /// Begins to open another session.
    ///
    /// - Returns: Whether that is possible: only one is opened at a time.
    mutating func begin() -> Bool {
        guard step == .settled else { return false }
        step = .preparing
        return true
    }

    /// The session is prepared, and the present client is about to be closed.
    mutating func leaveClient() { step = .closingClient }

    /// The present client is closed: reports from now on are about the next one.
    mutating func clientIsClosed() {
        if step == .closingClient { step = .openingClient }
    }

    /// The session is open, or could not be opened.
    mutating func end() { step = .settled }
}
