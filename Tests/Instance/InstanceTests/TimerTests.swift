import InstanceSupport
import Testing

@testable import Application

@Suite("--once and --at")
struct TimerTests {
    private func tone(_ seconds: Int) -> String { "title: Tone\nduration: \(seconds)\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n" }

    /// Lets time pass until the program ends by itself.
    private func secondsUntilItQuits(_ instance: SteppedInstance, atMost limit: Double) -> Double {
        let begin = instance.clock.seconds
        while !instance.hasQuit, instance.clock.seconds - begin < limit { instance.pass(seconds: 0.01) }
        return instance.clock.seconds - begin
    }

    @Test("--once plays the queue to its end and ends the program, also if the session repeats and was stopped before")
    func once() async throws {
        let home = try InstanceHome()
        for (name, seconds) in [("a", 1), ("b", 2)] { try home.write(tone(seconds), to: "\(name).yaml") }
        try home.write("format: 1\nqueue:\n  - {patch: a.yaml}\n  - {patch: b.yaml}\nplay: {repeat: all}\n", to: "mine.yaml")
        // The second run resumes the session that the first one has left stopped.
        for _ in 1...2 {
            let instance = try home.start("--session", "mine.yaml", "--once")
            var items: [Int] = []
            while !instance.hasQuit {
                instance.pass(seconds: 0.01)
                let player = instance.player
                if player.playback == .playing, let index = player.currentIndex, items.last != index { items.append(index) }
            }
            #expect(items == [0, 1])
            #expect((3..<4).contains(instance.clock.seconds - 1000))
            #expect(instance.player.playback == .stopped)
            try await instance.end()
        }
        #expect(try home.folder.read("mine.yaml").contains("b.yaml"))
    }

    @Test("--once ends with the sleep timer and with a stop, not with a pause")
    func otherEnds() throws {
        let home = try InstanceHome()
        try home.write("layers:\n  - {tone: {carrier: 200}, gain: -20}\n", to: "endless.yaml")
        let sleeping = try home.start("endless.yaml", "--once", "--sleep", "5:00", "--sleep-fade", "1")
        #expect(!sleeping.lines.contains { $0.contains("never ends by itself") })
        #expect((299..<302).contains(secondsUntilItQuits(sleeping, atMost: 600)))

        let stopped = try home.start("endless.yaml", "--once", "--session", "other")
        #expect(stopped.lines.contains("'endless' never ends by itself: with --once, end it with --sleep, 'next' or 'stop'."))
        let peer = SteppedPeer(stopped)
        stopped.pass(seconds: 1)
        try peer.perform("pause")
        stopped.pass(seconds: 20)
        #expect(!stopped.hasQuit)
        try peer.perform("play")
        stopped.pass(seconds: 1)
        try peer.perform("stop")
        #expect(secondsUntilItQuits(stopped, atMost: 10) < 1)
    }

    @Test("--once or --at with nothing to play is an error", arguments: ["empty", "gone-item"], [["--once"], ["--at", "+1:00"]])
    func empty(name: String, option: [String]) throws {
        let home = try InstanceHome()
        try home.write("format: 1\nqueue: []\n", to: "empty.yaml")
        try home.write("format: 1\nqueue: [{patch: gone.yaml}]\n", to: "gone-item.yaml")
        let error = #expect(throws: ApplicationError.self) { try home.start(["--session", "\(name).yaml"] + option) }
        #expect("\(try #require(error))".contains("The session '\(name)' has nothing to play"))
    }

    @Test("--at waits, paused, and starts at its time; the sleep timer counts from there, and --once ends the program")
    func at() throws {
        let home = try InstanceHome()
        try home.write(tone(600), to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--at", "+20:00", "--rise", "1:00", "--sleep", "3:00", "--sleep-fade", "1", "--once")
        let announced = instance.lines.joined(separator: "\n")
        #expect(announced.contains(/Starts (tomorrow )?at [0-9]+:[0-9]{2}:[0-9]{2}, in 20:00, and rises over 1:00\./), "\(announced)")
        instance.changePeriod(to: 1024)
        instance.pass(seconds: 20 * 60 - 1)
        #expect(instance.player.playback == .paused)
        #expect(instance.player.sleep == nil)
        instance.pass(seconds: 1.1)
        #expect(instance.player.playback == .playing)
        #expect(instance.player.sleep != nil)
        #expect((179..<182).contains(secondsUntilItQuits(instance, atMost: 600)))
    }

    @Test("a clock that is set decides when --at starts")
    func setClock() throws {
        let home = try InstanceHome()
        try home.write(tone(600), to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--at", "+10:00")
        instance.pass(seconds: 10)
        instance.clock.setWallTime(forwardBy: -300)
        instance.pass(seconds: 600)
        #expect(instance.player.playback == .paused)
        instance.clock.setWallTime(forwardBy: 300)
        instance.pass(seconds: 2)
        #expect(instance.player.playback == .playing)
    }

    @Test("--at is refused while JACK's transport is followed, by the preference or the session; the option overrides them")
    func followed() throws {
        let home = try InstanceHome()
        try home.write(tone(600), to: "tone.yaml")
        try home.write("format: 1\nqueue:\n  - {patch: tone.yaml}\nplay: {transport: follow}\n", to: "mine.yaml")
        func refusal(_ arguments: [String]) throws -> String {
            "\(try #require(#expect(throws: ApplicationError.self) { try home.start(arguments + ["--at", "+4"]) }))"
        }
        #expect(try refusal(["--session", "mine.yaml"]).contains("--at and --transport follow exclude each other"))
        try home.write("transport: follow\n", to: "config/preferences.yaml")
        #expect(try refusal(["tone.yaml"]).contains("--at and --transport follow exclude each other"))
        let waiting = try home.start("tone.yaml", "--transport", "none", "--at", "+1:00:00")
        #expect(waiting.player.playback == .paused)
        #expect(waiting.snapshot.start != nil)
    }

    @Test("an item that plays already keeps playing when the time of --at comes")
    func playing() throws {
        let home = try InstanceHome()
        try home.write(tone(600), to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--at", "+3")
        instance.pass(seconds: 1)
        try SteppedPeer(instance).perform("play")
        instance.pass(seconds: 5)
        // A start would have set the position back.
        #expect(instance.snapshot.nowPlaying.elapsed >= 0)
        #expect(instance.player.elapsed(at: instance.snapshot.moment) > 4.9)
    }

    @Test("a stop cancels the start of --at, and one started by hand, paused again, stays paused; its sleep timer runs from that start")
    func cancelled() throws {
        let home = try InstanceHome()
        try home.write(tone(600), to: "tone.yaml")
        let stopped = try home.start("tone.yaml", "--at", "+1:00:00", "--once")
        try SteppedPeer(stopped).perform("stop")
        #expect(stopped.notices.contains("The start was cancelled."))
        #expect(secondsUntilItQuits(stopped, atMost: 10) < 5)

        let instance = try home.start("tone.yaml", "--at", "+4", "--sleep", "10:00", "--session", "other")
        let peer = SteppedPeer(instance)
        try peer.perform("play")
        instance.pass(seconds: 1)
        try peer.perform("pause")
        instance.pass(seconds: 60)
        #expect(instance.player.playback == .paused)
        guard case .float(let rest)? = try peer.value("now/sleep").first else { throw Missing() }
        #expect((530...540).contains(rest))
    }

    private struct Missing: Error {}

    @Test("a rise that is longer than the queue of --once is warned about")
    func longRise() throws {
        let home = try InstanceHome()
        try home.write(tone(30), to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--at", "+1:00", "--once")
        #expect(instance.lines.contains("The level rises over 1:00, but the queue ends after 0:30: choose a shorter --rise."))
    }
}
