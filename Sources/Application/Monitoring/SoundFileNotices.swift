import Engine

/// Makes notices about sound files with problems: each fault once, even if a stall of the server makes the engine meet it again, and gaps no more
/// often than can be read.
struct SoundFileNotices {
    private var late: [String: Lateness] = [:]
    /// When each fault was reported last, in seconds on the monotonic clock.
    private var failed: [String: Double] = [:]

    private struct Lateness {
        var count: UInt64 = 0
        /// Seconds on the monotonic clock.
        var reportedAt: Double?
    }

    /// Seconds between equal reports about one file.
    private static let pause = 10.0

    /// The new notices, as sentences for the user; `now` is in seconds on the monotonic clock.
    mutating func words(for notices: [SoundNotice], at now: Double) -> [String] {
        var sentences: [String] = []
        for notice in notices {
            switch notice {
            case .failed(let failure):
                guard failed[failure.sentence].map({ now - $0 >= Self.pause }) ?? true else { continue }
                failed[failure.sentence] = now
                sentences.append(failure.sentence + " Its layer is silent; the others play.")
            case .late(let path, let count): late[path, default: Lateness()].count += count
            }
        }
        for (path, lateness) in late.sorted(by: { $0.key < $1.key }) where lateness.count > 0 {
            guard lateness.reportedAt.map({ now - $0 >= Self.pause }) ?? true else { continue }
            late[path] = Lateness(reportedAt: now)
            let times = lateness.count == 1 ? "" : " \(lateness.count) times"
            sentences.append(
                "The sound file '\(path)' was not read in time and dropped out\(times): the disk or the processor is busy.")
        }
        return sentences
    }
}
