import PatchFiles
import Patches
import Testing

@Suite("The time of day that a patch follows") struct TimeOfDayTests {
    private static func clock(_ text: String) throws -> Double? {
        try Patch.parse("clock: \(text)\nlayers: [{tone: {}}]", file: "a.yaml").clock
    }

    @Test(
        "h:mm and h:mm:ss are a time of day, quoted or not",
        arguments: [
            ("22:00", 79_200), ("0:00", 0), ("00:00", 0), ("6:05", 21_900), ("06:05", 21_900), ("23:59", 86_340), ("22:00:00", 79_200),
            ("0:22:00", 1320), ("0:00:01", 1), ("23:59:59", 86_399), ("23:59:59.5", 86_399.5), ("\"22:30\"", 81_000), ("'7:00:30'", 25_230),
            // As seconds, which all versions read.
            ("79200", 79_200), ("60", 60), ("24", 24), ("0", 0), ("0.5", 0.5),
        ])
    func read(text: String, seconds: Double) throws {
        #expect(try Self.clock(text) == seconds)
    }

    @Test(
        "an invalid time of day is an error that says what is expected, with a suggestion",
        arguments: [
            ("24:00", "0:24:00"), ("25:00", "0:25:00"), ("12:60", nil), ("-1:00", nil), ("24:00:00", nil), ("99:99", nil),
            ("90:00", "1:30:00"), ("22", "22:00"), ("1", "1:00"), ("86400", nil), ("-1", nil), ("9 pm", "21:00"), ("12pm", "12:00"),
            ("22h", "22:00"), ("6:5", "6:05"), ("22:5:7", "22:05:07"), ("22:00.5", nil), ("22:00:60", nil), ("1:22:00:00", nil),
            (":30", nil),
            ("\"22:\"", nil), ("ten", nil), ("007:00", "7:00"), ("1e9", nil), ("9999999999:00", nil), ("[22:00]", nil), ("~", nil),
        ])
    func refused(text: String, meant: String?) throws {
        let error = try #require(throws: Diagnostics.self) { try Self.clock(text) }
        let guess = meant.map { "; did you mean `\($0)`?" } ?? ""
        let message = error.description
        #expect(message.hasPrefix("a.yaml:1:8: found "))
        #expect(error.all.count == 1)
        #expect(message.hasSuffix("\n  expected a time of day from 0:00 to 23:59:59: h:mm or h:mm:ss" + guess), "\(message)")
    }

    @Test("every second of the day reads back as written, also by earlier versions")
    func written() throws {
        for second in stride(from: 0.0, to: Patch.day, by: 1) {
            let text = TimeOfDayText.string(from: second)
            #expect(TimeOfDayText.parse(text) == second)
            #expect(DurationText.parse(text) == second)
            #expect(text.split(separator: ":").count == 3)
        }
        var patch = Patch(layers: [Layer(name: "a", kind: .tone)])
        for clock in [0, 1, 59, 60, 300, 1320, 3599, 3600, 36_000.25, 79_200, 86_399.75] {
            patch.clock = clock
            #expect(try Patch.parse(patch.yaml, file: "a") == patch, "\(patch.yaml)")
        }
    }
}
