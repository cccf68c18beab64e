import HTTP
import Synchronization

/// The format in which a listener gets the sound, by the extension in the stream's path.
package enum ListenedFormat: String, CaseIterable, Sendable {
    case mp3, opus, flac

    /// The media type; Opus is in an Ogg container.
    var type: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .opus: "audio/ogg; codecs=opus"
        case .flac: "audio/flac"
        }
    }
}

/// One listener's sound, on its way from the thread that encodes it to the server's thread. Neither waits for the other, and a listener that
/// does not read is disconnected.
package final class ListenedStream: Sendable {
    private let state = Mutex(State())
    private let wake: @Sendable (ListenedStream) -> Void

    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
    }

    /// - Parameter wake: Called when there is something to take, on the thread that encodes.
    init(wake: @escaping @Sendable (ListenedStream) -> Void) { self.wake = wake }

    /// Adds encoded sound. The thread that encodes.
    ///
    /// - Returns: Whether there still is a listener.
    package func add(_ bytes: [UInt8]) -> Bool {
        let (isOver, isNews) = state.withLock { state in
            if state.bytes.count > HTTPConnection.streamLimit { state.isOver = true }
            defer { if !state.isOver { state.bytes += bytes } }
            return (state.isOver, state.bytes.isEmpty && !bytes.isEmpty)
        }
        if isNews { wake(self) }
        return !isOver
    }

    /// Ends the stream. Either thread.
    package func end() {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { wake(self) }
    }

    /// Removes what was added, and returns it and whether nothing more comes.
    func take() -> (bytes: [UInt8], isOver: Bool) {
        state.withLock { state in
            defer { state.bytes = [] }
            return (state.bytes, state.isOver)
        }
    }
}
