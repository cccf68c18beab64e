import Foundation
import Playback
import Testing

@Suite struct OneButtonRemoteTests {
    /// Presses of 0.1 s, 0.1 s apart, then silence.
    private func presses(_ count: Int) -> [Command] {
        var remote = OneButtonRemote()
        var commands: [Command] = []
        var time = 0.0
        for _ in 0..<count {
            commands += remote.press(at: time)
            commands += remote.release(at: time + 0.1)
            time += 0.2
        }
        return commands + remote.advance(to: time + 1)
    }

    @Test("one press toggles, two go to the next item, three to the previous one, more mean nothing")
    func counts() {
        #expect(presses(1) == [.toggle])
        #expect(presses(2) == [.nextItem])
        #expect(presses(3) == [.previousItem])
        #expect(presses(4) == [])
    }

    @Test(
        "held after two presses it seeks forward until let go, after three backward, after one nothing",
        arguments: zip([1, 2, 3], [nil, .forward, .backward] as [SeekDirection?]))
    func hold(_ count: Int, _ direction: SeekDirection?) {
        var remote = OneButtonRemote()
        var commands: [Command] = []
        for press in 0..<count {
            commands += remote.press(at: Double(press) * 0.2)
            if press < count - 1 { commands += remote.release(at: Double(press) * 0.2 + 0.1) }
        }
        let down = Double(count - 1) * 0.2
        commands += remote.advance(to: down + 0.6)
        commands += remote.release(at: down + 2)
        commands += remote.advance(to: down + 9)
        #expect(commands == direction.map { [.seek($0, begins: true), .seek($0, begins: false)] } ?? [])
    }

    @Test("two presses far apart are two toggles, and a press that never ends before the release is one")
    func apart() {
        var remote = OneButtonRemote()
        var commands = remote.press(at: 0) + remote.release(at: 0.1)
        commands += remote.press(at: 2) + remote.press(at: 2.05) + remote.release(at: 2.1) + remote.release(at: 2.2)
        commands += remote.advance(to: 4)
        #expect(commands == [.toggle, .toggle])
    }
}

@Suite struct ShakeDetectorTests {
    /// Shakes along one axis, on top of gravity, at a rate of values per second.
    private func shakes(amplitude: Double, frequency: Double, valuesPerSecond: Double, seconds: Double) -> Int {
        var detector = ShakeDetector()
        var count = 0
        for index in 0..<Int(seconds * valuesPerSecond) {
            let time = Double(index) / valuesPerSecond
            let moved = time > 1 && time < seconds - 1 ? amplitude * sin(2 * .pi * frequency * time) : 0
            if detector.isShake(x: moved, y: 0.3 * moved, z: 1, at: time) { count += 1 }
        }
        return count
    }

    @Test("a shake of the hand is recognised at 10 to 100 values a second", arguments: [10.0, 25, 60, 100])
    func shake(_ valuesPerSecond: Double) {
        #expect(shakes(amplitude: 2.5, frequency: 3.3, valuesPerSecond: valuesPerSecond, seconds: 4) >= 1)
    }

    @Test("walking and running are no shakes", arguments: zip([0.4, 0.8, 1.2], [1.8, 2.2, 2.8]))
    func walking(_ amplitude: Double, _ frequency: Double) {
        #expect(shakes(amplitude: amplitude, frequency: frequency, valuesPerSecond: 50, seconds: 60) == 0)
    }

    @Test("one long shake is not many, and rubbish is passed over")
    func pause() {
        #expect(shakes(amplitude: 3, frequency: 4, valuesPerSecond: 50, seconds: 4) <= 2)
        var detector = ShakeDetector()
        for time in 0..<100 {
            let isShake = detector.isShake(x: .nan, y: .infinity, z: 1, at: Double(time))
            #expect(!isShake)
        }
    }
}
