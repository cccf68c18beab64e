import Patches

/// Everything that a surface can show, taken at one moment. Surfaces compare it with what they showed last.
package struct Snapshot: Sendable {
    package var player = PlayerState()
    /// What now playing was last told.
    package var nowPlaying = NowPlaying()
    package var moment = Moment(frame: 0)
    package var clock = Clock()
    package var enabled: [RemoteCommandKind: Bool] = [:]
    package var skipIntervals: [Double] = []
    package var preferences = PreferenceValues()
    package var jack = JACKStatus()
    package var meter = Meter()
    package var session = SessionStatus()
    /// The last step of the lifecycle that was told, such as `didBecomeActive`.
    package var lifecycle = ""
    /// The last notice to the user; empty when there was none.
    package var notice = ""

    package init() {}

    /// A pair of instants that maps moments to wall-clock time.
    package struct Clock: Equatable, Sendable {
        package var moment = Moment(frame: 0)
        /// Seconds since 1970 (UTC) at which that frame began.
        package var seconds = 0.0
        package var sampleRate = 48_000

        package init() {}

        /// Seconds since 1970.
        package func seconds(of other: Moment) -> Double {
            seconds + Double(other.frame - moment.frame) / Double(sampleRate)
        }

        /// The frame that begins nearest to so many seconds after this clock's own moment.
        package func moment(after seconds: Double) -> Moment {
            Moment(frame: moment.frame + Int64((seconds * Double(sampleRate)).rounded()))
        }
    }

    package struct JACKStatus: Equatable, Sendable {
        package enum State: String, Sendable { case running, away, stalled }
        package var state = State.away
        /// Frames per second.
        package var sampleRate = 48_000
        /// Frames per period.
        package var bufferSize = 0
        /// Percent of the period.
        package var load = 0.0
        package var peakLoad = 0.0
        package var xruns = 0
        /// How often an output guard acted: the sum of the three below.
        package var guardActions = 0
        /// Samples that were cut off at the ceiling.
        package var cutSamples = 0
        /// Samples that were not a number, or infinite, and became silence.
        package var badSamples = 0
        /// Layers that were muted for a steady voltage.
        package var mutedLayers = 0
        /// `port -> port`, from our outputs, in order.
        package var connections: [Connection] = []
        /// To our inputs, for sound and for MIDI.
        package var inputConnections: [Connection] = []

        package init() {}
    }

    package struct Connection: Equatable, Sendable {
        package var source: String
        package var destination: String

        package init(source: String, destination: String) {
            self.source = source
            self.destination = destination
        }
    }

    /// dBFS, -120 is silence.
    package struct Meter: Equatable, Sendable {
        package var peakLeft = Parameter.off
        package var peakRight = Parameter.off
        package var rmsLeft = Parameter.off
        package var rmsRight = Parameter.off

        package init() {}
    }

    package struct SessionStatus: Equatable, Sendable {
        package var name = ""
        /// Names in the library.
        package var available: [String] = []
        /// Something is not yet on disk.
        package var isDirty = false

        package init() {}
    }
}

extension Snapshot {
    /// The momentary value of a layer's parameter, edits and chapters included; `nil` when there is no such layer or parameter.
    package func value(of parameter: Parameter, layer: Int) -> Double? {
        player.value(of: parameter, layer: layer, at: moment)
    }
}
