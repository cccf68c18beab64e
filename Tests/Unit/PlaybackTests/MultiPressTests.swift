import Foundation
import Playback
import Testing

@Suite struct MultiPressTests {
    /// Presses of 0.1 s, 0.1 s apart, then silence.
    private func presses(_ count: Int) -> [Command] {
        var detector = MultiPressDetector()
        var commands: [Command] = []
        var time = 0.0
        for _ in 0..<count {
            commands += detector.press(at: time)
            commands += detector.release(at: time + 0.1)
            time += 0.2
        }
        return commands + detector.advance(to: time + 1)
    }

    @Test("one press toggles, two go to the next item, three to the previous one, more have no effect")
    func counts() {
        #expect(presses(1) == [.toggle])
        #expect(presses(2) == [.nextItem])
        #expect(presses(3) == [.previousItem])
        #expect(presses(4) == [])
    }

    @Test(
        "holding after two presses seeks forward until the release, after three backward, after one has no effect",
        arguments: zip([1, 2, 3], [nil, .forward, .backward] as [SeekDirection?]))
    func hold(_ count: Int, _ direction: SeekDirection?) {
        var detector = MultiPressDetector()
        var commands: [Command] = []
        for press in 0..<count {
            commands += detector.press(at: Double(press) * 0.2)
            if press < count - 1 { commands += detector.release(at: Double(press) * 0.2 + 0.1) }
        }
        let down = Double(count - 1) * 0.2
        commands += detector.advance(to: down + 0.6)
        commands += detector.release(at: down + 2)
        commands += detector.advance(to: down + 9)
        #expect(commands == direction.map { [.seek($0, begins: true), .seek($0, begins: false)] } ?? [])
    }

    @Test("two presses far apart are two toggles, and a release without a press has no effect")
    func apart() {
        var detector = MultiPressDetector()
        var commands = detector.press(at: 0) + detector.release(at: 0.1)
        commands += detector.press(at: 2) + detector.release(at: 2.1) + detector.release(at: 2.2)
        commands += detector.advance(to: 4)
        #expect(commands == [.toggle, .toggle])
    }

    @Test("a press while the button is down is a new one, whose previous release was lost")
    func lostRelease() {
        var detector = MultiPressDetector()
        var commands = detector.press(at: 0) + detector.press(at: 0.2) + detector.release(at: 0.3) + detector.advance(to: 2)
        #expect(commands == [.nextItem])
        // A release that was lost for long looks like a hold.
        commands =
            detector.press(at: 10) + detector.advance(to: 11) + detector.press(at: 15) + detector.release(at: 15.1)
            + detector.advance(to: 16)
        #expect(commands == [.toggle])
        commands = detector.press(at: 20) + detector.release(at: 20.1) + detector.press(at: 20.2) + detector.advance(to: 21)
        commands += detector.press(at: 23) + detector.release(at: 23.1) + detector.advance(to: 24)
        #expect(commands == [.seek(.forward, begins: true), .seek(.forward, begins: false), .toggle])
    }
}
