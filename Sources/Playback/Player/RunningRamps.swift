import Patches

/// A continuous value of the sound that can be moved by hand: of a layer of the current item, or of the whole.
package enum Fader: Hashable, Sendable {
    case parameter(Parameter, layer: Int)
    case masterGain
    /// The frequency that notes are named by.
    case a4
}

extension Fader {
    /// `nil` for what is of the whole.
    package var layer: Int? { if case .parameter(_, let layer) = self { layer } else { nil } }
}

/// The ramps of one bundle, which whoever sent it wants to be told the end of: once, when the last of them has ended.
package struct RampGroup: Hashable, Sendable {
    /// As the sender calls it.
    package var id: Int32
    /// Differs between any two bundles.
    package var bundle: Int

    package init(id: Int32, bundle: Int) {
        self.id = id
        self.bundle = bundle
    }
}

/// Ramps that somebody asked for, until they end. They run on the clock of the sound, which neither a pause nor a seek stops; while JACK
/// is away there is nothing to be heard of them, and they are at their end.
package struct RunningRamps: Equatable, Sendable {
    private struct Running: Equatable {
        var end: Moment
        var group: RampGroup?
        /// Of those that end together the first one asked for is told first.
        var number: Int
    }

    package enum News: Equatable, Sendable {
        /// The value has come to where it was to go.
        case done(Fader)
        /// So have all of the group, or others have taken their place.
        case finished(RampGroup)
    }

    private var running: [Fader: Running] = [:]
    private var openGroups: [RampGroup] = []
    /// What ended lately, in order, and when that was told.
    private var ended: [(number: Int, news: News, moment: Moment)] = []
    /// Of the last thing asked for or told.
    package private(set) var lastNumber = 0

    /// Seconds for which an end can be asked for, and the most that are kept: surfaces look every few milliseconds.
    private static let memory = 1.0
    private static let limit = 8192

    /// What ended after the one with that number.
    package func news(since number: Int) -> [News] { ended.filter { $0.number > number }.map(\.news) }

    /// Whether the end of the group is still to be told.
    package func isUnderWay(_ group: RampGroup) -> Bool { openGroups.contains(group) }

    /// Seconds that a ramp has to go on; `nil` when none is under way.
    func rest(of fader: Fader, at moment: Moment, sampleRate: Int) -> Double? {
        running[fader].map { Double(max(0, $0.end.frame - moment.frame)) / Double(sampleRate) }
    }

    /// A value is set: with a ramp that was asked for, or without one. What was under way gives way untold.
    mutating func set(_ fader: Fader, _ ramp: Ramp?, at moment: Moment, sampleRate: Int) {
        running[fader] = nil
        guard let ramp, ramp.seconds > 0 else { return }
        // The sound makes none shorter.
        let frames = max(ramp.seconds, Ramp.shortLevel.seconds) * Double(sampleRate)
        lastNumber += 1
        running[fader] = Running(end: Moment(frame: moment.frame + Int64(frames.rounded())), group: ramp.group, number: lastNumber)
        if let group = ramp.group, !openGroups.contains(group) { openGroups.append(group) }
    }

    /// Ends those of layers, untold: they are another item's now, or something else has taken their place.
    mutating func drop(where isDropped: (Parameter, _ layer: Int) -> Bool = { _, _ in true }) {
        running = running.filter { fader, _ in
            if case .parameter(let parameter, let layer) = fader { !isDropped(parameter, layer) } else { true }
        }
    }

    /// Frames have another length now.
    mutating func convertEnds(_ converted: (Moment) -> Moment) {
        running = running.mapValues { Running(end: converted($0.end), group: $0.group, number: $0.number) }
    }

    /// Nothing of what they moved is there any more.
    mutating func dropAll() { running = [:] }

    /// Time has passed. Groups are looked at only now, so that a bundle is complete.
    mutating func advance(to moment: Moment, sampleRate: Int, isHeard: Bool) {
        let over = running.filter { !isHeard || $0.value.end <= moment }
        for fader in over.sorted(by: { ($0.value.end, $0.value.number) < ($1.value.end, $1.value.number) }).map(\.key) {
            running[fader] = nil
            tell(.done(fader), at: moment)
        }
        let active = Set(running.values.compactMap(\.group))
        for group in openGroups where !active.contains(group) { tell(.finished(group), at: moment) }
        openGroups.removeAll { !active.contains($0) }
        let oldest = moment.frame - Int64(Self.memory * Double(sampleRate))
        if let first = ended.first, first.moment.frame < oldest || ended.count > Self.limit {
            ended = ended.suffix(Self.limit).filter { $0.moment.frame >= oldest }
        }
    }

    private mutating func tell(_ news: News, at moment: Moment) {
        lastNumber += 1
        ended.append((lastNumber, news, moment))
    }

    package static func == (a: RunningRamps, b: RunningRamps) -> Bool {
        a.running == b.running && a.openGroups == b.openGroups && a.lastNumber == b.lastNumber
    }
}
