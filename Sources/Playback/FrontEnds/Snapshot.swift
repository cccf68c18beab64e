import Patches

/// Everything that a front end can show, at one moment. Front ends compare it with what they showed last.
package struct Snapshot: Sendable {
    package var player = PlayerState()
    /// The last published now-playing info.
    package var nowPlaying = NowPlaying()
    package var moment = Moment(frame: 0)
    package var clock = Clock()
    package var enabled: [RemoteCommandKind: Bool] = [:]
    package var skipIntervals: [Double] = []
    package var preferences = PreferenceValues()
    package var jack = JACKStatus()
    package var meter = Meter()
    package var session = SessionStatus()
    /// The time at which the program starts to play by itself, in seconds since 1970; `nil` if it does not.
    package var start: Double?
    /// The last reported step of the program's lifecycle, such as `didBecomeActive`.
    package var lifecycle = ""
    /// The last notice to the user; empty if there was none.
    package var notice = ""

    package init() {}

    /// A moment and its wall-clock time, for conversion between the two.
    package struct Clock: Equatable, Sendable {
        package var moment = Moment(frame: 0)
        /// The time at which that frame began, in seconds since 1970 (UTC).
        package var seconds = 0.0
        package var sampleRate = 48_000

        package init() {}

        /// The wall-clock time of a moment, in seconds since 1970.
        package func seconds(of other: Moment) -> Double {
            seconds + Double(other.frame - moment.frame) / Double(sampleRate)
        }

        /// The moment this many seconds after the clock's own, rounded to the nearest frame.
        package func moment(after seconds: Double) -> Moment {
            Moment(frame: moment.frame + Int64((seconds * Double(sampleRate)).rounded()))
        }
    }

    package struct JACKStatus: Equatable, Sendable {
        package enum State: String, Sendable { case running, away, stalled }
        package var state = State.away
        /// The sample rate in Hz.
        package var sampleRate = 48_000
        /// The frames in a period.
        package var bufferSize = 0
        /// JACK's load in percent of the period.
        package var load = 0.0
        package var peakLoad = 0.0
        package var xruns = 0
        /// The number of times that an output guard acted: the sum of the three counts below.
        package var guardActions = 0
        /// The number of samples that were clipped at the ceiling.
        package var cutSamples = 0
        /// The number of samples that were NaN or infinite and were replaced by silence.
        package var badSamples = 0
        /// The number of layers that were muted because of a constant (DC) output.
        package var mutedLayers = 0
        /// Connections of the program's outputs, as `port -> port`, in order.
        package var connections: [PortPair] = []
        /// Connections of its inputs, for sound and for MIDI.
        package var inputConnections: [PortPair] = []

        package init() {}
    }

    package struct PortPair: Equatable, Sendable {
        package var source: String
        package var destination: String

        package init(source: String, destination: String) {
            self.source = source
            self.destination = destination
        }
    }

    /// Output levels in dBFS; -120 is silence.
    package struct Meter: Equatable, Sendable {
        package var peakLeft = Parameter.off
        package var peakRight = Parameter.off
        package var rmsLeft = Parameter.off
        package var rmsRight = Parameter.off

        package init() {}
    }

    package struct SessionStatus: Equatable, Sendable {
        package var name = ""
        /// Names of the sessions in the library.
        package var available: [String] = []
        /// Whether there are unsaved changes.
        package var isDirty = false
        /// Whether there are changes that nobody has asked to save, as far as is known since the session was opened.
        package var hasUnrequestedChanges = false

        package init() {}
    }
}

extension Snapshot {
    /// The momentary value of a layer's parameter, including edits and chapters; `nil` if there is no such layer or parameter.
    package func value(of parameter: Parameter, layer: Int) -> Double? {
        player.value(of: parameter, layer: layer, at: moment)
    }
}
