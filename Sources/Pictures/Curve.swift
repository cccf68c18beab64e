import Patches

/// The course of one parameter over time, as points so close that a line through them looks exact.
struct Curve {
    /// Seconds and values, in order of time; a step has two points at nearly the same time.
    private(set) var points: [(time: Double, value: Double)] = []

    /// - Parameter step: Seconds between two points of a move.
    init(_ automation: Automation, until end: Double, step: Double, extraTimes: [Double] = []) {
        var times = Set([0, end] + extraTimes)
        for (index, move) in automation.moves.enumerated() where move.start < end {
            let next = index + 1 < automation.moves.count ? automation.moves[index + 1].start : end
            let stop = min(move.start + move.over, next, end)
            times.formUnion([move.start, stop])
            for part in move.ease?.breakpoints ?? [] { times.insert(min(move.start + part * move.over, stop)) }
            times.formUnion(stride(from: move.start, to: stop, by: max(step, (stop - move.start) / 400)))
        }
        points = times.filter { $0 >= 0 && $0 <= end }.sorted().map { ($0, automation.value(at: $0)) }
    }

    mutating func change(_ law: (_ time: Double, _ value: Double) -> Double) {
        points = points.map { ($0.time, law($0.time, $0.value)) }
    }

    /// This course with the points of another one that has the same values.
    func joined(with other: Curve) -> Curve {
        var joined = self
        let all = (points + other.points).sorted { $0.time < $1.time }
        joined.points = all.reduce(into: []) { if $0.last?.time != $1.time { $0.append($1) } }
        return joined
    }

    var start: Double { points.first?.value ?? 0 }
    var end: Double { points.last?.value ?? 0 }
    var range: ClosedRange<Double>? {
        guard let low = points.map(\.value).min(), let high = points.map(\.value).max() else { return nil }
        return low...high
    }

    func outline(_ time: TimeAxis, _ axis: ValueAxis) -> [Point] {
        points.map { Point(x: (time.x($0.time) * 100).rounded() / 100, y: (axis.y($0.value) * 100).rounded() / 100) }
    }

    /// Stretches in which the value rests: after the start, and after each of its moves.
    static func rests(of automation: Automation, until end: Double) -> [(from: Double, to: Double, value: Double)] {
        var rests: [(from: Double, to: Double, value: Double)] = []
        var from = 0.0
        for (index, move) in automation.moves.enumerated() where move.start < end {
            // Between two adjoining moves it rests for no time, but reaches a target.
            if move.start > from || (index > 0 && move.start == from) { rests.append((from, move.start, automation.value(at: from))) }
            from = min(move.start + move.over, end)
        }
        if from < end { rests.append((from, end, automation.value(at: end))) }
        return rests
    }
}

/// The decay of a bell after each of its strikes.
struct RingingBell: Equatable {
    /// The time of each strike, the seconds in which it falls by 60 dB, and whether the bell is on then, in order of time.
    let strikes: [(time: Double, decay: Double, isAudible: Bool)]

    /// Seconds after a strike at which the gain that its chapter sets is read.
    static let onset = 0.05

    static func == (one: RingingBell, other: RingingBell) -> Bool { one.strikes.elementsEqual(other.strikes, by: ==) }

    /// - Parameter layer: Index of a layer of the kind `bell`.
    init(_ patch: Patch, layer: Int, until end: Double) {
        let decay = patch.automation(of: .decay, layer: layer, edits: [])
        let gain = patch.automation(of: .gain, layer: layer, edits: [])
        let lowest = ParameterDescription.decay.range.lowerBound
        strikes = Set(patch.strikes(ofLayer: layer)).filter { $0 < end }.sorted().map { time in
            let isAudible = gain.map { $0.value(at: time + Self.onset) > Parameter.off } ?? false
            return (time, max(decay?.value(at: time) ?? lowest, lowest), isAudible)
        }
    }

    /// Level in dB: 0 at a strike, 60 less after its decay.
    func decibels(at time: Double) -> Double {
        guard let strike = strikes.last(where: { $0.time <= time }) else { return Parameter.off }
        return max(Parameter.off, -60 * (time - strike.time) / strike.decay)
    }

    /// Times at which its line needs points: each strike, just before it, and while it falls by 120 dB.
    func times(step: Double, until end: Double) -> [Double] {
        strikes.enumerated().flatMap { index, strike in
            let next = index + 1 < strikes.count ? strikes[index + 1].time.nextDown : end
            let silent = strike.time + 2 * strike.decay
            return [strike.time, min(silent, next), next]
                + stride(from: strike.time, to: min(silent, next), by: max(step, strike.decay / 60))
        }
    }
}

/// The fades of the whole patch at its two ends.
struct PatchFadeLevel {
    private let fade: Patch.Fade?
    private let duration: Double?

    init(_ patch: Patch) {
        fade = patch.fade
        duration = patch.duration
    }

    /// Level in dB; 0 where nothing fades.
    func decibels(at time: Double) -> Double {
        guard let fade else { return 0 }
        var factor = fade.fadeIn > 0 ? fade.easeIn.value(at: time / fade.fadeIn) : 1
        if let duration, fade.fadeOut > 0 { factor *= 1 - fade.easeOut.value(at: (time - duration + fade.fadeOut) / fade.fadeOut) }
        // 20 log10(x) = 6.02… log2(x)
        return factor > 1e-6 ? 6.020_599_913_279_624 * PortableMath.log2(factor) : Parameter.off
    }

    /// Times at which a line of the level needs points: both ends of a fade, and between them.
    func times(step: Double) -> [Double] {
        guard let fade else { return [] }
        func points(from start: Double, to end: Double) -> [Double] {
            stride(from: start, to: end, by: max(step, (end - start) / 200)) + [end]
        }
        return points(from: 0, to: fade.fadeIn) + (duration.map { points(from: $0 - fade.fadeOut, to: $0) } ?? [])
    }
}
