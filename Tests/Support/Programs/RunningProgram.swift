import Foundation
import Synchronization

/// How a program ended.
package enum ProgramExit: Sendable, Equatable {
    case code(Int32)
    case signal(Int32)
}

/// One line that a program wrote; `index` counts the lines of both streams in the order of their arrival, from 0.
package struct Line: Sendable, Equatable {
    package let text: String
    package let index: Int
    package let isError: Bool
}

/// A real program that a test started: its lines can be awaited, signals sent, its end awaited. It never outlives the test process.
package final class RunningProgram: Sendable {
    private struct State: Sendable {
        var lines: [Line] = []
        var exit: ProgramExit?
        var streamsEnded = false
    }

    package let pid: Int32
    package let command: String
    private let state = WatchedState(State())
    private let input: Mutex<Int32?>

    /// Starts `executable`: with a slash it is a path, without it is looked up in PATH. `environment` is all that the program gets;
    /// `folder` is where it runs.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = ProcessInfo.processInfo.environment,
        folder: String? = nil
    ) throws(ProgramFailure) {
        command = ([executable] + arguments).joined(separator: " ")
        let child = try spawn(executable, arguments, environment: environment, folder: folder)
        pid = child.pid
        input = Mutex(child.input)
        watchdog.add(child.pid)
        let (state, pid) = (state, child.pid)
        Thread.detachNewThread {
            readLines(output: child.output, errors: child.errors) { text, isError in
                state.update { $0.lines.append(Line(text: text, index: $0.lines.count, isError: isError)) }
            }
            state.update { $0.streamsEnded = true }
        }
        Thread.detachNewThread {
            awaitEnd(of: pid)
            // Reaped under the lock: `send` never meets a process number that belongs to somebody else by then.
            state.update { $0.exit = reap(pid) }
            watchdog.remove(pid)
        }
    }

    deinit {
        send(signal: SIGKILL)
        closeInput()
    }

    package var lines: [Line] { state.value.lines }
    package var outputLines: [String] { lines.filter { !$0.isError }.map(\.text) }
    package var errorLines: [String] { lines.filter(\.isError).map(\.text) }
    /// All that it wrote, for messages of failed tests.
    package var transcript: String { "\(command)\n" + lines.map { ($0.isError ? "! " : "  ") + $0.text }.joined(separator: "\n") }
    package var hasEnded: Bool { state.value.exit != nil }

    /// Waits for a line of either stream, from line `index` on; lines that are there already count.
    package func line(
        from index: Int = 0, within limit: Duration = .seconds(120), where satisfies: @escaping @Sendable (String) -> Bool
    ) async throws(ProgramFailure) -> Line {
        try await line(from: index, within: limit, described: "the awaited line", where: satisfies)
    }

    package func line(containing text: String, from index: Int = 0, within limit: Duration = .seconds(120)) async throws(ProgramFailure)
        -> Line
    {
        try await line(from: index, within: limit, described: "a line with '\(text)'") { $0.contains(text) }
    }

    private func line(
        from index: Int, within limit: Duration, described: String, where satisfies: @escaping @Sendable (String) -> Bool
    ) async throws(ProgramFailure) -> Line {
        let found = await state.wait(within: limit) { state -> Line?? in
            if let line = state.lines.dropFirst(index).first(where: { satisfies($0.text) }) { return .some(line) }
            return state.streamsEnded && state.exit != nil ? .some(nil) : nil
        }
        guard case .some(.some(let line)) = found else {
            throw ProgramFailure("\(described) did not come \(found == nil ? "within \(limit)" : "before the end") from: \(transcript)")
        }
        return line
    }

    /// Writes to its standard input; what it no longer reads is dropped.
    package func write(_ text: String) {
        input.withLock { input in
            guard let input else { return }
            writeAll(text, to: input)
        }
    }

    package func closeInput() {
        input.withLock { input in
            if let open = input { close(open) }
            input = nil
        }
    }

    package func send(signal: Int32) {
        let pid = pid
        state.withState { if $0.exit == nil { kill(pid, signal) } }
    }

    /// Waits for its end and for the last of its output.
    @discardableResult
    package func exit(within limit: Duration = .seconds(120)) async throws(ProgramFailure) -> ProgramExit {
        guard let exit = await state.wait(within: limit, until: \.exit) else {
            throw ProgramFailure("it did not end within \(limit): \(transcript)")
        }
        // Its child processes may keep the streams open; its own last lines have arrived long before this limit.
        _ = await state.wait(within: .seconds(1)) { $0.streamsEnded ? true : nil }
        return exit
    }

    /// Kills it if it is still running, and waits for its end.
    package func end() async {
        send(signal: SIGKILL)
        closeInput()
        _ = await state.wait(within: .seconds(5), until: \.exit)
    }
}
