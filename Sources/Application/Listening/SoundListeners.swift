import AudioFiles
import Dispatch
import Foundation
import JACKBackend
import Synchronization
import WebPanel

/// Encodes the program's output for listeners in the network, on a thread of its own with the default priority. It sleeps, and
/// nothing is copied, while nobody listens. ``close()`` ends it.
final class SoundListeners: Sendable {
    private let backend: any AudioDevice
    private let arrived = Mutex(Arrived())
    private let wish = DispatchSemaphore(value: 0)

    private struct Arrived {
        var listeners: [Listener] = []
        var isOver = false
    }

    private struct Listener: Sendable {
        let format: FileFormat
        let stream: ListenedStream
    }

    /// A listener whose stream has begun. Only on the thread.
    private struct Served {
        let encoder: SoundEncoder
        let stream: ListenedStream
    }

    /// Seconds between two looks for sound.
    private static let interval = 0.02
    /// Seconds of silence at the start of a stream, which fill the buffer of the player at once: it then begins to play at once, and has
    /// something left when the network is late.
    private static let lead = 0.5

    init(_ backend: any AudioDevice) {
        self.backend = backend
        let thread = Thread { [self] in
            while !arrived.withLock({ $0.isOver }) {
                wish.wait()
                serve()
            }
        }
        thread.name = "listen"
        thread.start()
    }

    /// Begins a stream. Any thread.
    ///
    /// - Returns: A sentence saying why nobody can listen at the moment; `nil` if the stream was begun.
    func add(_ format: ListenedFormat, _ stream: ListenedStream) -> String? {
        guard backend.status.condition == .running else { return "JACK is away: listen when the server is back." }
        let format = FileFormat(rawValue: format.rawValue) ?? .mp3
        guard format.isAvailable else {
            return "\(AudioFileError.cannotEncode(format: format.name, reason: "this system's libsndfile does not support it"))"
        }
        arrived.withLock { $0.listeners.append(Listener(format: format, stream: stream)) }
        wish.signal()
        return nil
    }

    /// Ends all streams. Any thread.
    func close() {
        arrived.withLock { $0.isOver = true }
        wish.signal()
    }

    // MARK: The thread

    /// Serves listeners until there are none.
    private func serve() {
        guard let tap = backend.openTap() else { return refuseArrived() }
        defer { backend.closeTaps() }
        _ = tap.take()
        var served: [Served] = []
        while true {
            let (new, isOver) = arrived.withLock { arrived in
                defer { arrived.listeners = [] }
                return (arrived.listeners, arrived.isOver)
            }
            for listener in new { begin(listener, sampleRate: tap.sampleRate, &served) }
            guard !isOver, backend.feeds(tap) else { return served.forEach(Self.end) }
            let samples = tap.take()
            served.removeAll { !Self.continue($0, samples) }
            if served.isEmpty { return }
            Thread.sleep(forTimeInterval: Self.interval)
        }
    }

    private func refuseArrived() {
        let refused = arrived.withLock { arrived in
            defer { arrived.listeners = [] }
            return arrived.listeners
        }
        for listener in refused { listener.stream.end() }
    }

    private func begin(_ listener: Listener, sampleRate: Int, _ served: inout [Served]) {
        do throws(AudioFileError) {
            let new = Served(encoder: try SoundEncoder(listener.format, sampleRate: sampleRate), stream: listener.stream)
            let silence = [Float](repeating: 0, count: 2 * Int(Double(sampleRate) * Self.lead))
            if Self.continue(new, silence) { served.append(new) }
        } catch {
            listener.stream.end()
        }
    }

    /// - Returns: Whether there still is a listener.
    private static func `continue`(_ served: Served, _ samples: [Float]) -> Bool {
        do throws(AudioFileError) { return served.stream.add(try served.encoder.encode(samples)) } catch {
            end(served)
            return false
        }
    }

    private static func end(_ served: Served) {
        _ = served.stream.add(served.encoder.finish())
        served.stream.end()
    }
}
