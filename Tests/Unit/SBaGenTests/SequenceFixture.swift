import Foundation
import Patches
import TestSupport

@testable import SBaGen

/// An `.sbg` file of this folder, with the expected result in its remarks, or in those of a file `.pieces` beside it, computed by hand:
/// - `#= VOICE START END FROM [-> TO]`: a piece of a voice, times from the first one of the sequence on;
/// - `#: duration TIME`, `clock TIME`, `loops`, `endless`: of the patch;
/// - `#: begins TIME`: seconds from the first time to the patch's position 0.
struct SequenceFixture {
    let name: String
    let bytes: [UInt8]
    var pieces: [Int: [SequenceTimeline.Piece]] = [:]
    var facts: [String: String] = [:]

    static let folder = PackageRoot.file("Tests/Unit/SBaGenTests/Sequences")

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".sbg") }.sorted()

    init(_ name: String) throws {
        self.name = name
        let data = try Data(contentsOf: URL(filePath: Self.folder + "/" + name))
        bytes = Array(data)
        let more = try? Data(contentsOf: URL(filePath: Self.folder + "/" + name.dropLast(3) + "pieces"))
        for line in String(decoding: data + (more ?? Data()), as: UTF8.self).split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "#=", let voice = Int(words[1]), let start = Self.time(words[2]), let end = Self.time(words[3]) {
                let from = Self.voice(words[4])
                pieces[voice - 1, default: []].append(.init(start, end, from, words.count > 6 ? Self.voice(words[6]) : from))
            }
            if words[0] == "#:" {
                var rest = words.dropFirst()
                while let key = rest.popFirst() { facts[key] = ["loops", "endless"].contains(key) ? "" : rest.popFirst() }
            }
        }
    }

    var sequence: SBaGenSequence { get throws { try SBaGenSequence.parse(bytes: bytes, file: name) } }

    /// `mm:ss` or `h:mm:ss`, as many hours as there are.
    static func time(_ text: String) -> Double? {
        let parts = text.split(separator: ":").map { Double($0) ?? .nan }
        return parts.reduce(0) { $0 * 60 + $1 }
    }

    /// A voice as the format has it; written down a second time, for these files alone.
    static func voice(_ text: String) -> SequenceVoice {
        if text == "-" { return .off }
        let slash = text.lastIndex(of: "/")!
        let amplitude = Double(text[text.index(after: slash)...])!
        let head = text[..<slash]
        let noises: [Substring: SequenceVoice.Kind] = [
            "pink": .noise(.pink), "white": .noise(.white), "brown": .noise(.brown), "mix": .mix,
        ]
        if let kind = noises[head] { return SequenceVoice(kind, amplitude: amplitude) }
        let body = head.split(separator: ":").last!
        if body.hasPrefix("bell") { return SequenceVoice(.bell, amplitude: amplitude, carrier: Double(body.dropFirst(5))!) }
        let prefix = head.contains(":") ? String(head.prefix { $0 != ":" }) : "sine"
        let mark = body.firstIndex { "+-@".contains($0) }!
        var beat = Double(body[body.index(after: mark)...])!
        if body[mark] == "-" { beat = -beat }
        let wave = Waveform(rawValue: prefix)
        let kind: SequenceVoice.Kind =
            switch prefix {
            case "spin": .spin(.pink)
            case "bspin": .spin(.brown)
            case "wspin": .spin(.white)
            case _ where prefix.hasPrefix("wave"): .wave(Int(prefix.suffix(2))!)
            default: body[mark] == "@" ? .pulses(wave!) : .tone(wave!)
            }
        return SequenceVoice(kind, amplitude: amplitude, carrier: Double(body[..<mark])!, beat: beat)
    }
}
