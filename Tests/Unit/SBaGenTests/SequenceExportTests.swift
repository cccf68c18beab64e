import Foundation
import PatchFiles
import Patches
import TestSupport
import Testing

@testable import SBaGen

@Suite("Writing sequences") struct SequenceExportTests {
    private func patch(_ text: String) throws -> Patch { try Patch.parse(text, file: "a.yaml") }

    private func sequence(_ text: String) throws -> SBaGenSequence { try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg") }

    @Test("straight lines are written as slides, and chapters give the names")
    func lines() throws {
        let (text, losses, _, _) = try patch(
            """
            title: Evening
            duration: 20:00
            gains: amplitude
            layers:
              - name: bed
                binaural: {carrier: 200, beat: 10}
                gain: -12.0206
              - name: rain
                noise: {color: pink, correlation: 1}
                gain: -39.29
            chapters:
              - {at: 0:00, title: Settle}
              - {at: 5:00, title: Going down, over: 10:00, set: {bed.beat: 4, rain.gain: -29.29}}
            """
        ).exported()
        #expect(
            text == """
                ## Evening
                -SE
                Settle: 200+10/50 pink/10
                set2: 200+4/50 pink/31.623
                NOW Settle ->
                NOW+00:05:00 Settle ->
                NOW+00:15:00 set2 ->
                NOW+00:20:00 set2 ->

                """)
        #expect(losses.isEmpty)
    }

    @Test(
        "voices that SBaGen itself refuses are named",
        arguments: [
            ("noise: {color: white, correlation: 1}", ["white/"]), ("noise: {color: brown, correlation: 1}", ["brown/"]),
            ("spin: {color: white}", ["wspin:"]), ("spin: {color: brown}", ["bspin:"]), ("isochronic: {wave: square}", ["square:", "@"]),
            ("tone: {wave: triangle}", ["triangle:"]), ("noise: {color: pink, correlation: 1}", []), ("spin: {color: pink}", []),
            ("tone: {}", []), ("binaural: {}", []), ("bell: {}", []), ("noise: {color: blue}", []),
        ])
    func laterVoices(layer: String, names: [String]) throws {
        #expect(try patch("duration: 60\nlayers: [{\(layer), gain: -40}, {\(layer), gain: -40}]\n").exported().laterVoices == names)
    }

    private static let shipped = ((try? FileManager.default.contentsOfDirectory(atPath: PackageRoot.file("patches"))) ?? []).sorted()

    @Test("For SBaGen, a shipped patch is written with the lines and voices of SBaGen 1.4.4 alone, at 100 % or less", arguments: shipped)
    func shippedForSBaGen(name: String) throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: PackageRoot.file("patches/\(name)"))))
        let (text, losses, laterVoices, _) = try Patch.parse(bytes: bytes, file: name).exported(forSBaGen: true)
        let number = "[0-9]+([.][0-9]+)?"
        let pitch = "\(number)[+-]\(number)"
        let sound = "(pink|mix|bell[+]\(number)|spin:\(pitch)|wave[0-9][0-9]:\(pitch)|\(pitch)|\(number))"
        let (word, clock) = ("[A-Za-z][A-Za-z0-9_-]*", "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]")
        let definitions = "wave[0-9][0-9]:( -?\(number))+|\(word):( -| \(sound)/\(number)){1,16}"
        let line = try Regex("## .*|-SE|-m [^ #]+|\(definitions)|(NOW|NOW[+]\(clock)|\(clock)) \(word)( ->)?")
        for written in text.split(separator: "\n") { #expect(written.wholeMatch(of: line) != nil, "\(written)") }
        #expect(laterVoices.isEmpty)
        #expect(!losses.contains { if case .clipping = $0 { true } else { false } }, "\(losses)")
        _ = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", dialect: .sbagen)
    }

    @Test(
        "For SBaGen, noise becomes pink, a pulsing tone steady and a waveform a sine, and each of these losses is named",
        arguments: [
            ("noise: {color: white, correlation: 1}, gain: -39.29", "pink/10", [.pink(layer: "x", .white)]),
            ("noise: {color: pink, correlation: 1}, gain: -39.29", "pink/10", []),
            ("spin: {color: brown, beat: 0.5, delay: 400}, gain: -39.29", "spin:400-0.5/10", [.pink(layer: "x", .brown)]),
            ("isochronic: {carrier: 300, wave: square, duty: 0.3}, gain: -26", "300/10", [.steady(layer: "x"), .wave(layer: "x")]),
            ("binaural: {carrier: 200, beat: 4, wave: triangle}, gain: -26", "200+4/10", [.wave(layer: "x")]),
            ("tone: {carrier: 200, wave: {table: \(table)}}, gain: -26", "wave00:200+0/", []),
            ("noise: {color: blue, correlation: 1}, gain: -39.29", "-", [.color(layer: "x", .blue)]),
            ("file: {path: rain.ogg}, gain: -26", "mix/10", [.fileOnce(layer: "x")]),
            ("file: {path: rain.flac}, gain: -26", "-", [.fileKind(layer: "x")]),
        ] as [(String, String, [SequenceLoss])])
    func forSBaGen(layer: String, voice: String, expected: [SequenceLoss]) throws {
        let (text, losses, laterVoices, _) = try patch("duration: 60\nlayers: [{name: x, \(layer)}]\n").exported(forSBaGen: true)
        #expect(text.contains("set1: \(voice)"), "\(text)")
        #expect(losses == expected)
        #expect(losses.allSatisfy { $0.sentence.hasPrefix("x: ") })
        #expect(laterVoices.isEmpty)
    }

    @Test("for SBaGen, voices that would clip are reported")
    func clipping() throws {
        let loud = try patch("duration: 60\nlayers: [{tone: {}, gain: -8}, {tone: {}, gain: -8}]\n")
        let losses = loud.exported(forSBaGen: true).losses
        #expect(losses.map(\.sentence) == ["the voices together reach 159 %, and SBaGen clips above 100 %"])
        #expect(loud.exported().losses.isEmpty)
    }

    @Test("a spin is written with the speed that turns it the same way, which has the other sign")
    func spin() throws {
        let (text, losses, _, _) = try patch("duration: 60\nlayers: [{spin: {color: pink, beat: 0.5, delay: 400}, gain: -39.29}]")
            .exported()
        #expect(text.contains("set1: spin:400-0.5/10\n"), "\(text)")
        #expect(losses.isEmpty, "\(text)")
        #expect(try sequence(text).patch().layers[0].values[.beat] == 0.5)
    }

    @Test(
        "everything that a sequence cannot represent is reported",
        arguments: [
            ("layers: [{tone: {pan: 0.5}, gain: -20}]", SequenceLoss.parameter(.pan, layer: "tone1")),
            ("layers: [{harmonicBox: {}}]", .kind(layer: "harmonicBox1", .harmonicBox)),
            ("layers: [{keys: {}}]", .kind(layer: "keys1", .keys)),
            ("layers: [{spin: {color: blue}}]", .color(layer: "spin1", .blue)),
            ("layers: [{isochronic: {edge: 0.1}}]", .parameter(.edge, layer: "isochronic1")),
            ("layers: [{noise: {}, gain: -20}]", .parameter(.correlation, layer: "noise1")),
            ("layers: [{noise: {spinDelay: 300}, gain: -40}]", .effect(.spinDelay, layer: "noise1")),
            ("layers: [{isochronic: {duty: 0.3}, gain: -20}]", .parameter(.duty, layer: "isochronic1")),
            ("layers: [{bell: {decay: 9}, gain: -20}]", .parameter(.decay, layer: "bell1")),
            ("layers: [{monaural: {}, gain: -20}]", .kind(layer: "monaural1", .monaural)),
            ("layers: [{tone: {}, gain: -3}]", .tooLoud(layer: "tone1", limit: -6)),
            ("layers: [{spin: {}, gain: -19}]", .tooLoud(layer: "spin1", limit: -19.29)),
            ("duration: 60\nfade: {in: 5, out: 5}\nlayers: [{tone: {}, gain: -20}]", .fades),
            ("duration: 25:00:00\nlayers: [{tone: {}, gain: -20}]", .tooLong),
            ("duration: 60\nloop: true\nlayers: [{tone: {}, gain: -20}]", .loop),
            ("duration: 60\nclock: 60\nlayers: [{tone: {}, gain: -20}]", .clock),
            ("layers: [{tone: {}, gain: -20}]\nchapters: [{at: 10, set: {tone1.carrier: 300}}]", .endless),
            ("duration: 60\nlayers: [{tone: {}, gain: -20}]\nchapters: [{at: 10.5, set: {tone1.carrier: 300}}]", .wholeSeconds),
            ("duration: 60\nlayers: [{tone: {}, gain: -20}]\nchapters: [{at: 10, over: 20, set: {tone1.gain: -30}}]", .curves),
            (
                "duration: 60\nlayers: [{tone: {}, gain: -20}]\nchapters: [{at: 10, over: 20, ease: quadIn, set: {tone1.carrier: 300}}]",
                .curves
            ),
            ("layers: [{tone: {wave: {table: [0, 1, 0.5]}}, gain: -20}]", .wave(layer: "tone1")),
            (waved("beat: 4"), .waveDirection(layer: "binaural1")), (waved("beat: 4, backwards: left"), .waveDirection(layer: "binaural1")),
            (waved("beat: 0"), .waveDirection(layer: "binaural1")),
            (
                waved("beat: 0, backwards: left") + "\nchapters: [{at: 10, over: 20, set: {binaural1.beat: 4}}]",
                .waveDirection(layer: "binaural1")
            ),
        ])
    func losses(text: String, loss: SequenceLoss) throws {
        let (sequence, losses, _, _) = try patch(text + "\n").exported()
        #expect(losses.contains(loss), "\(losses)")
        #expect(!loss.sentence.isEmpty)
        _ = try self.sequence(sequence)
    }

    @Test(
        "A sequence is silent if no layer of its patch can be written",
        arguments: [
            ("[{input: {}}, {noise: {slope: -4.5}}]", true, true), ("[{file: {path: rain.flac}}]", false, true),
            ("[{input: {}}, {tone: {}}]", false, false), ("[{noise: {color: white}}]", false, false),
        ])
    func silent(layers: String, isSilent: Bool, isSilentForSBaGen: Bool) throws {
        let patch = try patch("duration: 60\nlayers: \(layers)\n")
        #expect(patch.exported().isSilent == isSilent)
        #expect(patch.exported(forSBaGen: true).isSilent == isSilentForSBaGen)
    }

    @Test("the segments of a sound file are lost, unless its tag has them and their places are those of a sequence")
    func segments() throws {
        let river = "duration: 60\nlayers: [{name: river, file: {path: river.flac, KEYS}, gain: -20}]\n"
        let comment = "SBAGEN_LOOPER=s4-12 f0.2 #1 c2"
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let list = number(0) + number(1) + number(comment.utf8.count) + Array(comment.utf8)
        let tags = MixTags(Array("fLaC".utf8) + [0x84, 0, 0, UInt8(list.count)] + list)
        for (keys, isTagged, isLost) in [
            ("segments: {length: [4, 12], crossfade: 0.2}, seed: 0", true, false),
            ("segments: {length: [4, 12], crossfade: 0.2}, seed: 0", false, true),
            ("segments: {length: [4, 12], crossfade: 0.2}, seed: 1", true, true),
            ("segments: {length: [4, 12], crossfade: 0.2}", true, true),
            ("segments: {length: [4, 11], crossfade: 0.2}, seed: 0", true, true),
            ("segments: {length: [4, 12], crossfade: 0.2, streams: 2}, seed: 0", true, true),
            ("loop: true", false, false), ("loop: true", true, true),
        ] {
            let (text, losses, _, _) = try patch(river.replacing("KEYS", with: keys)).exported {
                $0 == "river.flac" && isTagged ? tags : nil
            }
            #expect(losses == (isLost ? [.segments(layer: "river")] : []), "\(keys): \(losses)")
            #expect(text.contains("-m river.flac\n"))
        }
    }

    /// A wave that a sequence can have.
    private static let table = SequenceWave.table([0, 1, 0.2, -1])

    private static func waved(_ keys: String) -> String {
        "duration: 60\nlayers: [{binaural: {wave: {table: \(table)}, \(keys)}, gain: -20}]"
    }

    @Test(
        "A wave that is played backwards as SBaGen does is not reported as a loss",
        arguments: [
            "beat: 4, backwards: right", "beat: -4, backwards: left", "beat: 0, backwards: left",
        ])
    func direction(keys: String) throws {
        let losses = try patch(Self.waved(keys) + "\n").exported().losses
        #expect(!losses.contains(.waveDirection(layer: "binaural1")) && !losses.contains(.wave(layer: "binaural1")), "\(losses)")
    }

    /// Changes at whole seconds are exported exactly. A file with the middle of a change between two seconds reports that as a loss.
    @Test(
        "a sequence imported as a patch and exported again is the same sound", arguments: SequenceFixture.names
    )
    func thereAndBack(name: String) throws {
        let original = try SequenceFixture(name).sequence.patch()
        let (text, losses, _, _) = original.exported()
        let again = try sequence(text).patch()
        guard losses.isEmpty else {
            #expect(
                losses.allSatisfy {
                    [
                        .wholeSeconds, .clock, .endless, .voices(17, limit: 16), .parameter(.pan, layer: "voice1"),
                        .parameter(.pan, layer: "voice2"),
                        // The standard pulse of SBaGenX.
                        .envelope(layer: "voice1"), .envelope(layer: "voice2"), .envelope(layer: "voice3"),
                        .envelope(layer: "voice2-pulses"), .envelope(layer: "voice3-pulses"),
                    ].contains($0)
                }, "\(name): \(losses)")
            return
        }
        #expect(again.duration == original.duration)
        #expect(again.loops == original.loops)
        #expect(again.clock == original.clock)
        #expect(again.layers.map(\.kind) == original.layers.map(\.kind), "\(text)")
        guard again.layers.count == original.layers.count else { return }
        for (index, layer) in original.layers.enumerated() where layer.kind != .bell {
            let other = again.layers[index]
            #expect(other.wave == layer.wave)
            #expect(other.spectrum == layer.spectrum)
            #expect(other.table == layer.table)
            #expect(other.seed == layer.seed)
            #expect(same(original, again, index), "\(name): \(layer.name)\n\(text)")
        }
    }

    /// Level and pitch wherever it is heard, away from steps.
    private func same(_ a: Patch, _ b: Patch, _ i: Int) -> Bool {
        let length = a.duration ?? 1000
        var places: [Double] = [0.25, length / 2]
        for move in a.chapters + a.cues {
            let over: Double = move.over ?? 0
            places += [move.start - 0.5, move.start + 0.25, move.start + over / 3, move.start + over + 0.5]
        }
        for place in places where place >= 0 && place < length {
            let (x, y) = (
                Amplitude.ratio(a.value(of: .gain, layer: i, at: place, edits: [])!),
                Amplitude.ratio(b.value(of: .gain, layer: i, at: place, edits: [])!)
            )
            guard abs(x - y) < 2e-5 else { return false }
            guard x > 1e-4 else { continue }
            for parameter in [Parameter.carrier, .beat, .pulseRate, .delay] {
                guard let p = a.value(of: parameter, layer: i, at: place, edits: []),
                    let q = b.value(of: parameter, layer: i, at: place, edits: [])
                else { continue }
                guard abs(p - q) < 1e-5 else { return false }
            }
        }
        return true
    }

    @Test("bells are struck at the same times")
    func bells() throws {
        let original = try sequence("-SE\na: bell+300/50\noff: -\n1:00 a\n1:10 off\n1:20 a\n1:30 off\n").patch()
        let text = original.exported().sequence
        #expect(try sequence(text).patch().strikes(ofLayer: 0) == original.strikes(ofLayer: 0), "\(text)")
    }
}
