import Foundation
import InstanceSupport
import PatchFiles
import Patches
import TestSupport
import Testing

@testable import binaural

@Suite("patch/save")
struct SaveAsTests {
    @Test("writes what plays with its live edits as a patch of the user's, which sounds as the plan that is heard")
    func saves() throws {
        let home = try InstanceHome.withLibrary()
        let text = """
            # Four seconds
            duration: 0:04
            layers:
              - {name: a, binaural: {carrier: 200, beat: 10}, gain: -30}
              - {name: b, tone: {carrier: 300}, gain: -30}
              - {name: f, file: {path: sea.wav}, gain: -30}
            chapters:
              - {at: 0, title: One}
              - {at: 2, title: Two, over: 1, set: {a.beat: 4, b.gain: -40}}
            """
        try home.write(text, to: "mine.yaml")
        let sea = WaveBytes.file([[Float](repeating: 0.1, count: 96_000)], sampleRate: 48_000)
        try sea.write(to: URL(filePath: home.folder.file("sea.wav")))
        let instance = try home.start("mine.yaml", "--session", "session.yaml", "--paused")
        let peer = SteppedPeer(instance)
        #expect(try peer.perform("layer/1/carrier", .float(220)) == 0)
        #expect(try peer.perform("layer/2/wave", .string("triangle")) == 0)
        #expect(try peer.perform("position", .float(2.5)) == 0)
        #expect(try peer.perform("layer/1/beat", .float(6)) == 0)

        #expect(try peer.perform("patch/save", .string("dusk"), .int32(0)) == 0)
        let path = home.places.dataHome + "/patches/dusk.yaml"
        #expect(instance.notices.contains("The patch is saved in \(path)."))
        let saved = try String(contentsOfFile: path, encoding: .utf8)
        #expect(saved.hasPrefix("# Four seconds\n"), "\(saved)")
        #expect(peer.heard.allSatisfy { $0.address != "error" })

        // The same patch, written by hand.
        let expected =
            text.replacingOccurrences(of: "carrier: 200", with: "carrier: 220")
            .replacingOccurrences(of: "{carrier: 300}", with: "{carrier: 300, wave: triangle}")
            .replacingOccurrences(of: "a.beat: 4, ", with: "")
            .replacingOccurrences(of: "path: sea.wav", with: "path: \(home.folder.file("sea.wav"))")
            + "\ncues:\n  - {at: 2, set: {a.beat: 6}}\n"
        let (written, meant) = (try Patch.parse(saved, file: path), try Patch.parse(expected, file: path))
        #expect(written == meant)
    }

    @Test("never replaces a file unless forced, and says why it cannot save")
    func refusals() throws {
        let home = try InstanceHome.withLibrary()
        try home.write(InstanceHome.tone, to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--session", "mine.yaml", "--paused")
        let peer = SteppedPeer(instance)
        #expect(try peer.perform("patch/save", .string("mine")) == 0)
        #expect(try peer.perform("layer/1/gain", .float(-33)) == 0)
        let path = home.places.dataHome + "/patches/mine.yaml"
        let before = try String(contentsOfFile: path, encoding: .utf8)
        for (name, words) in [
            ("mine", "overwrite your patch 'mine'"), ("rain", "hide the shipped patch 'rain'"), ("welcome", "Choose another name"),
        ] {
            let refused = try peer.answer(to: "patch/save", [.string(name)]).text
            #expect(refused.contains(words), "\(refused)")
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
        #expect(try peer.perform("patch/save", .string("mine"), .int32(1)) == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("gain: -33"))
        instance.pass(seconds: 2)
        for name in ["a/b", "../a", ".a", "a.yaml", "preferences", ""] {
            #expect(try peer.perform("patch/save", .string(name)) == 400, "\(name)")
            let error = try #require(#expect(throws: (any Error).self) { try SaveAsCommand.parse([name]) })
            #expect(SaveAsCommand.message(for: error).contains("cannot be the name of a patch"))
        }
    }
}
