import Foundation
import Library
import Playback
import TestSupport
import Testing

@Suite("Preferences on disk") struct PreferencesFileTests {
    let folder: Folder
    let file: PreferencesFile

    init() throws {
        folder = try Folder()
        file = PreferencesFile(path: folder.file("binaural/preferences.yaml"))
    }

    private func write(_ text: String) throws { try folder.write(text, to: "binaural/preferences.yaml") }
    private func text() throws -> String { try folder.read("binaural/preferences.yaml") }
    private var header: String { "# Preferences of binaural; comments are lost when the program writes this file.\n" }

    private func assigned(_ change: (inout PreferenceValues) -> Void) -> PreferenceValues {
        var values = PreferenceValues()
        change(&values)
        return values
    }

    @Test(
        "a missing file, an empty one and one with only comments give the declared defaults, and no file is created",
        arguments: ["", "# none\n", "\n\n"])
    func empty(_ content: String) throws {
        #expect(file.load().values == PreferenceValues())
        #expect(file.load().notice == nil)
        #expect(folder.names.isEmpty)
        try write(content)
        #expect(file.load().values == PreferenceValues())
        #expect(file.load().notice == nil)
    }

    @Test("every preference is read, and reads back from what was written")
    func roundTrip() throws {
        let chosen = assigned {
            $0.skipIntervals = [10, 0.5]
            $0.buttonWindow = 0.3
            $0.buttonHold = 1
            $0.shortFade = 0.05
            $0.crossfade = 12.5
            $0.sleepFade = 90
            $0.sleepEasing = .quadIn
            $0.softStart = 0.5
            $0.maximumLevel = -12
            $0.shake = .none
            $0.oscPort = 0
            $0.oscAddress = "::1"
            $0.startSession = "no"
            $0.connect = "Built-in: .*"
            $0.oscListen = TextList(texts: ["0.0.0.0", "unix:/run/user/1000/osc"])
            $0.oscAllow = TextList(texts: ["192.168.1.0/24=control", "fe80::/10=view"])
            $0.oscFeedback = TextList(texts: ["[::1]:9000=now,tick/4"])
            $0.transport = .follow
            $0.outputs = .layers
            $0.zeroconf = .off
            $0.web = "8080"
            $0.webListen = TextList(texts: ["0.0.0.0", "::1"])
            $0.webHost = TextList(texts: ["studio.example.org"])
            $0.webProxy = 7881
            $0.mpris = .off
            $0.inhibitSleep = .on
        }
        #expect(chosen.chosen.count == PreferenceDescription.all.count, "a preference is not tried here")
        try file.save(chosen)
        #expect(file.load().values == chosen)
        #expect(file.load().notice == nil)
        #expect(try text().hasPrefix(header + "skipIntervals: [10, 0.5]\nbuttonWindow: 0.3\n"))
        #expect(folder.names == ["binaural"])
    }

    @Test("a missing file is created as a copy of another one, which may be a link; an existing one stays")
    func beginsAsCopy() throws {
        let own = PreferencesFile(path: folder.file("session/preferences.yaml"))
        #expect(own.load(beginningAs: file.path).values == PreferenceValues())
        #expect(folder.names.isEmpty)
        try folder.write("crossfade: 3\n", to: "dotfiles.yaml")
        try folder.write("", to: "binaural/nothing")
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: folder.file("dotfiles.yaml"))
        let notice = own.load(beginningAs: file.path).notice
        let expected = "Your preferences cannot be copied for this session; the defaults apply. Cannot create \(own.path).tmp"
        #expect("\(notice!)".hasPrefix(expected))
        try folder.write("", to: "session/nothing")
        #expect(own.load(beginningAs: file.path).values == assigned { $0.crossfade = 3 })
        try own.save(assigned { $0.crossfade = 9 })
        #expect(try folder.read("dotfiles.yaml") == "crossfade: 3\n")
        #expect(own.load(beginningAs: file.path).values == assigned { $0.crossfade = 9 })
    }

    @Test("defaults are not written, and what a newer version wrote stays")
    func keeps() throws {
        try write("hologram: {depth: 3, on: [a, b]}\nshortFade: 0.05\n")
        try file.save(assigned { $0.crossfade = 2 })
        #expect(try text() == header + "shortFade: 0.05\ncrossfade: 2\nhologram: {depth: 3, on: [a, b]}\n")
    }

    @Test("manual edits while the program runs stay, except for preferences that were set here")
    func editedByHand() throws {
        try file.save(assigned { $0.crossfade = 2 })
        try write("crossfade: 9\nshake: next\nsticker: 1\n")
        try file.save(assigned { $0.crossfade = 3 })
        #expect(try text() == header + "crossfade: 3\nshake: next\nsticker: 1\n")
    }

    static let faults: [(String, String)] = [
        ("crossfade: 99\n", ":1:12: crossfade is 99 s\n    crossfade: 99\n               ^\n  expected 0 to 30 s"),
        ("shake: nxet\n", ":1:8: unknown shake `nxet`"),
        (
            "skipIntervals: []\n",
            ":1:16: found a list\n    skipIntervals: []\n                   ^\n  expected a list of 1 to 4 numbers of s"
        ),
        ("skipIntervals: [1, 0]\n", ":1:20: skipIntervals is 0 s"),
        ("oscPort: 70000\n", ":1:10: found `70000`\n    oscPort: 70000\n             ^\n  expected a whole number from 0 to 65535"),
        ("oscAddress: localhost\n", ":1:13: found `localhost`"), ("startSession: a/b\n", ":1:15: found `a/b`"),
        ("connect: \"[\"\n", ":1:10: found the quoted text `[`"), ("shortFade: 20 ms\n", ":1:12: found `20 ms`"),
        ("oscAllow: 10.0.0.0/8=view\n", ":1:11: found `10.0.0.0/8=view`"), ("oscListen: [0.0.0.0, nowhere]\n", ":1:22: found `nowhere`"),
        ("transport: led\n", ":1:12: unknown transport `led`"), ("oscFeedback: [\"10.0.0.1=now\"]\n", ":1:15: found the quoted text"),
        ("- a\n", ":1:1: found a list"),
        ("crossfade: [\n", ":"), ("crossfade: 1\ncrossfade: 2\n", ":2:1: key `crossfade` appears twice"),
    ]

    @Test("a mistake is reported with its place; the file is not written until it is corrected", arguments: faults)
    func mistakes(_ content: String, _ message: String) throws {
        try write(content)
        let notice = try #require(file.load().notice)
        #expect("\(notice)".contains("preferences.yaml\(message)"), "\(notice)")
        let error = #expect(throws: PreferencesError.self) { try file.save(assigned { $0.buttonHold = 1 }) }
        #expect("\(error!)".hasPrefix("The preferences were not saved: \(file.path) has mistakes. Correct them.\n"))
        #expect(try text() == content)
        try write("crossfade: 5\n")
        try file.save(assigned { $0.buttonHold = 1 })
        #expect(try text() == header + "buttonHold: 1\ncrossfade: 5\n")
    }

    @Test("a surface is named by its address or as localhost; only where quotes are missing does the error ask for them")
    func feedback() throws {
        try write("oscFeedback: [\"localhost:9104=now,mixer\"]\n")
        #expect(file.load().values.oscFeedback.texts == ["localhost:9104=now,mixer"])
        #expect(file.load().notice == nil)
        for value in ["\"studio:9104=mixer\"", "studio:9104=mixer", "localhost:9104"] {
            try write("oscFeedback: [\(value)]\n")
            let notice = "\(try #require(file.load().notice))"
            #expect(notice.contains("expected HOST:PORT=TOPICS, such as"), "\(notice)")
            #expect(notice.contains("with a numeric address or localhost"), "\(notice)")
            #expect(!notice.contains("quotes"), "\(notice)")
        }
        try write("oscFeedback: \"localhost:9104=layers\"\n")
        let notice = "\(try #require(file.load().notice))"
        #expect(notice.contains("texts in brackets: HOST:PORT=TOPICS"), "\(notice)")
        #expect(!notice.contains("quotes"), "\(notice)")
        try write("oscFeedback: [192.168.1.20:9000=now,layers]\n")
        #expect("\(try #require(file.load().notice))".contains("put it in quotes"))
    }

    @Test("a misspelled choice and a misspelled name are reported with a suggestion")
    func meant() throws {
        try write("shake: nxet\n")
        #expect("\(file.load().notice!)".contains("did you mean `next`?"))
        try write("crosfade: 3\nweather: rain\nshortFade: 0.5\n")
        let loaded = file.load()
        #expect(loaded.values == assigned { $0.shortFade = 0.5 })
        #expect("\(loaded.notice!)".contains("preferences.yaml:1:1: unknown key `crosfade` in the preferences"))
        #expect("\(loaded.notice!)".contains("did you mean `crossfade`?"))
        #expect(!"\(loaded.notice!)".contains("weather"), "text of a newer version is not a mistake")
        try file.save(assigned { $0.shake = .next })
        #expect(try text().contains("crosfade: 3\n"))
    }

    @Test("a name with an invisible character is reported, and the others apply and are saved", arguments: ["maximumLevel", "hologram"])
    func invisible(name: String) throws {
        try write("crossfade: 3\n\(name)\u{200C}: -12\n")
        let loaded = file.load()
        #expect(loaded.values == assigned { $0.crossfade = 3 })
        #expect("\(loaded.notice!)".contains("preferences.yaml:2:\(name.count + 1): found an invisible character, U+200C"))
        try file.save(assigned { $0.shortFade = 0.5 })
        #expect(file.load().values.crossfade == 3)
        #expect("\(file.load().notice!)".contains("invisible character"), "it is kept")
    }

    @Test("preferences beside a mistake still apply")
    func rest() throws {
        try write("crossfade: -1\nshortFade: 0.5\n")
        #expect(file.load().values == assigned { $0.shortFade = 0.5 })
    }

    @Test("an unreadable file is reported, and not overwritten")
    func unreadable() throws {
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: true)
        #expect("\(file.load().notice!)".contains("it is a folder, not a file"))
        #expect(throws: PreferencesError.self) { try file.save(assigned { $0.crossfade = 1 }) }
    }

    @Test("a link stays a link")
    func links() throws {
        try folder.write("crossfade: 1\n", to: "dotfiles/p.yaml")
        try FileManager.default.createDirectory(atPath: folder.file("binaural"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: folder.file("dotfiles/p.yaml"))
        try file.save(assigned { $0.crossfade = 2 })
        #expect(try folder.read("dotfiles/p.yaml") == header + "crossfade: 2\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == folder.file("dotfiles/p.yaml"))
    }

    @Test("two programs that save at the same time lose nothing")
    func twoAtATime() async throws {
        let path = file.path
        await withTaskGroup { group in
            for number in 0..<2 {
                group.addTask {
                    let mine = PreferencesFile(path: path)
                    for round in 1...20 {
                        var values = PreferenceValues()
                        if number == 0 { values.crossfade = Double(round) } else { values.buttonHold = Double(round) / 4 }
                        do { try mine.save(values) } catch { Issue.record("\(error)") }
                    }
                }
            }
        }
        #expect(
            file.load().values
                == assigned {
                    $0.crossfade = 20
                    $0.buttonHold = 5
                })
    }

    @Test("docs/preferences.md is generated from the declarations")
    func reference() throws {
        let expected = PreferenceDescription.markdown
        for preference in PreferenceDescription.all { #expect(expected.contains("| `\(preference.name)` |")) }
        let text = try? String(contentsOfFile: PackageRoot.file("docs/preferences.md"), encoding: .utf8)
        #expect(text == expected, "docs/preferences.md is not what the declarations make: binaural preferences-table > docs/preferences.md")
    }
}
