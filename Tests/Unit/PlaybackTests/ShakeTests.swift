import Foundation
import Playback
import TestSupport
import Testing

/// Streams of accelerations as a phone sends them, and what the detector makes of them.
@Suite("Shakes") struct ShakeDetectorTests {
    /// Vertical and forward acceleration in g, gravity included, at a time in seconds.
    typealias Motion = @Sendable (Double) -> (up: Double, forward: Double)

    static let rates = [10.0, 30, 100]

    /// Shakes detected in a motion of this many seconds, with the phone at any angle, some noise, and late packets.
    private func shakes(in motion: Motion, valuesPerSecond rate: Double, seconds: Double, seed: UInt64) -> Int {
        var random = SplitMix64(seed: seed)
        let up = random.direction()
        let side = random.direction()
        let forward = (side - up * (side * up).sum())
        let level = forward / (forward * forward).sum().squareRoot()
        let phase = Double.random(in: 0..<1, using: &random)
        var detector = ShakeDetector()
        var count = 0
        for index in 0..<Int(seconds * rate) {
            let time = Double(index) / rate
            let (vertical, ahead) = motion(time + phase)
            let value = up * vertical + level * ahead + random.direction() * 0.05
            let late = Double.random(in: 0..<0.2 / rate, using: &random)
            if detector.isShake(x: value.x, y: value.y, z: value.z, at: time + late) { count += 1 }
        }
        return count
    }

    @Test("a shake is recognised at 10 to 100 values a second, whichever way the phone is held", arguments: rates)
    func recognised(rate: Double) {
        for (amplitude, frequency) in [(2.5, 3.4), (3.0, 3.4), (3.0, 4.0), (4.0, 4.4)] {
            for isVertical in [true, false] {
                for seed in 0..<5 as Range<UInt64> {
                    let count = shakes(
                        in: { time in
                            let moved = time > 2 && time < 5 ? amplitude * sin(2 * .pi * frequency * time) : 0
                            return isVertical ? (1 + moved, 0) : (1, moved)
                        }, valuesPerSecond: rate, seconds: 6, seed: seed)
                    // Three seconds of it are one or two shakes.
                    #expect((1...3).contains(count), "\(amplitude) g at \(frequency) Hz, vertical: \(isVertical), seed \(seed)")
                }
            }
        }
    }

    @Test("walking is not a shake, in any way", arguments: rates)
    func walking(rate: Double) {
        for force in [0.3, 0.5, 0.8] {
            for steps in [1.7, 2.0, 2.4] {
                let count = shakes(
                    in: { time in
                        let phase = 2 * .pi * steps * time
                        return (1 + force * sin(phase) + 0.3 * force * sin(2 * phase), 0.5 * force * sin(phase + 1) + 0.4 * sin(phase / 2))
                    }, valuesPerSecond: rate, seconds: 60, seed: 1)
                #expect(count == 0, "\(force) g at \(steps) steps a second")
            }
        }
    }

    @Test("running is not a shake, with the phone on the body or in a swinging hand", arguments: rates)
    func running(rate: Double) {
        for steps in [2.4, 2.8, 3.1] {
            // Part of each step on the ground: the shorter, the harder the push; in the air nothing pulls at the phone.
            for ground in [0.7, 0.55, 0.45] {
                for arm in [0, 0.5, 1] {
                    let count = shakes(
                        in: { time in
                            let place = (time * steps).truncatingRemainder(dividingBy: 1)
                            let push = place < ground ? .pi / 2 / ground * sin(.pi * place / ground) : 0
                            return (push, 0.5 * sin(2 * .pi * steps * time) + arm * sin(.pi * steps * time))
                        }, valuesPerSecond: rate, seconds: 60, seed: 1)
                    #expect(count == 0, "\(steps) steps a second, \(ground) of each on the ground, arm \(arm) g")
                }
            }
        }
    }

    @Test("putting the phone down hard, or turning it over, is not a shake", arguments: rates)
    func handling(rate: Double) {
        let down = shakes(
            in: { time in
                let since = time.truncatingRemainder(dividingBy: 3) - 1.5
                guard since >= 0 else { return (1, 0.1 * sin(3 * .pi * time)) }
                // The phone vibrates on the table.
                let ring = exp(-since / 0.04)
                return (1 + 4 * ring * cos(50 * .pi * since), 1.5 * ring * sin(36 * .pi * since))
            }, valuesPerSecond: rate, seconds: 60, seed: 1)
        #expect(down == 0, "put down")
        for duration in [0.15, 0.3, 0.6] {
            let turned = shakes(
                in: { time in
                    let place = time.truncatingRemainder(dividingBy: 3)
                    let angle = Double.pi * (min(1, max(0, (place - 1) / duration)) + min(1, max(0, (place - 2) / duration)))
                    return (cos(angle), sin(angle))
                }, valuesPerSecond: rate, seconds: 60, seed: 1)
            #expect(turned == 0, "turned over in \(duration) s")
        }
        for frequency in [0.5, 1, 1.5, 2] {
            let wrist = shakes(
                in: { time in
                    let angle = .pi / 2 * sin(2 * .pi * frequency * time)
                    return (cos(angle), sin(angle))
                }, valuesPerSecond: rate, seconds: 60, seed: 1)
            #expect(wrist == 0, "turned to and fro \(frequency) times a second")
        }
    }

    @Test("there is a pause after a shake, and invalid values are ignored")
    func pause() {
        let count = shakes(
            in: { (1, 3 * sin(2 * .pi * 4 * $0)) }, valuesPerSecond: 50, seconds: 11, seed: 1)
        #expect((5...10).contains(count))
        var detector = ShakeDetector()
        for time in 0..<100 {
            let isShake = detector.isShake(x: .nan, y: .infinity, z: 1, at: Double(time))
            #expect(!isShake)
        }
    }
}

extension SplitMix64 {
    /// A vector of length 1.
    fileprivate mutating func direction() -> SIMD3<Double> {
        while true {
            let vector = SIMD3<Double>.random(in: -1...1, using: &self)
            let square = (vector * vector).sum()
            if square > 0.01, square < 1 { return vector / square.squareRoot() }
        }
    }
}
