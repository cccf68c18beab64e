import Patches

/// The requested ramps until they end. They run on the render clock, which neither a pause nor a seek stops; while JACK is away they count
/// as ended.
package struct RunningRamps: Equatable, Sendable {
    private struct Running: Equatable {
        var end: Moment
        var group: RampGroup?
        /// The order of requests: of ramps that end together, the first one requested is reported first.
        var number: Int
    }

    package enum Report: Equatable, Sendable {
        /// The value has reached its target.
        case done(Fader)
        /// All ramps of the group have ended or been replaced.
        case finished(RampGroup)
    }

    private var running: [Fader: Running] = [:]
    /// The moves of levels that controls have set, and fades of the master. A mute does not stop them.
    private var levels: [Fader: LevelMove] = [:]
    private var openGroups: [RampGroup] = []
    /// Recent ends in order, with the moment at which each was reported.
    private var ended: [(number: Int, report: Report, moment: Moment)] = []
    /// The number of the latest request or report.
    package private(set) var lastNumber = 0

    /// The time in seconds for which ends are remembered, and their maximum number. Front ends look every 15 ms
    /// while somebody has subscribed.
    private static let memory = 1.0
    private static let limit = 8192

    /// The ends that were reported after the one with that number.
    package func reports(since number: Int) -> [Report] { ended.filter { $0.number > number }.map(\.report) }

    /// Whether the end of the group has yet to be reported.
    package func isUnderWay(_ group: RampGroup) -> Bool { openGroups.contains(group) }

    /// Whether a ramp is under way, or the end of a group is to be reported.
    package var areUnderWay: Bool { !running.isEmpty || !openGroups.isEmpty }

    /// The time in seconds until a ramp ends; `nil` if none is under way.
    func rest(of fader: Fader, at moment: Moment, sampleRate: Int) -> Double? {
        let ramp = running[fader].map { Double(max(0, $0.end.frame - moment.frame)) / Double(sampleRate) }
        // A master that makes up for louder layers may move for longer than the ramp that was asked for.
        let rest = max(ramp ?? 0, levels[fader]?.rest(at: moment, sampleRate: sampleRate) ?? 0)
        return rest > 0 ? rest : nil
    }

    /// The level in dB that a move has reached; `nil` if none is under way.
    func level(of fader: Fader, at moment: Moment, sampleRate: Int) -> Double? {
        levels[fader]?.level(at: moment, sampleRate: sampleRate)
    }

    /// The time in seconds until a level that rises from silence is reached; `nil` if none does.
    func restOfRise(of fader: Fader, at moment: Moment, sampleRate: Int) -> Double? {
        guard let move = levels[fader], move.risesFromSilence else { return nil }
        let rest = move.rest(at: moment, sampleRate: sampleRate)
        return rest > 0 ? rest : nil
    }

    /// The level in dB to which the last move leads; `nil` if there was none.
    func target(of fader: Fader) -> Double? { levels[fader]?.target }

    /// The last move of a level, which may be over; `nil` if there was none.
    func move(of fader: Fader) -> LevelMove? { levels[fader] }

    /// Forgets the moves of layers' levels, since the layers start at the levels that are set. Ramps that were asked for are still reported.
    mutating func endMovesOfLayers() { levels = levels.filter { $0.key.layer == nil } }

    /// Records the move of a level; `nil` if it is there at once.
    mutating func record(_ move: LevelMove?, of fader: Fader) { levels[fader] = move }

    /// Records a new value: with a requested ramp, or without one. A ramp under way is dropped without a report.
    mutating func set(_ fader: Fader, _ ramp: Ramp?, at moment: Moment, sampleRate: Int) {
        running[fader] = nil
        if ramp == nil { levels[fader] = nil }
        guard let ramp, ramp.seconds > 0 else { return }
        // Levels cannot change faster than this.
        let frames = max(ramp.seconds, Ramp.shortLevel.seconds) * Double(sampleRate)
        lastNumber += 1
        running[fader] = Running(end: Moment(frame: moment.frame + Int64(frames.rounded())), group: ramp.group, number: lastNumber)
        if let group = ramp.group, !openGroups.contains(group) { openGroups.append(group) }
    }

    /// Drops ramps of layers without a report: they belong to another item, or were replaced.
    mutating func drop(where isDropped: (Parameter, _ layer: Int) -> Bool = { _, _ in true }) {
        for fader in Set(running.keys).union(levels.keys) {
            guard case .parameter(let parameter, let layer) = fader, isDropped(parameter, layer) else { continue }
            (running[fader], levels[fader]) = (nil, nil)
        }
    }

    /// Converts the ends to another sample rate.
    mutating func convertEnds(_ converted: (Moment) -> Moment) {
        running = running.mapValues { Running(end: converted($0.end), group: $0.group, number: $0.number) }
        // The layers restart at their levels; the master continues from the level reached.
        levels = levels.filter { $0.key == .masterGain }.mapValues { $0.converted(converted) }
    }

    /// Drops all ramps, since the values that they moved no longer exist.
    mutating func dropAll() { (running, levels) = ([:], [:]) }

    /// Ends the ramps that are over. Groups are checked only here, so that a bundle is complete.
    mutating func advance(to moment: Moment, sampleRate: Int, isHeard: Bool) {
        let over = running.filter { !isHeard || $0.value.end <= moment }
        for fader in over.sorted(by: { ($0.value.end, $0.value.number) < ($1.value.end, $1.value.number) }).map(\.key) {
            running[fader] = nil
            add(.done(fader), at: moment)
        }
        let active = Set(running.values.compactMap(\.group))
        for group in openGroups where !active.contains(group) { add(.finished(group), at: moment) }
        openGroups.removeAll { !active.contains($0) }
        let oldest = moment.frame - Int64(Self.memory * Double(sampleRate))
        if let first = ended.first, first.moment.frame < oldest || ended.count > Self.limit {
            ended = ended.suffix(Self.limit).filter { $0.moment.frame >= oldest }
        }
    }

    private mutating func add(_ report: Report, at moment: Moment) {
        lastNumber += 1
        ended.append((lastNumber, report, moment))
    }

    package static func == (a: RunningRamps, b: RunningRamps) -> Bool {
        a.running == b.running && a.openGroups == b.openGroups && a.lastNumber == b.lastNumber
    }
}
