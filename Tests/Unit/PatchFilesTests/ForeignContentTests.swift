import PatchFiles
import Patches
import Testing

@Suite("Files that are not text") struct ForeignContentTests {
    static let beginnings: [(bytes: [UInt8], found: String, advice: String)] = [
        (
            Array("fLaC".utf8) + [0, 0, 0, 0x22, 0x10], "a sound file (FLAC)",
            "put it in a layer of a patch: `layers: [{file: {path: night}}]`"
        ),
        (Array("RIFF".utf8) + [0x24, 0, 0, 0x80] + Array("WAVEfmt ".utf8), "a sound file (WAV)", "put it in a layer of a patch:"),
        (Array("RF64".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WAVEds64".utf8), "a sound file (WAV)", "put it in a layer of a patch:"),
        (Array("FORM".utf8) + [0, 0, 1, 0] + Array("AIFFCOMM".utf8), "a sound file (AIFF)", "put it in a layer of a patch:"),
        (Array("OggS".utf8) + [0, 2], "a sound file (Ogg)", "put it in a layer of a patch:"),
        (Array("ID3".utf8) + [4, 0], "a sound file (MP3)", "put it in a layer of a patch:"),
        ([0xFF, 0xFB, 0x90, 0x64], "a sound file (MP3)", "put it in a layer of a patch:"),
        ([0, 0, 0, 0x20] + Array("ftypM4A ".utf8), "a sound file (M4A)", "put it in a layer of a patch:"),
        ([0x89] + Array("PNG\r\n".utf8), "a picture (PNG)", "a patch can show a picture: `artwork: night`"),
        ([0xFF, 0xD8, 0xFF, 0xE0], "a picture (JPEG)", "a patch can show a picture:"),
        (Array("<svg xmlns".utf8), "a picture (SVG)", "a patch can show a picture:"),
        (Array("<?xml version=\"1.0\"?>\n<svg xmlns".utf8), "a picture (SVG)", "a patch can show a picture:"),
        (Array("<?xml version=\"1.0\"?>\n<score>".utf8), "a document (XML), not plain text", "save the text"),
        (Array("%PDF-1.7\n".utf8), "a document (PDF), not plain text", "save the text"),
        (Array("PK".utf8) + [3, 4, 20], "an archive (ZIP)", "unpack it first"),
        (Array("MThd".utf8) + [0, 0, 0, 6], "a MIDI file", "MIDI files cannot be played"),
        ([0xFF, 0xFE, 0x6C, 0], "UTF-16 text", "save the file as UTF-8"),
        ([0, 0, 0, 0x18] + Array("ftypisom".utf8), "a video (MP4)", "save its sound as a sound file"),
    ]

    @Test(
        "the message about a file that is not text names its kind and what to do, whatever its size", arguments: beginnings, [16, 2 << 20])
    func kinds(beginning: (bytes: [UInt8], found: String, advice: String), size: Int) throws {
        let bytes = beginning.bytes + [UInt8](repeating: 0xAA, count: size)
        let error = try #require(throws: Diagnostics.self) { try Patch.parse(bytes: bytes, file: "music/night") }
        #expect(error.description.hasPrefix("music/night: this is \(beginning.found)\n  \(beginning.advice)"), "\(error)")
        #expect(error.all.count == 1)
    }

    @Test("the advice for a file whose name needs quotes in YAML can be pasted")
    func quoted() throws {
        let error = try #require(throws: Diagnostics.self) { try Patch.parse(bytes: Array("fLaC".utf8), file: "a/rain, heavy.flac") }
        #expect(error.description.hasSuffix(#"`layers: [{file: {path: "rain, heavy.flac"}}]`"#), "\(error)")
        #expect(try Patch.parse(#"layers: [{file: {path: "rain, heavy.flac"}}]"#, file: "a.yaml").layers[0].path == "rain, heavy.flac")
    }

    @Test("text that only begins like such a file is read as text", arguments: ["RIFF: 1\n", "FORM", "ftyp", "P", ""])
    func text(_ text: String) throws {
        let error = try #require(throws: Diagnostics.self) { try Patch.parse(text, file: "a.yaml") }
        #expect(!error.description.contains("this is"), "\(error)")
    }
}
