import Bus
import Patches
import Playback
import Testing

@testable import MPRIS

@Suite("The queue and the sessions on the desktop") struct TrackListTests {
    private func tracks(_ desktop: Desktop) -> [String] {
        desktop.value("Tracks", of: Desktop.tracks)?.elements?.compactMap(\.text) ?? []
    }

    private func titles(_ desktop: Desktop, _ paths: [String]) throws -> [String?] {
        try desktop.call(Desktop.tracks, "GetTracksMetadata", .paths(paths)).get().first?.elements?.map { $0.entries?["xesam:title"]?.text }
            ?? []
    }

    @Test("The tracks are the items of the queue, and their metadata can be read; unknown ones are left out")
    func list() throws {
        let desktop = Desktop()
        let paths = tracks(desktop)
        #expect(paths.count == 3)
        #expect(desktop.track == paths[0])
        #expect(try titles(desktop, [paths[1], "/binaural/track/x", paths[0]]) == ["A4", "Deep"])
        let many = [String](repeating: paths[0], count: 501)
        #expect(desktop.call(Desktop.tracks, "GetTracksMetadata", .paths(many)).error == "LimitsExceeded")
    }

    @Test("GoTo and RemoveTrack act on tracks of the list, and ignore others")
    func editing() {
        let desktop = Desktop()
        let paths = tracks(desktop)
        desktop.call(Desktop.tracks, "GoTo", .path(paths[1]))
        #expect(desktop.track == paths[1])
        #expect(desktop.call(Desktop.tracks, "GoTo", .path("/binaural/track/999999")).isDone)
        #expect(desktop.track == paths[1])
        _ = desktop.signals()
        desktop.call(Desktop.tracks, "RemoveTrack", .path(paths[1]))
        #expect(desktop.track == paths[0] || desktop.track == paths[2])
        let signals = desktop.signals()
        #expect(signals.contains { $0.member == "TrackRemoved" && $0.arguments == [.path(paths[1])] })
        // The list is read again, not sent.
        #expect(
            signals.contains {
                $0.arguments == [.string(Desktop.tracks), .dictionary([:]), .strings(["Tracks"])]
            })
        #expect(desktop.call(Desktop.tracks, "RemoveTrack", .path(paths[1])).isDone)
        #expect(tracks(desktop).count == 2)
    }

    @Test("An added track is reported with its place, another queue as a whole")
    func added() {
        let desktop = Desktop()
        desktop.receiver.player.add(QueueItem(reference: "new", patch: .endless))
        let paths = tracks(desktop)
        let added = desktop.signals().first { $0.member == "TrackAdded" }
        #expect(added?.arguments.last == .path(paths[2]))
        #expect(added?.arguments.first?.entries?["mpris:trackid"] == .path(paths[3]))
        desktop.receiver.perform(.moveItem(from: 3, to: 0), from: "key") { _ in }
        let replaced = desktop.signals().first { $0.member == "TrackListReplaced" }
        #expect(replaced?.arguments == [.paths(tracks(desktop)), .path(desktop.track)])
    }

    @Test("A file is added or opened by its path")
    func files() {
        let desktop = Desktop()
        #expect(desktop.call(Desktop.tracks, "AddTrack", .string("file:///a%20b.yaml"), .path(TrackPath.none), .bool(false)).isDone)
        #expect(desktop.receiver.effects.contains(.request(.addFile("/a b.yaml"))))
        #expect(desktop.play("OpenUri", .string("file:///c.sbg")).isDone)
        #expect(desktop.receiver.effects.contains(.request(.openFile("/c.sbg"))))
        #expect(desktop.call(Desktop.tracks, "AddTrack", .string("http://x/"), .path(TrackPath.none), .bool(false)).error == "NotSupported")
    }

    @Test("Sessions are playlists, listed by name from any place and in both directions")
    func playlists() throws {
        let desktop = Desktop()
        desktop.receiver.session.name = "night"
        func names(_ start: UInt32, _ count: UInt32, _ order: String = "Alphabetical", reversed: Bool = false) throws -> [String?] {
            let answer = desktop.call(Desktop.playlists, "GetPlaylists", .uint32(start), .uint32(count), .string(order), .bool(reversed))
            return try answer.get().first?.elements?.map { $0.elements?[1].text } ?? []
        }
        #expect(try names(0, 100) == ["night", "welcome"])
        #expect(try names(1, 100, reversed: true) == ["night"])
        #expect(try names(0, 1) == ["night"])
        #expect(try names(.max, .max).isEmpty)
        #expect(throws: BusError.self) { try names(0, 1, "Colourful") }
        #expect(desktop.value("PlaylistCount", of: Desktop.playlists) == .uint32(2))
        let active = desktop.value("ActivePlaylist", of: Desktop.playlists)
        #expect(active?.elements?.first == .bool(true))
        #expect(active?.elements?.last?.elements?[1] == .string("night"))
        #expect(desktop.call(Desktop.playlists, "ActivatePlaylist", .path(TrackPath.of(session: "welcome"))).isDone)
        #expect(desktop.receiver.effects.contains(.request(.loadSession("welcome"))))
    }
}
