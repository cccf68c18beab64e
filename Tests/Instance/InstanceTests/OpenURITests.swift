import Bus
import Foundation
import InstanceSupport
import Testing

/// Files from file managers and the like, as calls over the session bus.
@Suite("OpenUri")
struct OpenURITests {
    /// An instance that plays a shipped patch, with a home of its own.
    private func playing() throws -> (InstanceHome, SteppedInstance) {
        let home = try InstanceHome.withLibrary()
        let instance = try home.start("deep-alpha")
        instance.pass(seconds: 1)
        return (home, instance)
    }

    /// Opens a file, and returns the refusal; `nil` if it was opened.
    private func open(_ address: String, _ instance: SteppedInstance) throws -> String? {
        // A program may open ten files a second.
        instance.pass(seconds: 0.2)
        do {
            try instance.openFile(address)
            return nil
        } catch let error as BusError {
            return error.message
        }
    }

    private func title(_ instance: SteppedInstance) -> String? { instance.player.current?.title }

    @Test("OpenUri plays a patch from any folder and opens a session; anything else is an error and nothing stalls")
    func opening() throws {
        let (home, instance) = try playing()
        let fifo = home.folder.file("pipe.yaml")
        try #require(mkfifo(fifo, 0o600) == 0)
        let broken = try home.folder.write("layers: [\n", to: "broken.yaml")
        for address in [
            "http://example.com/a.yaml", "file://\(fifo)", "file:///nowhere.yaml", "file:///tmp", "file:///dev/zero", "file://\(broken)",
            "",
        ] {
            #expect(try open(address, instance) != nil, "\(address)")
            #expect(title(instance) == "Deep alpha", "\(address)")
        }
        let patch = try home.folder.write(
            "title: Mine\nlayers:\n  - name: a\n    tone: {carrier: 300}\n", to: "my folder/mine.yaml")
        #expect(try open("file://" + patch.replacing(" ", with: "%20"), instance) == nil)
        #expect(title(instance) == "Mine")
        let other = try home.folder.write("format: 1\ntitle: Other\nqueue:\n  - patch: \(patch)\n", to: "other.yaml")
        #expect(try open("file://\(other)", instance) == nil)
        #expect(instance.player.playback == .playing)
        #expect(instance.snapshot.session.name == "other")
    }

    @Test("A session file that has the name of another session is refused, and continues the one that plays the same")
    func sameName() async throws {
        let (home, instance) = try playing()
        for (folder, carrier) in [("o1", 200), ("o2", 300)] {
            try home.write("title: Tone\(carrier)\nlayers:\n  - {name: a, tone: {carrier: \(carrier)}}\n", to: "\(folder)/tone.yaml")
            try home.write("format: 1\nqueue:\n  - patch: tone.yaml\n", to: "\(folder)/eve.yaml")
        }
        let (first, second) = (home.folder.file("o1/eve.yaml"), home.folder.file("o2/eve.yaml"))
        let words = "A session called 'eve' is saved already and plays something else"
        #expect(try open("file://\(first)", instance) == nil)
        #expect(title(instance) == "Tone200")
        let refused = try #require(try open("file://\(second)", instance))
        #expect(refused.contains(words), "\(refused)")
        #expect(title(instance) == "Tone200")
        #expect(try open("file://\(first)", instance) == nil)
        // Also while another session is open.
        #expect(try SteppedPeer(instance).perform("session/load", .string("welcome")) == 0)
        #expect(try open("file://\(second)", instance)?.contains("'eve' is saved already") == true)
        #expect(instance.snapshot.session.name == "welcome")
        #expect(try open("file://\(first)", instance) == nil)
        #expect(title(instance) == "Tone200")
        // And on the command line.
        let error = try #require(#expect(throws: (any Error).self) { try home.start(second) })
        #expect("\(error)".contains(words), "\(error)")
    }

    @Test("A sequence of SBaGen plays, another path of a file in the queue plays that item, and a session without a sound is open")
    func kinds() throws {
        let (home, instance) = try playing()
        try home.write("night: 200+4/20\n0:00 night\n", to: "x/night.sbg")
        let x = home.folder.file("x")
        #expect(try open("file://\(x)/night.sbg", instance) == nil)
        #expect(title(instance) == "night")
        #expect(instance.player.playback == .playing)
        let count = instance.player.items.count
        for path in ["\(x)/night.sbg", "\(x)/../x/night.sbg", "\(x)//./night.sbg"] {
            #expect(try open("file://\(path)", instance) == nil)
            #expect(instance.player.items.count == count, "\(path)")
        }
        try #require(mkfifo(home.folder.file("pipe.yaml"), 0o600) == 0)
        let silent = try home.folder.write("format: 1\nqueue:\n  - patch: pipe.yaml\n", to: "silent.yaml")
        #expect(try open("file://\(silent)", instance) == nil)
        #expect(instance.snapshot.session.name == "silent")
        let hidden = try home.folder.write("format: 1\nqueue:\n  - patch: rain\n", to: ".hidden.yaml")
        let refused = try #require(try open("file://\(hidden)", instance))
        #expect(refused.contains("use one without a leading dot"), "\(refused)")
        #expect(instance.snapshot.session.name == "silent")
    }
}
