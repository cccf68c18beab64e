import Foundation
import Testing

/// How long a test waits for what has to happen, however busy the machine is: the only limit of this kind, since a shorter one would judge the
/// machine. A test that waits for it without need has failed anyway.
package enum Patience {
    /// After this time, what a test waits for counts as never happening.
    package static let limit: Duration = .seconds(300)

    /// Prints a wait that took more than a tenth of the limit: `scripts/run-tests` counts these, since the next machine may be slower.
    static func note(since start: ContinuousClock.Instant, _ file: StaticString, _ line: UInt) {
        let taken = ContinuousClock.now - start
        guard taken > limit / 10 else { return }
        // At once, since the process may be ended before it has written its output.
        let text = "near miss: \(Int(taken.timeInterval)) s at \(file):\(line) in \(Test.current?.name ?? "no test")\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}

/// Waits for a condition for which there is no event, such as the contents of another program's file, by asking again and again.
///
/// - Returns: false if it has not come true within ``Patience/limit``.
package func eventually(
    at file: StaticString = #fileID, _ line: UInt = #line, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let start = ContinuousClock.now
    defer { Patience.note(since: start, file, line) }
    repeat {
        if try await condition() { return true }
        do { try await Task.sleep(for: .milliseconds(5)) } catch { return false }
    } while ContinuousClock.now - start < Patience.limit
    return false
}

/// Waits likewise in a test that blocks its thread (see ``OwnThread``). Where both would do, the other one is meant.
@_disfavoredOverload
package func eventually(at file: StaticString = #fileID, _ line: UInt = #line, _ condition: () throws -> Bool) rethrows -> Bool {
    let start = ContinuousClock.now
    defer { Patience.note(since: start, file, line) }
    repeat {
        if try condition() { return true }
        usleep(5000)
    } while ContinuousClock.now - start < Patience.limit
    return false
}
