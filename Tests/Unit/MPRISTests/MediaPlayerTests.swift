import Bus
import Patches
import Playback
import Testing

@testable import MPRIS

/// The rules of MPRIS, without a bus.
@Suite("The player on the desktop") struct MediaPlayerTests {
    private let second: Int64 = 1_000_000

    @Test("Introspect names exactly the properties that GetAll returns, with their types")
    func introspection() throws {
        let desktop = Desktop()
        let xml = try #require(try desktop.call("org.freedesktop.DBus.Introspectable", "Introspect").get().first?.text)
        for interface in InterfaceDescription.own {
            #expect(xml.contains("<interface name=\"\(interface.name)\">"))
            let all = try #require(
                try desktop.call("org.freedesktop.DBus.Properties", "GetAll", .string(interface.name)).get().first?.entries)
            #expect(Set(all.keys) == Set(interface.properties.map(\.name)))
            for property in interface.properties {
                #expect(all[property.name]?.signature == property.type, "\(property.name)")
                #expect(xml.contains("<property name=\"\(property.name)\" type=\"\(property.type)\""))
            }
        }
    }

    @Test("Metadata have the types of the guidelines, without a length for an endless item, and the chapter as a comment")
    func metadata() {
        let desktop = Desktop()
        desktop.receiver.session.name = "night"
        var metadata = desktop.metadata
        #expect(metadata["mpris:trackid"]?.signature == "o")
        #expect(!desktop.track.hasPrefix("/org/mpris"))
        #expect(metadata["mpris:length"] == .int64(600 * second))
        #expect(metadata["xesam:title"] == .string("Deep"))
        #expect(metadata["xesam:artist"] == .strings(["Somebody"]))
        #expect(metadata["xesam:album"] == .string("night"))
        #expect(metadata["xesam:comment"] == .strings(["Settle"]))
        desktop.play("SetPosition", .path(desktop.track), .int64(150 * second))
        #expect(desktop.metadata["xesam:comment"] == .strings(["Drop"]))
        desktop.play("Next")
        metadata = desktop.metadata
        #expect(metadata["xesam:title"] == .string("A4"))
        #expect(metadata["mpris:length"] == nil)
        #expect(metadata["xesam:artist"] == nil)
    }

    @Test("A picture is named as a file")
    func picture() {
        let desktop = Desktop()
        desktop.receiver.player.illustrate(item: desktop.receiver.player.state.items[0].id, with: "/c/my picture.png")
        #expect(desktop.metadata["mpris:artUrl"] == .string("file:///c/my%20picture.png"))
        #expect(desktop.changes()["Metadata"]?.entries?["mpris:artUrl"] != nil)
    }

    @Test("Commands have their effects, and only what has changed is reported, with its value, and never the position")
    func reports() {
        let desktop = Desktop()
        #expect(desktop.signals().isEmpty)
        #expect(desktop.play("Play").isDone)
        #expect(desktop.changes() == ["PlaybackStatus": .string("Playing")])
        #expect(desktop.play("Play").isDone)
        desktop.pass(5)
        #expect(desktop.signals().isEmpty, "time passes")
        #expect(desktop.play("PlayPause").isDone)
        #expect(desktop.changes() == ["PlaybackStatus": .string("Paused")])
        desktop.set("Shuffle", .bool(true))
        desktop.set("LoopStatus", .string("Playlist"))
        #expect(desktop.changes() == ["Shuffle": .bool(true), "LoopStatus": .string("Playlist")])
        #expect(desktop.play("Stop").isDone)
        #expect(desktop.changes()["PlaybackStatus"] == .string("Stopped"))
    }

    @Test("Seeked reports all jumps that position and rate do not predict, and no others, not even a new track")
    func seeked() {
        let desktop = Desktop()
        func jumps() -> [Int] { desktop.signals().filter { $0.member == "Seeked" }.compactMap { $0.arguments[0].integer } }
        desktop.play("Play")
        desktop.pass(3)
        #expect(jumps().isEmpty)
        desktop.play("Seek", .int64(60 * second))
        let jump = jumps()
        #expect(jump.count == 1)
        #expect(abs((jump.first ?? 0) - 63_050_000) < 200_000, "\(jump)")
        desktop.play("Pause")
        desktop.pass(2)
        desktop.play("Play")
        #expect(jumps().isEmpty)
        desktop.set("Rate", .double(2))
        desktop.pass(2)
        #expect(jumps().isEmpty)
        desktop.play("Next")
        #expect(jumps().isEmpty, "a new track")
        desktop.play("Previous")
        #expect(jumps().isEmpty, "a new track")
        desktop.play("SetPosition", .path(desktop.track), .int64(10 * second))
        #expect(jumps().count == 1)
    }

    @Test("Seeked takes back a position that was read before now playing had it, and that was not kept")
    func takenBack() {
        let desktop = Desktop()
        desktop.play("Play")
        desktop.pass(1)
        desktop.play("Pause")
        desktop.pass()
        let position = desktop.position
        let paused = desktop.receiver.snapshot()
        desktop.play("SetPosition", .path(desktop.track), .int64(30 * second))
        desktop.pass()
        // Now playing waits for the end of a fade-out.
        var sought = desktop.receiver.snapshot()
        sought.nowPlaying = paused.nowPlaying
        desktop.play("SetPosition", .path(desktop.track), .int64(Int64(position)))
        desktop.pass()
        let back = desktop.receiver.snapshot()
        var timeline = ReportedTimeline(paused)
        #expect(timeline.update(sought) == nil)
        #expect(timeline.update(back).map(Int.init) == position)
        #expect(timeline.update(back) == nil)
    }

    @Test("Seek beyond the end is Next, before the start is 0; a stale SetPosition is ignored")
    func seeking() {
        let desktop = Desktop()
        desktop.play("Play")
        let first = desktop.track
        desktop.play("SetPosition", .path(first), .int64(100 * second))
        #expect(desktop.position == 100_000_000)
        for (track, position) in [("/binaural/track/0", 5 * second), (first, -1), (first, 601 * second), (TrackPath.none, 0)] {
            #expect(desktop.play("SetPosition", .path(track), .int64(position)).isDone)
            #expect(abs(desktop.position - 100_000_000) < 1000, "\(track) \(position)")
        }
        desktop.play("Seek", .int64(-1000 * second))
        #expect(desktop.position < 1000)
        desktop.play("Seek", .int64(.min))
        #expect(desktop.position < 1000)
        desktop.play("Seek", .int64(601 * second))
        #expect(desktop.metadata["xesam:title"] == .string("A4"))
        #expect(desktop.value("PlaybackStatus") == .string("Playing"))
    }

    @Test("Next while paused stays paused, and without a next track nothing happens")
    func next() {
        let desktop = Desktop()
        desktop.play("Play")
        desktop.play("Pause")
        #expect(desktop.value("CanGoNext") == .bool(true))
        desktop.play("Next")
        #expect(desktop.metadata["xesam:title"] == .string("A4"))
        #expect(desktop.value("PlaybackStatus") == .string("Paused"))
        #expect(desktop.value("CanGoNext") == .bool(false))
        #expect(desktop.play("Next").isDone)
        #expect(desktop.metadata["xesam:title"] == .string("A4"))
    }

    @Test("A rate of 0 is a pause, and one beyond the limits is ignored")
    func rate() {
        let desktop = Desktop()
        desktop.play("Play")
        desktop.set("Rate", .double(1.5))
        #expect(desktop.value("Rate") == .double(1.5))
        for rate in [-1, 11, 0.01, .infinity, .nan] {
            #expect(desktop.set("Rate", .double(rate)).isDone)
            #expect(desktop.value("Rate") == .double(1.5), "\(rate)")
        }
        #expect(desktop.value("MinimumRate") == .double(0.1))
        #expect(desktop.value("MaximumRate") == .double(10))
        desktop.set("Rate", .double(0))
        #expect(desktop.value("PlaybackStatus") == .string("Paused"))
        #expect(desktop.value("Rate") == .double(1.5))
    }

    @Test("The volume is the master's, linear, from 0 to 1; a mute is 0, and setting it is heard")
    func volume() throws {
        let desktop = Desktop()
        func volume() throws -> Double {
            guard case .double(let volume)? = desktop.value("Volume") else { throw BusError.failed("no volume") }
            return volume
        }
        for (asked, heard) in [(0.5, 0.5), (1, 1), (7, 1), (0, 0), (-3, 0), (0.25, 0.25), (-.infinity, 0), (.infinity, 1)] {
            #expect(desktop.set("Volume", .double(asked)).isDone)
            #expect(abs(try volume() - heard) < 1e-9, "\(asked)")
        }
        #expect(desktop.set("Volume", .double(.nan)).error == "InvalidArgs")
        desktop.set("Volume", .double(0.5))
        #expect(abs(desktop.receiver.player.state.masterGain + 6.0206) < 1e-3)
        desktop.receiver.perform(.muteMaster(true), from: "key") { _ in }
        #expect(try volume() == 0)
        desktop.set("Volume", .double(0.7))
        #expect(abs(try volume() - 0.7) < 1e-9)
    }

    @Test("A mistaken call is answered with an error of D-Bus, and changes nothing")
    func mistakes() {
        let desktop = Desktop()
        let properties = "org.freedesktop.DBus.Properties"
        #expect(desktop.play("Seek", .string("far")).error == "InvalidArgs")
        #expect(desktop.play("Seek").error == "InvalidArgs")
        #expect(desktop.play("Dance").error == "UnknownMethod")
        #expect(desktop.call("org.example", "Play").error == "UnknownInterface")
        #expect(desktop.call("", "Play").isDone, "the interface may be left out")
        #expect(desktop.set("Volume", .int32(1)).error == "InvalidArgs")
        #expect(desktop.set("LoopStatus", .string("Sometimes")).error == "InvalidArgs")
        #expect(desktop.set("Shuffle", .string("yes")).error == "InvalidArgs")
        #expect(desktop.set("Position", .int64(5)).error == "PropertyReadOnly")
        #expect(desktop.set("Colour", .int64(5)).error == "UnknownProperty")
        #expect(desktop.call(properties, "Get", .string("org.example"), .string("x")).error == "UnknownInterface")
        #expect(desktop.call(properties, "GetAll", .string("org.example")).error == "UnknownInterface")
        #expect(desktop.play("OpenUri", .string("http://example.com/a.yaml")).error == "NotSupported")
        #expect(desktop.play("OpenUri", .string("file:///50%.yaml")).error == "InvalidArgs")
        #expect(desktop.play("OpenUri", .string("file:///a%00b.yaml")).error == "InvalidArgs")
        #expect(desktop.call(Desktop.playlists, "ActivatePlaylist", .path("/nowhere")).error == "InvalidArgs")
    }

    @Test("With the role view nothing can be controlled, with control it cannot be ended")
    func roles() {
        let viewer = Desktop(mayControl: false, mayQuit: false)
        for name in ["CanControl", "CanPlay", "CanPause", "CanSeek", "CanGoNext", "CanGoPrevious"] {
            #expect(viewer.value(name) == .bool(false), "\(name)")
        }
        #expect(viewer.play("Play").error == "AccessDenied")
        #expect(viewer.set("Volume", .double(0.1)).error == "AccessDenied")
        #expect(viewer.receiver.performed.isEmpty)
        let controller = Desktop(mayQuit: false)
        #expect(controller.call("org.mpris.MediaPlayer2", "Quit").error == "AccessDenied")
        #expect(controller.value("CanQuit", of: "org.mpris.MediaPlayer2") == .bool(false))
        let owner = Desktop()
        #expect(owner.call("org.mpris.MediaPlayer2", "Quit").isDone)
        #expect(owner.receiver.effects.contains(.request(.quit)))
    }

    @Test("Ten thousand calls of one program in a second are refused from a thousand on, and others are still answered")
    func flood() {
        let desktop = Desktop()
        let refused = (0..<10_000).filter { _ in desktop.play("Play").error == "LimitsExceeded" }.count
        #expect(refused >= 8900)
        #expect(desktop.call(Desktop.player, "Pause", from: ":1.8").isDone)
        desktop.pass(1)
        #expect(desktop.play("Play").isDone)
    }

    @Test("A program whose calls take long is refused until it has rested five times as long; others are answered meanwhile")
    func longCalls() {
        let desktop = Desktop()
        func call(from sender: String, taking seconds: Double) -> Bool {
            let answer = desktop.call(Desktop.player, "Pause", from: sender)
            if answer.isDone { desktop.server.charge(sender, from: desktop.seconds, to: desktop.seconds + seconds) }
            return answer.isDone
        }
        let carriedOut = (0..<100).filter { _ in call(from: ":1.7", taking: 0.02) }.count
        #expect(carriedOut == 3, "0.3 s of rest are due after three")
        #expect(call(from: ":1.8", taking: 0.001))
        desktop.pass(0.1)
        #expect(call(from: ":1.7", taking: 0.02))
        #expect(!call(from: ":1.7", taking: 0.02))
        desktop.pass(1)
        // Many programs together have the double of that.
        #expect((0..<100).filter { call(from: ":1.\($0)", taking: 0.02) }.count == 6)
    }

    @Test("Another name is reported")
    func renamed() {
        let desktop = Desktop()
        desktop.server.rename(to: "Binaural (second)")
        #expect(desktop.changes() == ["Identity": .string("Binaural (second)")])
        #expect(desktop.value("Identity", of: "org.mpris.MediaPlayer2") == .string("Binaural (second)"))
    }
}
