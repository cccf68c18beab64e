/// The status of the player that the terminal shows at one moment.
package struct TerminalStatus: Equatable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        case playing, paused, stopped, interrupted
    }

    package var state = State.stopped
    /// The title of the current item; empty without a current item.
    package var item = ""
    package var chapter: Chapter?
    /// Position in seconds.
    package var elapsed = 0.0
    /// Duration in seconds; `nil` means endless.
    package var duration: Double?
    /// Seconds until the sleep timer has faded everything out; `nil` without one.
    package var timeToSleep: Double?
    /// The time of day at which it starts by itself, as text; `nil` if it does not, or plays already.
    package var startTime: String?
    /// Peak levels of the left and right port in dBFS; minus infinity is silence.
    package var peak = Peak(left: -.infinity, right: -.infinity)
    /// The state of the JACK server.
    package var server = Server.away
    package var xruns = 0
    /// The remote control's URL, such as `osc.udp://127.0.0.1:7830/`; empty without remote control.
    package var address = ""
    /// Names of the ports that this program's are connected to.
    package var connections: [String] = []
    /// The last notice to the user, a sentence.
    package var notice: String?

    package struct Chapter: Equatable, Sendable {
        /// The chapter's number, counted from 1.
        package var index: Int
        package var count: Int
        package var title: String

        package init(index: Int, count: Int, title: String) {
            self.index = index
            self.count = count
            self.title = title
        }
    }

    package struct Peak: Equatable, Sendable {
        package var left: Double
        package var right: Double

        package init(left: Double, right: Double) {
            self.left = left
            self.right = right
        }
    }

    /// The JACK server.
    package enum Server: Equatable, Sendable {
        /// It calls its clients; the load is in percent.
        case running(load: Double)
        /// It is there, but no longer calls its clients.
        case stalled
        case away

        /// Whether only the load may be different.
        func isSame(as other: Server) -> Bool {
            if case (.running, .running) = (self, other) { return true }
            return self == other
        }
    }

    package init() {}
}

extension TerminalStatus {
    /// Whether the sleep timer was changed: it normally runs down, measured by clocks that may be adjusted.
    private func hasOtherTimer(than previous: TerminalStatus) -> Bool {
        guard let timeToSleep, let before = previous.timeToSleep else { return (timeToSleep == nil) != (previous.timeToSleep == nil) }
        return timeToSleep > before + 0.5
    }

    /// Whether the change deserves a line in an output that gets one line per change: time, level, load and xruns alone do not.
    package func isWorthALine(after previous: TerminalStatus?) -> Bool {
        guard let previous else { return true }
        return state != previous.state || item != previous.item || chapter != previous.chapter || duration != previous.duration
            || startTime != previous.startTime || address != previous.address || connections != previous.connections
            || !server.isSame(as: previous.server) || hasOtherTimer(than: previous)
    }
}
