import OSC
import OSCRemote
import RemoteClient
import Patches
import Terminal
import Testing

/// The state of a client that gets only the packets that arrive.
@Suite("Following an instance")
struct FollowerTests {
    private static let epoch = TimeTag(secondsSince1970: 1_800_000_000, nanoseconds: 0)

    private static func instant(_ seconds: Double) -> Instant {
        Instant(seconds: seconds, timeTag: epoch.advanced(bySeconds: seconds))
    }

    private static func alive(_ number: Int32, boot: Int64 = 7) -> OSCMessage {
        OSCMessage("/binaural/alive", [.int64(boot), .int32(number)])
    }

    private static func now(
        _ state: String = "playing", title: String = "Tone", elapsed: Float, rate: Float = 1, at tag: Double, number: Int32, boot: Int64 = 7
    ) -> OSCPacket {
        .bundle(
            OSCBundle(
                timeTag: epoch.advanced(bySeconds: tag),
                messages: [
                    OSCMessage("/binaural/now/state", [.string(state)]), OSCMessage("/binaural/now/elapsed", [.float(elapsed)]),
                    OSCMessage("/binaural/now/rate", [.float(rate)]), OSCMessage("/binaural/now/rate/default", [.float(1)]),
                    OSCMessage("/binaural/now/duration", [.float(600)]), OSCMessage("/binaural/now/queue", [.int32(2), .int32(5)]),
                    OSCMessage("/binaural/now/chapter", [.int32(1), .int32(3), .string("Settle")]),
                    OSCMessage("/binaural/now/title", [.string(title)]), alive(number, boot: boot),
                ]))
    }

    private static func end(_ number: Int32) -> OSCPacket {
        .bundle(OSCBundle(messages: [OSCMessage("/binaural/snapshot/end", [.string("now")]), alive(number)]))
    }

    private static let subscribed = OSCPacket.message(
        OSCMessage("/binaural/subscribed", [.string("now"), .int32(1), .int32(30), .int32(50_000)]))

    /// A follower that subscribed at 0 s, when the item was at 100 s.
    private static func following() -> Follower {
        var follower = Follower()
        _ = follower.tick(at: instant(0))
        follower.receive(subscribed, at: instant(0))
        follower.receive(now(elapsed: 100, at: 0, number: 1), at: instant(0))
        follower.receive(end(2), at: instant(0))
        // Compares the clock for the first time.
        _ = follower.tick(at: instant(0))
        return follower
    }

    private static func addresses(_ messages: [OSCMessage]) -> [String] {
        messages.map { String($0.address.dropFirst("/binaural/".count)) }
    }

    @Test("it counts a sleep timer down, whether anything plays or not, and knows when none is set")
    func sleep() {
        var follower = Self.following()
        #expect(follower.timeToSleep(at: Self.instant(10)) == nil)
        let messages = [
            OSCMessage("/binaural/now/elapsed", [.float(120)]), OSCMessage("/binaural/now/rate", [.float(0)]),
            OSCMessage("/binaural/now/sleep", [.float(60)]), Self.alive(3),
        ]
        follower.receive(.bundle(OSCBundle(timeTag: Self.epoch.advanced(bySeconds: 20), messages: messages)), at: Self.instant(20))
        #expect(follower.timeToSleep(at: Self.instant(35)).map { abs($0 - 45) < 1e-6 } == true)
        #expect(follower.timeToSleep(at: Self.instant(100)) == 0)
        let over = [OSCMessage("/binaural/now/sleep", [.float(0)]), Self.alive(4)]
        follower.receive(.bundle(OSCBundle(timeTag: Self.epoch.advanced(bySeconds: 101), messages: over)), at: Self.instant(101))
        #expect(follower.timeToSleep(at: Self.instant(101)) == nil)
    }

    @Test("it knows when the instance starts to play by itself, by its clock, and when that is cancelled")
    func start() {
        var follower = Self.following()
        #expect(WatchStatus(follower, at: Self.instant(0)).playing.startTime == nil)
        let messages = [
            OSCMessage("/binaural/now/state", [.string("paused")]), OSCMessage("/binaural/now/elapsed", [.float(0)]),
            OSCMessage("/binaural/now/rate", [.float(0)]), OSCMessage("/binaural/now/start", [.float(3600)]), Self.alive(3),
        ]
        follower.receive(.bundle(OSCBundle(timeTag: Self.epoch.advanced(bySeconds: 20), messages: messages)), at: Self.instant(20))
        let seconds = Self.epoch.secondsSince1900 - 2_208_988_800 + 3620
        #expect(WatchStatus(follower, at: Self.instant(30)).playing.startTime == TimeOfDayText.string(atTime: seconds))
        let over = [OSCMessage("/binaural/now/elapsed", [.float(0)]), OSCMessage("/binaural/now/start", [.float(-1)]), Self.alive(4)]
        follower.receive(.bundle(OSCBundle(timeTag: Self.epoch.advanced(bySeconds: 40), messages: over)), at: Self.instant(40))
        #expect(WatchStatus(follower, at: Self.instant(40)).playing.startTime == nil)
    }

    @Test("the highest master level of the preferences limits the one shown and the key for a louder one")
    func highestLevel() throws {
        var follower = Self.following()
        follower.receive(.message(OSCMessage("/binaural/master/gain", [.float(-12)])), at: Self.instant(1))
        follower.receive(.message(OSCMessage("/binaural/preferences/maximumLevel", [.float(-11.5)])), at: Self.instant(1))
        let mixer = try #require(follower.mixer.mixer)
        var selection = KeySelection()
        #expect(selection.action(of: .louder, mixer) == .level(layer: nil, -11.5))
    }

    @Test("levels, mutes, solos and layers are followed; a key's value is shown at once, and read again if it is refused")
    func mixer() throws {
        var follower = Self.following()
        #expect(follower.mixer.mixer == nil)
        let messages: [(String, [OSCArgument])] = [
            ("master/gain", [.float(-12)]), ("master/mute", [.int32(1)]), ("chapter/starts", [.float(0), .float(60)]),
            ("layer/count", [.int32(2)]), ("layer/1/name", [.string("bed")]), ("layer/1/kind", [.string("binaural")]),
            ("layer/1/beat", [.float(6)]), ("layer/1/gain", [.float(-20)]), ("layer/2/name", [.string("rain")]),
            ("layer/2/mute", [.int32(1)]), ("layer/2/solo", [.int32(1)]), ("layer/2/edited", [.int32(1)]),
            // Nonsense is ignored.
            ("layer/2/gain", [.float(.nan)]), ("layer/9/gain", [.float(-1)]), ("layer/0/gain", [.float(-1)]), ("layer/x/gain", []),
            ("layer/1/gain/norm", [.float(1)]), ("layer/count", [.string("many")]), ("layer/1", []), ("master/gain", [.float(.infinity)]),
        ]
        follower.receive(
            .bundle(OSCBundle(messages: messages.map { OSCMessage("/binaural/" + $0, $1) } + [Self.alive(3)])), at: Self.instant(1))
        var mixer = try #require(follower.mixer.mixer)
        #expect(mixer.gain == -12)
        #expect(mixer.isMuted)
        #expect(mixer.layerCount == 2)
        #expect(mixer.mutedLayers == [1])
        #expect(mixer.soloedLayers == [1])
        #expect((0..<2).map { mixer.layer($0).isEdited } == [false, true])
        #expect(mixer.layer(0).name == "bed")
        #expect(mixer.layer(0).gain == -20)
        #expect(mixer.layer(0).values.count == 2)
        #expect(mixer.layer(7).name == "")

        #expect(follower.message(for: .level(layer: 0, -19), at: Self.instant(1)) == OSCMessage("/binaural/layer/1/gain", [.float(-19)]))
        #expect(follower.message(for: .mute(layer: nil, false), at: Self.instant(1)) == OSCMessage("/binaural/master/mute", [.int32(0)]))
        #expect(follower.message(for: .solo(layer: 1, false), at: Self.instant(1)) == OSCMessage("/binaural/layer/2/solo", [.int32(0)]))
        #expect(follower.message(for: .skipForward, at: Self.instant(1)) == OSCMessage("/binaural/skip/forward"))
        #expect(follower.message(for: .redraw, at: Self.instant(1)) == nil)
        mixer = try #require(follower.mixer.mixer)
        #expect(mixer.layer(0).gain == -19)
        #expect(!mixer.isMuted)
        #expect(mixer.soloedLayers == [])

        _ = follower.tick(at: Self.instant(1))
        let refusal = OSCMessage(
            "/binaural/error", [.string("/binaural/layer/1/gain"), .int32(401), .string("This needs the role \"control\".")])
        follower.receive(.message(refusal), at: Self.instant(1))
        #expect(follower.takeRefusals() == ["/binaural/layer/1/gain: This needs the role \"control\"."])
        #expect(follower.takeRefusals() == [])
        #expect(follower.tick(at: Self.instant(1)).contains(OSCMessage("/binaural/layer/1/gain")))
        #expect(!follower.tick(at: Self.instant(1)).contains(OSCMessage("/binaural/layer/1/gain")))

        #expect(
            follower.tick(at: Self.instant(1.5)).map(\.address).filter { $0.hasSuffix("mute") || $0.hasSuffix("solo") }
                == ["/binaural/layer/2/solo", "/binaural/master/mute"], "the messages may have been lost")

        follower.unreachable(at: Self.instant(2))
        #expect(follower.message(for: .toggle, at: Self.instant(1)) == nil, "nobody listens")
    }

    @Test("it subscribes, and asks again every second until everything has arrived")
    func subscribing() {
        var follower = Follower(topics: ["meters/100"])
        #expect(follower.tick(at: Self.instant(0)).map(\.arguments) == [[.string("now")], [.string("meters/100")]])
        #expect(follower.tick(at: Self.instant(0.9)) == [])
        #expect(follower.trouble == nil)
        #expect(follower.tick(at: Self.instant(1.1)).count == 2)
        #expect(follower.trouble == .silence)
        follower.receive(Self.subscribed, at: Self.instant(1.2))
        // The first packet of the snapshot was lost.
        follower.receive(Self.end(2), at: Self.instant(1.2))
        #expect(!follower.isFollowing)
        #expect(follower.tick(at: Self.instant(2.2)).count == 2)
        follower.receive(Self.now(elapsed: 5, at: 2.2, number: 3), at: Self.instant(2.2))
        #expect(!follower.isFollowing)
        follower.receive(Self.end(4), at: Self.instant(2.2))
        #expect(follower.isFollowing)
        #expect(follower.trouble == nil)
        #expect(follower.nowPlaying?.title == "Tone")
    }

    @Test("it computes the time by itself: the position at the tag, and the rate since", arguments: [(0.5, 130.0), (10, 600), (0, 100)])
    func counting(rate: Float, expected: Double) {
        var follower = Self.following()
        follower.receive(Self.now(elapsed: 100, rate: rate, at: 10, number: 3), at: Self.instant(10.01))
        #expect(abs(follower.elapsed(at: Self.instant(70)) - expected) < 1e-6)
    }

    @Test("a clock that is wrong by hours has no effect once it has been compared")
    func clocks() {
        var follower = Self.following()
        let ahead = 7200.0
        let sent = Self.instant(3)
        #expect(Self.addresses(follower.tick(at: sent)) == ["clock"])
        let there = OSCArgument.timeTag(Self.epoch.advanced(bySeconds: 3.01 + ahead))
        follower.receive(.message(OSCMessage("/binaural/clock", [.timeTag(sent.timeTag), there, there])), at: Self.instant(3.02))
        follower.receive(Self.now(elapsed: 50, at: 4 + ahead, number: 3), at: Self.instant(4.2))
        #expect(abs(follower.elapsed(at: Self.instant(9)) - 55) < 1e-6)
        // An answer with a long round trip is less precise, and is ignored.
        let late = Self.instant(20)
        follower.receive(.message(OSCMessage("/binaural/clock", [.timeTag(late.timeTag), there, there])), at: Self.instant(25))
        #expect(abs(follower.elapsed(at: Self.instant(9)) - 55) < 1e-6)
    }

    @Test("any packet renews the lease: one is sent every three seconds")
    func lease() {
        var follower = Self.following()
        var times: [Double] = []
        for tenth in 1...300 {
            let now = Self.instant(Double(tenth) / 10)
            if !follower.tick(at: now).isEmpty { times.append(now.seconds) }
            follower.receive(.message(Self.alive(2)), at: now)
        }
        #expect(times.count >= 9)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 3.2 })
        #expect(follower.isFollowing)
    }

    @Test("a missed change is detected at the next alive message, and requested")
    func gap() {
        var follower = Self.following()
        follower.receive(.message(Self.alive(2)), at: Self.instant(1))
        #expect(follower.tick(at: Self.instant(1.1)) == [])
        follower.receive(.message(Self.alive(3)), at: Self.instant(1.2))
        #expect(Self.addresses(follower.tick(at: Self.instant(1.3))) == ["subscribe"])
        // Only once, since the answer is under way.
        #expect(follower.tick(at: Self.instant(1.4)) == [])
        follower.receive(Self.subscribed, at: Self.instant(1.4))
        follower.receive(Self.now("paused", elapsed: 101, rate: 0, at: 1.2, number: 4), at: Self.instant(1.4))
        follower.receive(Self.end(5), at: Self.instant(1.4))
        #expect(follower.nowPlaying?.state == "paused")
        // A gap within the changes themselves: what arrived is applied, and the missing part is requested.
        follower.receive(Self.now("playing", elapsed: 102, at: 2, number: 7), at: Self.instant(2))
        #expect(follower.nowPlaying?.state == "playing")
        #expect(Self.addresses(follower.tick(at: Self.instant(2.1))) == ["subscribe"])
    }

    @Test("reordered and duplicate packets change nothing")
    func stale() {
        var follower = Self.following()
        let old = Self.now("playing", title: "Old", elapsed: 1, at: 1, number: 3)
        follower.receive(Self.now("paused", title: "New", elapsed: 2, rate: 0, at: 2, number: 4), at: Self.instant(2))
        follower.receive(old, at: Self.instant(2.1))
        #expect(follower.nowPlaying?.title == "New")
        follower.receive(old, at: Self.instant(2.2))
        #expect(follower.nowPlaying?.state == "paused")
    }

    @Test("a restarted instance is subscribed to again")
    func restarted() {
        var follower = Self.following()
        follower.receive(.message(Self.alive(2, boot: 8)), at: Self.instant(1))
        #expect(Self.addresses(follower.tick(at: Self.instant(1.1))) == ["subscribe"])
    }

    static let ends: [(OSCPacket?, Follower.Trouble)] = [
        (.message(OSCMessage("/binaural/bye", [.string("quit")])), .gone("quit")), (nil, .nobodyThere),
        (
            .message(OSCMessage("/binaural/error", [.string("/binaural/subscribe"), .int32(413), .string("Too many.")])),
            .refused("Too many.")
        ),
    ]

    @Test("it waits for an instance that has ended; the position stands still meanwhile", arguments: ends)
    func gone(packet: OSCPacket?, trouble: Follower.Trouble) {
        var follower = Self.following()
        if let packet { follower.receive(packet, at: Self.instant(2)) } else { follower.unreachable(at: Self.instant(2)) }
        #expect(!follower.isFollowing)
        #expect(follower.trouble == trouble)
        #expect(abs(follower.elapsed(at: Self.instant(50)) - 102) < 1e-6)
        #expect(Self.addresses(follower.tick(at: Self.instant(2.1))) == ["subscribe"])
        follower.receive(Self.subscribed, at: Self.instant(3))
        follower.receive(Self.now(elapsed: 0, at: 3, number: 1, boot: 9), at: Self.instant(3))
        #expect(!follower.isFollowing)
        follower.receive(Self.end(2), at: Self.instant(3))
        #expect(follower.isFollowing)
        #expect(abs(follower.elapsed(at: Self.instant(5)) - 2) < 1e-6)
    }

    @Test("an instance that is silent for longer than alive messages allow is gone")
    func silence() {
        var follower = Self.following()
        _ = follower.tick(at: Self.instant(6.9))
        #expect(follower.isFollowing)
        _ = follower.tick(at: Self.instant(7.1))
        #expect(!follower.isFollowing)
        #expect(follower.trouble == .silence)
    }

    @Test("an unexpected position is a jump")
    func jumps() {
        var follower = Self.following()
        #expect(follower.jumpCount == 0)
        follower.receive(Self.now(elapsed: 110, at: 10, number: 3), at: Self.instant(10))
        #expect(follower.jumpCount == 0)
        follower.receive(Self.now(elapsed: 50, at: 11, number: 4), at: Self.instant(11))
        #expect(follower.jumpCount == 1)
    }
}
