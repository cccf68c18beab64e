import Foundation
import TestSupport

/// A patch whose pulses follow the tempo of a timebase master, and where they are heard.
package enum Pulses {
    package static let patch = """
        title: Pulses
        layers:
          - {name: pulse, isochronic: {carrier: 400, pulseRate: 1/4, duty: 0.3, edge: 0.001}, gain: -12}

        """

    /// Frames by which a pulse may be beside its beat: 1.5 ms, from which on a pulse is brought to the bar, and what is not the pulse's: a tick of the
    /// timebase master, 16 frames at most here, and up to 8 that an edge takes to be heard.
    package static let limit = 72.0 + 16 + 8

    /// Samples of an ear at which a pulse starts: the first sound after silence.
    package static func onsets(_ samples: [Double], _ range: Range<Int>) -> [Int] {
        var (found, silent) = ([Int](), 0)
        for index in range {
            if abs(samples[index]) > 1e-4 {
                if silent > 2000 { found.append(index) }
                silent = 0
            } else {
                silent += 1
            }
        }
        return found
    }

    /// Frames by which the pulses of a stretch are beside the beats that the timebase master counts, which with jack_transport are a little slower than
    /// it says: it drops what is less than a tick in every cycle.
    package static func distances(_ recording: Recording, _ range: Range<Int>, tempo: Double) throws -> [Double] {
        try onsets(recording.wave.channels[0], range).map { onset in
            guard let notes = recording.wholeNotes(ofSample: onset, tempo: tempo) else {
                throw ProgramFailure("no timebase master at \(onset)")
            }
            let beats = notes * 4
            return (beats - beats.rounded()) * 60 / tempo * recording.wave.sampleRate
        }
    }
}
