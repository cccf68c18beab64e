import PatchFiles
import Patches
import Testing

@testable import Pictures

@Suite("writing in pictures")
struct WritingTests {
    /// The shapes of each text on one page, from left to right.
    private func shapes(_ texts: String...) throws -> [[String]] {
        let canvas = Canvas(width: 600, height: 600, format: .svg, paper: Palette.light.paper)
        for (index, text) in texts.enumerated() {
            canvas.write(text, at: Point(x: 20, y: Double(40 + 20 * index)), Type(size: 12), Palette.light.text)
        }
        let page = DrawnPage(try canvas.finish())
        return texts.indices.map { page.shapes(onBaseline: Double(40 + 20 * $0)) }
    }

    /// Cancels the test where no font has these letters: boxes are drawn in their place.
    private func requireFont(with letters: String) throws {
        if try shapes(letters)[0].isEmpty { try Test.cancel("no font here has the letters \(letters)") }
    }

    @Test("Hebrew is written from right to left, also around numbers and with its punctuation at the end")
    func hebrew() throws {
        try requireFont(with: "אבג")
        let drawn = try shapes("אבג", "א", "ב", "ג", "אב12!", "12", "!")
        #expect(drawn[0] == drawn[3] + drawn[2] + drawn[1])
        #expect(Set(drawn[0]).count == 3)
        #expect(drawn[4] == drawn[6] + drawn[5] + drawn[2] + drawn[1])
    }

    @Test("Arabic letters are joined: each has another shape at the beginning, in the middle and at the end of a word")
    func arabic() throws {
        try requireFont(with: "ب")
        let drawn = try shapes("ببب", "ب")
        #expect(Set(drawn[0] + drawn[1]).count == 4)
    }

    @Test("Texts beside each other keep their order, whatever their direction")
    func order() throws {
        try requireFont(with: "אבגד")
        let patch = try Patch.parse("artist: אב\nalbum: גד\nduration: 12:00\nlayers: [{tone: {}}]\n", file: "p.yaml")
        let picture = PatchPicture(patch)
        let canvas = picture.page(.svg)
        picture.draw(on: canvas)
        // The same letters at the same size, on baselines of their own.
        for (index, text) in ["א", "ב", "ג", "ד", "12:00"].enumerated() {
            canvas.write(text, at: Point(x: 20, y: 200.25 + 20 * Double(index)), Type(size: 13), Palette.light.softText)
        }
        let page = DrawnPage(try canvas.finish())
        let letters = (0..<5).map { page.shapes(onBaseline: 200.25 + 20 * Double($0)) }
        let facts = page.shapes(onBaseline: 66).filter { letters.joined().contains($0) }
        #expect(facts == letters[1] + letters[0] + letters[3] + letters[2] + letters[4])
    }

    @Test("A text that is too long is cut at its end, where its ellipsis is", arguments: ["abcdefgh", "אבגדהוזח"])
    func cut(text: String) throws {
        try requireFont(with: text)
        let canvas = Canvas(width: 600, height: 600, format: .svg, paper: Palette.light.paper)
        let type = Type(size: 12)
        let room = canvas.width(of: text, type) * 0.7
        let cut = canvas.cut(text, to: room, type)
        #expect(cut.last == "…")
        #expect(text.hasPrefix(cut.dropLast()))
        #expect(2..<text.count ~= cut.count)
        #expect(canvas.width(of: cut, type) <= room)
        let drawn = try shapes(cut, "…", String(text.prefix(1)))
        let isRightToLeft = text.first == "א"
        #expect((isRightToLeft ? drawn[0].first : drawn[0].last) == drawn[1].first)
        #expect((isRightToLeft ? drawn[0].last : drawn[0].first) == drawn[2].first)
        #expect(canvas.cut(text, to: canvas.width(of: text, type), type) == text)
        for room in [0, -8, 1.0] { #expect(canvas.cut(text, to: room, type) == "") }
    }

    @Test("A title of a million letters or marks takes no more room than the first thousand", arguments: ["a", "e\u{301}"])
    func long(unit: String) throws {
        let canvas = Canvas(width: 600, height: 600, format: .svg, paper: Palette.light.paper)
        let type = Type(size: 24, isBold: true)
        let text = String(repeating: unit, count: 1_000_000)
        #expect(canvas.width(of: text, type) == canvas.width(of: String(text.unicodeScalars.prefix(1000)), type))
        #expect(canvas.width(of: canvas.cut(text, to: 500, type), type) <= 500)
    }

    @Test("A title is one line, with blanks for line ends and control characters")
    func oneLine() throws {
        for end in ["\n", "\r\n", "\u{2028}", "\u{2029}", "\0", "\u{85}", "\t"] {
            let drawn = try shapes("ab\(end)cd", "ab\(end.unicodeScalars.count == 2 ? "  " : " ")cd")
            #expect(drawn[0] == drawn[1], "\(end.unicodeScalars.map(\.value))")
        }
    }
}
