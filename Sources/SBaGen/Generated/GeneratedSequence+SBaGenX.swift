import Patches

/// The sessions of SBaGenX, by its formulas: no fade at the start, and only the tone fades at the end.
extension GeneratedSequence {
    /// The largest distance in Hz between a continuous course and the straight lines that it is cut into.
    private static let tolerance = 0.0005
    /// The most lines that it is cut into.
    private static let cuts = 2000
    private static let log2e = 1.442695040888963407

    /// A drop, or a sigmoid if `curve` is given.
    ///
    /// - Parameters:
    ///   - minutes: Minutes of the drop, of the hold at its end, and of the return; `nil` is 30, 30 and 3.
    ///   - fade: Seconds in which the tone fades out behind the end.
    init?(sbagenx drop: Drop, curve: Drop.Curve?, minutes: [Int]? = nil, fade: Double) {
        let minutes = minutes ?? [30, 30, 3]
        guard minutes[0] > 0, minutes[0] + (drop.isHeld ? minutes[1] : 0) + (drop.wakes ? minutes[2] : 0) <= Self.longest else {
            return nil
        }
        amplitude = drop.amplitude
        tone = drop.tone
        fades = (0, max(1, Int(fade.rounded())), fadesOthers: false)
        let falling = minutes[0] * 60
        let end = falling + (drop.isHeld ? minutes[1] * 60 : 0)
        /// The carrier falls by 5 Hz in the drop, and at the same rate while the beat is held.
        func carrier(_ time: Int) -> Double { max(drop.carrier - 5 * Double(time) / Double(falling), Self.lowest) }
        func exponential(_ part: Double) -> Double {
            drop.start * PortableMath.exp2(PortableMath.log2(drop.target / drop.start) * min(part, 1))
        }
        var sigmoid: Sigmoid?
        if let curve {
            sigmoid = Sigmoid(curve, from: drop.start, to: drop.target, minutes: Double(minutes[0]))
            if sigmoid == nil { return nil }
        }
        func beat(_ time: Int) -> Double {
            if time >= falling { return drop.target }
            return sigmoid?.value(at: Double(time) / 60) ?? exponential(Double(time) / Double(falling))
        }
        if let step = drop.step.map({ $0 * 60 }) {
            let count = max(2, (falling + step - 1) / step)
            for (index, start) in stride(from: 0, to: end, by: step).enumerated() {
                let stop = min(start + step, end)
                // A hold shorter than a step has the carrier of the last one.
                let carrier = carrier(start >= falling && end - falling < step ? falling : stop)
                let beat = sigmoid == nil ? exponential(Double(index) / Double(count - 1)) : beat(start)
                corners.append(
                    Corner(
                        time: start, carrier: carrier, beat: beat,
                        title: start == 0 ? "drop" : start >= falling && start - step < falling ? "hold" : ""))
                corners.append(Corner(time: stop, carrier: carrier, beat: beat))
            }
        } else {
            let ratio = PortableMath.log2(drop.target / drop.start) / Self.log2e
            let bend = sigmoid?.bend ?? max(drop.start, drop.target) * (ratio / Double(falling)) * (ratio / Double(falling))
            // A chord of a parabola is that far away in its middle.
            let step = max(Int(min((8 * Self.tolerance / max(bend, 1e-12)).squareRoot(), 60)), (falling + Self.cuts - 1) / Self.cuts, 1)
            var times = Set(stride(from: 0, to: falling, by: step)).union([falling, end])
            // Where the carrier arrives at the lowest one of a layer.
            let floor = Int(max(drop.carrier - Self.lowest, 0) / 5 * Double(falling))
            if floor < end { times.insert(floor) }
            corners = times.sorted().map {
                Corner(
                    time: $0, carrier: carrier($0), beat: beat($0), title: $0 == 0 ? "drop" : $0 == falling && end > falling ? "hold" : "")
            }
        }
        if drop.wakes, minutes[2] > 0 {
            corners[corners.count - 1].title = "wake"
            corners.append(Corner(time: end + minutes[2] * 60, carrier: max(drop.carrier, Self.lowest), beat: drop.start))
        }
    }

    /// A·tanh(l(m - D/2 - h)) + B through the beats at the start and the end, m and D in minutes.
    private struct Sigmoid {
        let curve: Drop.Curve
        let middle: Double
        let height: Double
        let base: Double

        /// - Returns: `nil` if it is too flat or too far away to reach from one beat to the other.
        init?(_ curve: Drop.Curve, from start: Double, to end: Double, minutes: Double) {
            self.curve = curve
            middle = minutes / 2 + curve.shift
            let (first, last) = (Self.tanh(-curve.slope * middle), Self.tanh(curve.slope * (minutes - middle)))
            guard last - first > 1e-6 else { return nil }
            height = (end - start) / (last - first)
            base = start - height * first
        }

        /// The largest second derivative, in Hz per second squared: that of tanh is 4/(3√3).
        var bend: Double { abs(height) * 4 / 27.0.squareRoot() * (curve.slope / 60) * (curve.slope / 60) }

        func value(at minute: Double) -> Double { height * Self.tanh(curve.slope * (minute - middle)) + base }

        private static func tanh(_ x: Double) -> Double {
            let power = PortableMath.exp2(min(max(2 * x, -80), 80) * log2e)
            return (power - 1) / (power + 1)
        }
    }
}
