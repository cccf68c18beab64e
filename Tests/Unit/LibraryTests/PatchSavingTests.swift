import Foundation
import Glibc
import Library
import PatchFiles
import Patches
import Testing

@Suite("Saving a patch in the library")
struct PatchSavingTests {
    private let folder: Folder
    private let library: Library
    private let patch = Patch(layers: [Layer(name: "a", kind: .tone)])

    init() throws {
        folder = try Folder()
        let (path, text) = (folder.path, "layers:\n  - {tone: {carrier: 440}}\n")
        for file in ["share/patches/rain.yaml", "usr/patches/hum.yaml", "work/patches/local.yaml", "data/patches/old.yaml"] {
            try folder.write(text, to: file)
        }
        try folder.write(text, to: "data/patches/short.yml")
        try folder.write("format: 1\nqueue: []\n", to: "share/sessions/evening.yaml")
        library = Library(
            places: Places(
                workingFolder: path + "/work", dataHome: path + "/data", dataFolders: [path + "/usr"], shipped: [path + "/share"],
                stateHome: path + "/state", configHome: path + "/config", cacheHome: path + "/cache"))
    }

    private func failure(_ name: String, overwrites: Bool = false) -> LibraryError? {
        do throws(LibraryError) {
            _ = try library.savePatch(patch, from: "", as: name, overwrites: overwrites)
            return nil
        } catch {
            return error
        }
    }

    @Test("writes it to the user's folder, where it is found by its name and reads back equal")
    func saved() throws {
        try FileManager.default.removeItem(atPath: folder.file("data"))
        let path = try library.savePatch(patch, from: "", as: "my evening", overwrites: false)
        #expect(path == folder.file("data/patches/my evening.yaml"))
        let loaded = try library.loadPatch("my evening")
        #expect(loaded.entry.path == path)
        #expect(loaded.patch.layers == patch.layers)
        #expect(loaded.patch.details.title == "my evening")
    }

    @Test("keeps the comments and the layout of the file that the patch came from")
    func comments() throws {
        let text = "# Quiet\nlayers:\n  - tone: {carrier: 440}  # A\n    gain: -20\n"
        try folder.write(text, to: "usr/patches/commented.yaml")
        var patch = try library.loadPatch("commented").patch
        patch.details.title = ""
        patch.layers[0].values[.gain] = -30
        let path = try library.savePatch(patch, from: "commented", as: "softer", overwrites: false)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text.replacing("-20", with: "-30"))
        // A file that has changed meanwhile can still be saved.
        try folder.write("# Other\nlayers: [{noise: {}}, {noise: {}}]\n", to: "usr/patches/commented.yaml")
        let other = try library.savePatch(patch, from: "commented", as: "other", overwrites: false)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == patch.yaml)
    }

    @Test(
        "never takes a name that is in use unless asked to, and then leaves the program's own file alone",
        arguments: ["rain", "hum", "old"])
    func taken(name: String) throws {
        let before = try folder.read("share/patches/rain.yaml")
        guard case .nameTaken(_, _, canReplace: true)? = failure(name) else {
            Issue.record("\(name): \(String(describing: failure(name)))")
            return
        }
        #expect(failure(name, overwrites: true) == nil)
        #expect(try library.loadPatch(name).patch.layers == patch.layers)
        #expect(try folder.read("share/patches/rain.yaml") == before)
        #expect(try folder.read("usr/patches/hum.yaml") == before)
    }

    @Test("never takes a name under which something else would be found", arguments: ["local", "evening", "short"])
    func hidden(name: String) {
        for overwrites in [false, true] {
            guard case .nameTaken(_, _, canReplace: false)? = failure(name, overwrites: overwrites) else {
                Issue.record("\(name): \(String(describing: failure(name, overwrites: overwrites)))")
                return
            }
        }
    }

    @Test(
        "refuses paths, hidden names, options and the program's own file names",
        arguments: ["", "a/b", "../a", ".a", "-a", "--force", "a.yaml", "a.YML", "a.sbg", "preferences", "Preferences", "a\nb", "a\\b"])
    func names(name: String) throws {
        switch failure(name, overwrites: true) {
        case .notAName, .reservedName: break
        case let other: Issue.record("\(name): \(String(describing: other))")
        }
        #expect(folder.names == ["data", "share", "usr", "work"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("data/patches")).count == 2)
    }

    @Test("a folder in the way, or a file in place of the folder, changes nothing")
    func obstacles() throws {
        mkdir(folder.file("data/patches/x.yaml"), 0o755)
        guard case .cannotWrite? = failure("x") else {
            Issue.record("a folder in the way")
            return
        }
        mkdir(folder.file("data/patches/old.yaml.tmp"), 0o755)
        let before = try folder.read("data/patches/old.yaml")
        guard case .cannotWrite? = failure("old", overwrites: true) else {
            Issue.record("a folder in place of the new file")
            return
        }
        #expect(try folder.read("data/patches/old.yaml") == before)
        try FileManager.default.removeItem(atPath: folder.file("data"))
        try folder.write("", to: "data")
        guard case .cannotWrite? = failure("y") else {
            Issue.record("a file in place of the folder")
            return
        }
    }

    @Test("the user's folder may be a link to the program's: its files stay")
    func linkedFolder() throws {
        try FileManager.default.removeItem(atPath: folder.file("data/patches"))
        symlink(folder.file("share/patches"), folder.file("data/patches"))
        let before = try folder.read("share/patches/rain.yaml")
        #expect(failure("rain", overwrites: true) != nil)
        #expect(try folder.read("share/patches/rain.yaml") == before)
    }

    @Test("one that would be too large to read is refused")
    func tooLarge() {
        var large = patch
        large.cues = (0..<40_000).map { Chapter(start: Double($0), settings: [Setting(layer: 0, parameter: .gain, value: -20)]) }
        #expect(throws: LibraryError.self) { try library.savePatch(large, from: "", as: "large", overwrites: false) }
        #expect(!folder.has("data/patches/large.yaml"))
    }

    @Test("a new file never replaces one, nor a link that leads nowhere")
    func new() throws {
        try library.writeNewPatch("text", to: folder.file("new.yaml"))
        #expect(try folder.read("new.yaml") == "text")
        symlink("nowhere", folder.file("link.yaml"))
        for name in ["new.yaml", "link.yaml", "no-folder/new.yaml", "share"] {
            #expect(throws: LibraryError.self) { try library.writeNewPatch("other", to: folder.file(name)) }
        }
        #expect(try folder.read("new.yaml") == "text")
        #expect(!folder.has("nowhere"))
    }
}
