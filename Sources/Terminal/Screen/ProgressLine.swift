import Foundation

/// Shows the progress of long work on standard error, if that is a terminal: a bar with the time left.
package struct ProgressLine {
    private let title: String
    private let total: Int64
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant?

    /// - Parameter total: the amount of work in any unit, above 0.
    package init(title: String, total: Int64) {
        self.title = title.printable
        self.total = total
        start = clock.now
    }

    /// - Parameter done: the amount done so far.
    package mutating func show(_ done: Int64) {
        guard isTerminal else { return }
        let now = clock.now
        if let lastShown, now - lastShown < .milliseconds(100) { return }
        lastShown = now
        let elapsed = (now - start) / .seconds(1)
        let text = Self.line(title: title, done: done, total: total, elapsed: elapsed, columns: TerminalSize.of(STDERR_FILENO).columns - 1)
        StandardError.show("\r\(text)\u{1B}[K")
    }

    /// Removes the bar.
    package func clear() {
        if isTerminal, lastShown != nil { StandardError.write("\r\u{1B}[K") }
    }

    /// `Deep alpha  [#####-----]  50 %  0:12 left`, at most `columns` wide.
    package static func line(title: String, done: Int64, total: Int64, elapsed: Double, columns: Int) -> String {
        let part = Double(done) / Double(total)
        // At first the remaining time cannot be estimated.
        let left = elapsed > 0.5 && part > 0 ? "  \(ClockTime.text((elapsed * (1 - part) / part).rounded(.up))) left" : ""
        let numbers = String(format: " %3d %%", Int(part * 100)) + left
        let name = DisplayWidth.fitted(title, columns: max(0, min(30, columns - numbers.count - 14)), ellipsis: "…")
        let room = min(40, columns - DisplayWidth.columns(of: name) - numbers.count - 4)
        guard room >= 5 else { return DisplayWidth.fitted(numbers, columns: max(0, columns), ellipsis: "") }
        let filled = Int(part * Double(room))
        return "\(name)  [" + String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled) + "]" + numbers
    }
}
