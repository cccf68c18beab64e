/// What the terminal shows: a picture of the player at one moment.
package struct TerminalStatus: Equatable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        case playing, paused, stopped, interrupted
    }

    package var state = State.stopped
    /// Title of the current item; empty when there is none.
    package var item = ""
    package var chapter: Chapter?
    /// Seconds.
    package var elapsed = 0.0
    /// Seconds; `nil` is endless.
    package var duration: Double?
    /// Seconds until the sleep timer has everything silent; `nil` without one.
    package var timeToSleep: Double?
    /// dBFS of the left and the right port; minus infinity is silence.
    package var peak = Peak(left: -.infinity, right: -.infinity)
    /// Percent; `nil` while JACK is away.
    package var load: Double?
    package var xruns = 0
    /// Where remote control listens, as `osc.udp://127.0.0.1:7830/`; empty when nowhere.
    package var address = ""
    /// Names of the ports that ours are connected to.
    package var connections: [String] = []
    /// The last thing that a listener should know about, a sentence.
    package var notice: String?

    package struct Chapter: Equatable, Sendable {
        /// From 1.
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

    package init() {}
}

extension TerminalStatus {
    /// It runs down by itself, counted by clocks that are set now and then.
    private func hasOtherTimer(than previous: TerminalStatus) -> Bool {
        guard let timeToSleep, let before = previous.timeToSleep else { return (timeToSleep == nil) != (previous.timeToSleep == nil) }
        return timeToSleep > before + 0.5
    }

    /// Whether somebody who gets one line per change should get one: time, level and load alone are no change.
    package func isWorthALine(after previous: TerminalStatus?) -> Bool {
        guard let previous else { return true }
        return state != previous.state || item != previous.item || chapter != previous.chapter || duration != previous.duration
            || xruns != previous.xruns || address != previous.address || connections != previous.connections
            || (load == nil) != (previous.load == nil) || hasOtherTimer(than: previous)
    }
}
