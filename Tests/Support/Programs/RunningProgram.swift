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
        /// All that it wrote itself is in `lines`; what its child processes write may still come.
        var isDrained = false
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
            readLines(output: child.output, errors: child.errors, end: child.end.reading) {
                state.update { $0.isDrained = true }
            } line: { text, isError in
                state.update { $0.lines.append(Line(text: text, index: $0.lines.count, isError: isError)) }
            }
        }
        Thread.detachNewThread {
            awaitEnd(of: pid)
            // Reaped under the lock: `send` never meets a process number that belongs to somebody else by then.
            state.update { $0.exit = reap(pid) }
            watchdog.remove(pid)
            close(child.end.writing)
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
        from index: Int = 0, at file: StaticString = #fileID, _ number: UInt = #line, where satisfies: @escaping @Sendable (String) -> Bool
    ) async throws(ProgramFailure) -> Line {
        try await line(from: index, described: "the awaited line", at: file, number, where: satisfies)
    }

    package func line(
        containing text: String, from index: Int = 0, at file: StaticString = #fileID, _ number: UInt = #line
    ) async throws(ProgramFailure) -> Line {
        try await line(from: index, described: "a line with '\(text)'", at: file, number) { $0.contains(text) }
    }

    private func line(
        from index: Int, described: String, at file: StaticString, _ number: UInt, where satisfies: @escaping @Sendable (String) -> Bool
    ) async throws(ProgramFailure) -> Line {
        let found = await state.wait(at: file, number) { state -> Line?? in
            if let line = state.lines.dropFirst(index).first(where: { satisfies($0.text) }) { return .some(line) }
            return state.isDrained ? .some(nil) : nil
        }
        guard case .some(.some(let line)) = found else {
            let reason = found == nil ? "within \(Patience.limit)" : "before the end"
            throw ProgramFailure("\(described) did not come \(reason) from: \(transcript)")
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
    ///
    /// - Parameter worksLong: It may take longer than ``Patience/limit``.
    @discardableResult
    package func exit(
        worksLong: Bool = false, at file: StaticString = #fileID, _ line: UInt = #line
    ) async throws(ProgramFailure) -> ProgramExit {
        let ended = { @Sendable (state: State) in state.isDrained ? state.exit : nil }
        let exit = worksLong ? await state.waitForEver(until: ended) : await state.wait(at: file, line, until: ended)
        guard let exit else { throw ProgramFailure("it did not end within \(Patience.limit): \(transcript)") }
        return exit
    }

    /// Kills it if it is still running, and waits for its end.
    package func end() async {
        send(signal: SIGKILL)
        closeInput()
        _ = await state.wait(until: \.exit)
    }
}
