import Foundation
import Terminal
import TestSupport
import Testing

@Suite("QR codes") struct QRCodeTests {
    @Test(
        "Another program reads the text, drawn black on white, or light on a dark terminal",
        arguments: [
            "http://192.168.1.5:7880/#0123456789abcdef0123456789abcdef",
            "http://[2001:db8:1234:5678:9abc:def0:1234:5678]:65535/#fedcba9876543210fedcba9876543210",
            "https://studio.example.org/#00000000000000000000000000000000",
        ], [true, false])
    func readable(text: String, hasColor: Bool) async throws {
        let code = try #require(QRCode(text))
        let lines = code.lines(hasColor: hasColor)
        #expect(lines.count == code.size.rows)
        #expect(code.size.columns <= 41)
        #expect(code.size.rows <= 21)
        let marks = lines.map { $0.filter { "█▀▄ ".contains($0) } }
        #expect(marks.allSatisfy { $0.count == code.size.columns })
        #expect(lines.allSatisfy { $0.contains("\u{1B}") == hasColor })
        // A picture of the terminal, which is dark around the code: the marks have the colour of the text.
        let (ink, paper): (UInt8, UInt8) = hasColor ? (0, 255) : (255, 0)
        let rows = marks.flatMap { line in [Array("█▀"), Array("█▄")].map { half in line.map { half.contains($0) ? ink : paper } } }
        let (scale, border) = (5, 20)
        let width = code.size.columns * scale + 2 * border
        let edge = [UInt8](repeating: 0, count: border)
        var pixels = [UInt8](repeating: 0, count: width * border)
        for row in rows {
            let line = edge + row.flatMap { [UInt8](repeating: $0, count: scale) } + edge
            for _ in 0..<scale { pixels += line }
        }
        pixels += [UInt8](repeating: 0, count: width * border)
        let folder = try TemporaryFolder()
        let head = "P5 \(width) \(pixels.count / width) 255\n"
        try (Data(head.utf8) + Data(pixels)).write(to: URL(filePath: folder.file("code.pgm")))
        let run = try await RunningProgram.run(
            try requireTool("zbarimg", package: "zbar-tools"), ["--quiet", "--raw", folder.file("code.pgm")])
        #expect(run.outputLines == [text], "\(run.errors)")
    }

    @Test("A text that is empty or too long has no code")
    func tooLong() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "x", count: 2954)) == nil)
        #expect(QRCode(String(repeating: "x", count: 2953)) != nil)
    }
}
