import Foundation
import Library
import Patches
import TestSupport
import Testing

@Suite("Finding patches and sessions") struct LibrarySearchTests {
    let folder: Folder
    let library: Library

    init() throws {
        folder = try Folder()
        library = Library(
            places: Places(
                workingFolder: folder.file("here"), dataHome: folder.file("home"), dataFolders: [folder.file("system")],
                shipped: [folder.file("shipped")],
                stateHome: folder.file("state"), configHome: folder.file("config"), cacheHome: folder.file("cache")))
    }

    private func add(_ places: String..., title: String = "") throws {
        for place in places { try folder.write((title.isEmpty ? "" : "title: \(title)\n") + "layers: [{tone: {}}]\n", to: place) }
    }

    @Test("the working folder comes first, then the user's, the system's and the program's own files")
    func order() throws {
        let places = ["shipped/patches/a.yaml", "system/patches/a.yaml", "home/patches/a.yml", "here/patches/a.yaml"]
        let origins: [Library.Origin] = [.shipped, .system, .user, .workingFolder]
        for (place, origin) in zip(places, origins) {
            try add(place)
            let entry = try library.find(.patches, "a")
            #expect(entry.origin == origin)
            #expect(entry.path == folder.file(place))
            #expect(entry.name == "a")
        }
    }

    @Test("a session whose file is gone is its newest older state that can be read, unless a file of its name is elsewhere")
    func generations() throws {
        try folder.write("wrong", to: "state/sessions/a.yaml.1")
        #expect(throws: LibraryError.self) { try library.find(.sessions, "a") }
        try folder.write(session("older").yaml, to: "state/sessions/a.yaml.2")
        #expect(try library.find(.sessions, "a").path == folder.file("state/sessions/a.yaml.2"))
        try folder.write(session("shipped").yaml, to: "shipped/sessions/a.yaml")
        #expect(try library.find(.sessions, "a").origin == .shipped)
        #expect(try library.openSession(named: "a").session.title == "older")
    }

    @Test("a session that something else has replaced is its older state, also to a check, which gives the notices of a start")
    func replaced() throws {
        try folder.write("", to: "state/sessions/a.yaml/kept")
        for find in [{ try library.find(.sessions, "a") }, { try library.findAll("a")[0] }] {
            let error = #expect(throws: LibraryError.self) { try find() }
            #expect(error?.description.contains("a.yaml: it is a folder, not a file.") == true)
        }
        try folder.write(session("older").yaml, to: "state/sessions/a.yaml.2")
        for origin in [Library.Origin.saved, .shipped] {
            if origin == .shipped { try folder.write(session("shipped").yaml, to: "shipped/sessions/a.yaml") }
            let entry = try #require(try library.findAll("a").first)
            #expect(entry.origin == origin)
            let opened = try library.openSession(named: "a")
            #expect(opened.session.title == "older")
            #expect(opened.notices.count == 2)
            #expect(SessionNotice.loss(of: entry, in: library) == opened.notices)
            opened.store.close()
        }
        try FileManager.default.removeItem(atPath: folder.file("state/sessions/a.yaml"))
        let notices = SessionNotice.loss(of: try library.find(.sessions, "a"), in: library)
        #expect(try library.openSession(named: "a").notices == notices)
        #expect(SessionNotice.loss(of: try library.find(.sessions, "a"), in: library).isEmpty)
    }

    @Test("a session that cannot be looked at is refused, and not taken for its older state")
    func unseen() throws {
        try folder.write(session("older").yaml, to: "state/sessions/a.yaml.1")
        try FileManager.default.createSymbolicLink(atPath: folder.file("state/sessions/a.yaml"), withDestinationPath: "a.yaml")
        let error = #expect(throws: LibraryError.self) { try library.find(.sessions, "a") }
        #expect(error?.description.contains("Too many levels of symbolic links") == true, "\(String(describing: error))")
    }

    @Test("a list has every entry with its origin, and marks those hidden by another")
    func list() throws {
        try add(
            "shipped/patches/b.yaml", "shipped/patches/a.yaml", "home/patches/a.yaml", "home/patches/notes.txt", "home/patches/.hidden.yaml"
        )
        try FileManager.default.createDirectory(atPath: folder.file("home/patches/folder.yaml"), withIntermediateDirectories: true)
        let list = library.list(.patches)
        #expect(list.map(\.name) == ["a", "a", "b"])
        #expect(list.map(\.origin) == [.user, .shipped, .shipped])
        #expect(list.map(\.isHidden) == [false, true, false])
    }

    @Test("a search finds patches by words of their name or title, sorted, without the hidden ones, and says which cannot be played")
    func search() throws {
        try add("home/patches/rain.yaml", title: "Evening Rain")
        try add("shipped/patches/rain.yaml", "shipped/patches/roof.yaml", title: "Rain on a roof")
        try add("shipped/patches/drone.yaml")
        try folder.write("layers: 5\n", to: "home/patches/broken-rain.yaml")
        func names(_ words: String) -> [String] { PatchSearch(library).patches(with: words).patches.map(\.name) }
        #expect(names("") == ["broken-rain", "drone", "rain", "roof"])
        #expect(names("rain") == ["broken-rain", "rain", "roof"])
        #expect(names(" ROOF  rain") == ["roof"])
        #expect(names("snow").isEmpty)
        let found = PatchSearch(library).patches(with: "rain").patches
        #expect(found.map(\.title) == ["broken-rain (cannot be played)", "Evening Rain", "Rain on a roof"])
        #expect(found.map(\.origin) == ["user's folder", "user's folder", "came with the program"])
    }

    @Test("a search lists 200 patches at most, and counts all that match")
    func searchLimit() throws {
        for number in 0..<205 { try add("home/patches/p\(number).yaml") }
        let found = PatchSearch(library).patches(with: "p")
        #expect(found.patches.count == 200)
        #expect(found.count == 205)
    }

    @Test("a file that is reachable in two ways is listed once")
    func listedOnce() throws {
        try add("here/patches/a.yaml")
        var places = library.places
        places.shipped = [places.workingFolder]
        #expect(Library(places: places).list(.patches).map(\.origin) == [.workingFolder])
    }

    @Test("a reference with a slash or an extension is a path, relative to the working folder or the given folder")
    func paths() throws {
        try add("here/x.yaml", "elsewhere/y.yaml", "here/sub/z")
        #expect(try library.find(.patches, "x.yaml").origin == .path)
        #expect(try library.find(.patches, "./x.yaml").name == "x")
        #expect(try library.find(.patches, "y.yaml", relativeTo: folder.file("elsewhere")).path == folder.file("elsewhere/y.yaml"))
        #expect(try library.find(.patches, folder.file("elsewhere/y.yaml")).name == "y")
        #expect(try library.find(.patches, "sub/z").name == "z")
    }

    @Test("a missing name is answered with a similar one")
    func notFound() throws {
        try add("here/patches/deep-alpha.yaml")
        let error = #expect(throws: LibraryError.self) { try library.find(.patches, "deep-alhpa") }
        #expect(
            error?.description == "There is no patch named 'deep-alhpa'. Did you mean 'deep-alpha'? `binaural list` shows all names.")
        let noFile = #expect(throws: LibraryError.self) { try library.find(.patches, "none.yaml") }
        #expect(noFile?.description == "There is no file \(folder.file("here/none.yaml")).")
    }

    @Test("a session's name in place of a patch's is reported as such, and suggested where sessions are taken too")
    func sessions() throws {
        try add("here/sessions/night.yaml", "here/patches/rain.yaml")
        #expect(throws: LibraryError.self) { try library.loadPatch("night") }
        let error = #expect(throws: LibraryError.self) { try library.find(.patches, "night") }
        #expect(error?.description.hasPrefix("'night' is a session, and a patch is needed here.") == true)
        let patchOnly = #expect(throws: LibraryError.self) { try library.loadPatch("nigth") }
        #expect(patchOnly?.description.contains("Did you mean") == false)
        let either = #expect(throws: LibraryError.self) { try library.loadPatchBesideSessions("nigth") }
        #expect(either?.description.contains("Did you mean 'night'?") == true)
    }

    @Test(
        "a name from outside is never a path",
        arguments: [
            "", ".", "..", "../secret", "/etc/passwd", "a/b", "a\\b", ".hidden", "a\u{0}b", "a\nb", "\u{1B}[2J", "a\u{202E}b",
            String(repeating: "x", count: 201),
        ])
    func names(name: String) throws {
        try add("here/secret.yaml", "here/patches/a/b.yaml")
        #expect(!name.isPlainName)
        let error = #expect(throws: LibraryError.self) { try library.find(.patches, plainName: name) }
        guard case .notAName = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: LibraryError.self) { try library.savedFile(ofSession: name) }
    }

    @Test("a loaded patch has a title and an absolute path of its artwork")
    func load() throws {
        try folder.write("artwork: pictures/a.png\nlayers: [{tone: {}}]\n", to: "here/patches/quiet.yaml")
        let patch = try library.loadPatch("quiet").patch
        #expect(patch.details.title == "quiet")
        #expect(patch.details.artwork == folder.file("here/patches/pictures/a.png"))
    }

    @Test("a faulty patch is named relative to the working folder")
    func faulty() throws {
        try folder.write("layers: [{tune: {}}]\n", to: "here/patches/bad.yaml")
        let error = #expect(throws: LibraryError.self) { try library.loadPatch("bad") }
        #expect(error?.description.hasPrefix("patches/bad.yaml:1:11: unknown kind of layer `tune`\n") == true)
        let given = #expect(throws: LibraryError.self) { try library.loadPatch(library.find(.patches, "bad"), file: "../bad.yaml") }
        #expect(given?.description.hasPrefix("../bad.yaml:1:11: unknown kind of layer `tune`\n") == true)
    }

    @Test("a name that only a file in the working folder has is answered with what that file is")
    func mistakenName() throws {
        try folder.write("fLaC\u{0}", to: "here/night.flac")
        try folder.write("layers: [{tone: {}}]\n", to: "here/tone")
        try folder.write("", to: "here/music/empty")
        func error(_ name: String) -> String { #expect(throws: LibraryError.self) { try library.loadPatch(name) }?.description ?? "" }
        #expect(error("night.flac").hasPrefix("night.flac: this is a sound file (FLAC)\n  put it in a layer"))
        #expect(error("tone") == "There is no patch or session named 'tone'. To open the file of that name, use './tone'.")
        try folder.write("layers: [{tone: {}}]\n", to: "here/dusk.yaml")
        #expect(error("dusk") == "There is no patch named 'dusk'. Did you mean 'dusk.yaml'? `binaural list` shows all names.")
        #expect(error("music").hasSuffix("/here/music: it is a folder, not a file. Put a file there, or name another."))
        #expect(try library.loadPatch("./tone").patch.layers.count == 1)
        // A patch of that name is found first.
        try folder.write("layers: [{tone: {}}]\n", to: "here/patches/night.flac.yaml")
        #expect(try library.loadPatch("night.flac").patch.details.title == "night.flac")
    }

    @Test("variables that are not absolute paths count as unset")
    func environment() {
        let places = Places.standard(
            environment: ["HOME": "/home/u", "XDG_DATA_HOME": "relative", "XDG_STATE_HOME": "/s", "XDG_DATA_DIRS": "x:/d1:/d2"],
            executable: "/nowhere/bin/binaural",
            workingFolder: "/w")
        #expect(
            places
                == Places(
                    workingFolder: "/w", dataHome: "/home/u/.local/share/binaural", dataFolders: ["/d1/binaural", "/d2/binaural"],
                    stateHome: "/s/binaural", configHome: "/home/u/.config/binaural", cacheHome: "/home/u/.cache/binaural"))
        #expect(
            Places.standard(environment: [:], executable: "/x", workingFolder: "/").dataFolders == [
                "/usr/local/share/binaural", "/usr/share/binaural",
            ])
    }

    @Test("shipped files are found from an installed executable, through links, and from a checkout")
    func shipped() throws {
        try folder.write("", to: "usr/bin/binaural")
        try folder.write("", to: "usr/share/binaural/patches/a.yaml")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("usr/bin/binaural"))
        #expect(
            Places.standard(environment: [:], executable: folder.file("link"), workingFolder: "/").shipped == [
                folder.file("usr/share/binaural")
            ])
        #expect(
            Places.standard(environment: [:], executable: PackageRoot.path + "/.build/release/binaural", workingFolder: "/").shipped.last
                == PackageRoot.path)
    }

    @Test("the last session is remembered, by name or by path")
    func lastSession() throws {
        #expect(try library.lastSession == nil)
        try library.rememberLastSession("evening")
        #expect(try library.lastSession == "evening")
        try library.rememberLastSession("/home/u/mine.yaml")
        #expect(try library.lastSession == "/home/u/mine.yaml")
    }

    @Test(
        "a damaged name of the last session is an error that names its file",
        arguments: ["", "evening", "../cut\n", "\u{0}\u{0}\n", "\n"])
    func damagedLastSession(text: String) throws {
        try folder.write(text, to: "state/last-session")
        let error = #expect(throws: LibraryError.self) { try library.lastSession }
        #expect(error?.description == "There is no name of a session in \(folder.file("state/last-session")).")
    }
}

@Suite("The shipped sessions") struct ShippedSessionsTests {
    private let library = Library(
        places: Places(
            workingFolder: "/nowhere", dataHome: "/nowhere", dataFolders: [], shipped: [PackageRoot.path], stateHome: "/nowhere",
            configHome: "/nowhere", cacheHome: "/nowhere"))

    @Test("there are at least three, each has a title and existing patches, and starts playing")
    func complete() throws {
        let entries = library.list(.sessions)
        #expect(entries.map(\.name).contains("welcome"))
        #expect(entries.count >= 3)
        for entry in entries {
            let session = try library.loadTemplate(entry)
            #expect(session.items.count >= 4)
            #expect(session.state == .playing)
            #expect(session.current == 0)
            for item in session.items { #expect(try library.loadPatch(item.patch).patch.layers.isEmpty == false) }
            for preset in session.presets {
                let patch = try library.loadPatch(preset.reference).patch
                for value in preset.values { #expect(value.setting(in: patch) != nil, "\(value)") }
            }
            for item in session.items where !item.bookmarks.isEmpty {
                let duration = try library.loadPatch(item.patch).patch.duration ?? .infinity
                #expect(item.bookmarks.allSatisfy { $0 < duration })
            }
        }
    }

    @Test("welcome is at full level within a second, and its second chapter comes within half a minute")
    func welcome() throws {
        let session = try library.loadTemplate(library.find(.sessions, "welcome"))
        let patch = try library.loadPatch(session.items[0].patch).patch
        #expect(patch.fade!.fadeIn <= 1)
        #expect(patch.chapters[1].start <= 30)
    }

    @Test("playing a shipped session writes to the state folder and not next to the template")
    func templatesStay() throws {
        let folder = try Folder()
        try folder.write("format: 1\nqueue: [{patch: mine.yaml}, {patch: welcome}]\n", to: "shipped/sessions/demo.yaml")
        let library = Library(
            places: Places(
                workingFolder: folder.file("here"), dataHome: "/nowhere", shipped: [folder.file("shipped")],
                stateHome: folder.file("state"),
                configHome: "/nowhere", cacheHome: "/nowhere"))
        do {
            let opened = try library.openSession(named: "demo")
            #expect(opened.session.title == "demo")
            #expect(opened.session.items.map(\.patch) == [folder.file("shipped/sessions/mine.yaml"), "welcome"])
            var changed = opened.session
            changed.masterGain = -6
            try opened.store.save(changed, .change, at: 0)
            try opened.store.savePosition(SavedPosition(item: 1, elapsed: 12.5))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("shipped/sessions"))
        #expect(names == ["demo.yaml"])
        let again = try library.openSession(named: "demo")
        #expect(again.session.masterGain == -6)
        #expect(again.position == SavedPosition(item: 1, elapsed: 12.5))
        #expect(library.list(.sessions).map(\.origin) == [.saved, .shipped])
        #expect(throws: LibraryError.self) { try library.openSession(named: "demoo") }
    }
}
