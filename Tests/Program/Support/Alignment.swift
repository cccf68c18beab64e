import TestSupport

/// A stretch of a recording whose samples are, bit for bit, those of a rendered file.
package struct EqualRun: Sendable, CustomStringConvertible {
    /// Frames of the recording.
    package let frames: Range<Int>
    /// The frame of the rendered file that matches the first of them.
    package let start: Int

    package var end: Int { start + frames.count }
    package var description: String { "recording \(frames) = rendered \(start)..<\(end)" }
}

/// Finds where a stereo recording holds a stereo rendered file: all runs of 256 frames or more that are equal in both channels and not
/// silent.
package func equalRuns(in recording: WaveFile, of rendered: WaveFile) -> [EqualRun] {
    let (found, sought) = (bits(recording), bits(rendered))
    let (length, shortest) = (8, 256)
    var runs: [EqualRun] = []
    var frame = 0
    while frame + length < found.count {
        let needle = found[frame..<frame + length]
        guard !needle.contains(0), let other = firstIndex(of: Array(needle), in: sought) else {
            frame += shortest / 4
            continue
        }
        var (first, place) = (frame, other)
        let limit = runs.last?.frames.upperBound ?? 0
        while first > limit, place > 0, found[first - 1] == sought[place - 1] { (first, place) = (first - 1, place - 1) }
        var last = frame
        while last < found.count, other + last - frame < sought.count, found[last] == sought[other + last - frame] { last += 1 }
        if last - first >= shortest { runs.append(EqualRun(frames: first..<last, start: place)) }
        frame = max(last, frame + shortest / 4)
    }
    return runs
}

/// Both channels' samples as the bits of the 32-bit float that they are; 0 is silence in both.
private func bits(_ wave: WaveFile) -> [UInt64] {
    zip(wave.channels[0], wave.channels[1]).map { left, right in
        UInt64((left == 0 ? 0 : Float(left)).bitPattern) | UInt64((right == 0 ? 0 : Float(right)).bitPattern) << 32
    }
}

private func firstIndex(of needle: [UInt64], in samples: [UInt64]) -> Int? {
    var index = 0
    while index + needle.count <= samples.count {
        if samples[index] == needle[0], samples[index..<index + needle.count].elementsEqual(needle) { return index }
        index += 1
    }
    return nil
}
