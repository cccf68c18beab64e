import Foundation
import OSC
import Testing

@testable import RemoteClient

@Suite("A message as typed")
struct OSCMessageTextTests {
    @Test(
        "a line is split into words; quoted text is one word, and keeps its quotes",
        arguments: [
            ("", []), ("   ", []), ("play", ["play"]), ("  layer/1/beat \t4  10 ", ["layer/1/beat", "4", "10"]),
            (#"session/load "deep sleep" x"#, ["session/load", #""deep sleep""#, "x"]), ("a 'b \"c' d", ["a", "'b \"c'", "d"]),
            (#"a "7""#, ["a", #""7""#]), (#"a "open end"#, ["a", #""open end""#]), (#"a """#, ["a", #""""#]),
        ])
    func words(line: String, expected: [String]) { #expect(OSCMessageText.words(line) == expected) }
}

@Suite("Arguments and answers in words")
struct AnswerWordsTests {
    @Test("a number with a unit is answered with the number, and another dash with the way to send it")
    func faults() {
        #expect(ArgumentText.fault(in: ["-20dB"]) == "'-20dB' is not a number: leave out the unit, as in -20.")
        for (values, address, meant) in [
            (["45m"], "sleep", "Did you mean 45:00?"), (["90s"], "position", "Did you mean 1:30?"), (["4Hz"], "layer/1/beat", "as in 4."),
            (["0x10"], "layer/1/beat", "did you mean 16?"),
            (["4Hz"], "layer/bed/beat", "as in 4."), (["2h"], "/binaural/sleep", "Did you mean 2:00:00?"),
        ] {
            #expect(OSCMessageText.fault(in: values, to: address)?.contains(meant) == true, "\(address) \(values)")
        }
        for (values, address) in [
            (["1:30"], "sleep"), (["A4"], "layer/1/note"), (["'4Hz'"], "layer/1/beat"), (["4Hz"], "title"), (["4Hz"], "no/such"),
        ] {
            #expect(OSCMessageText.fault(in: values, to: address) == nil, "\(address) \(values)")
        }
        #expect(ArgumentText.argument("\u{2212}6") == .int32(-6))
        #expect(ArgumentText.argument("\u{2212}x") == .string("\u{2212}x"))
        #expect(ArgumentText.fault(in: ["-x"]) == "Unknown option '-x'. Put strings that start with a dash after '--'.")
        #expect(ArgumentText.fault(in: ["-20", "-1:30", "-", "--", "-x"]) == nil)
    }

    @Test("play with a name plays that, and a path is sent as an absolute one; a name, and a number, stay as they are")
    func names() {
        let folder = FileManager.default.currentDirectoryPath
        func sent(_ words: String...) -> OSCMessage { OSCMessageText.message(words[0], words.dropFirst()) }
        #expect(sent("play") == OSCMessage("/binaural/play"))
        #expect(sent("play", "1") == OSCMessage("/binaural/play", [.int32(1)]))
        #expect(sent("play", "rain") == OSCMessage("/binaural/queue/play", [.string("rain")]))
        #expect(sent("/binaural/play", "'1'") == OSCMessage("/binaural/queue/play", [.string("1")]))
        for path in ["./x/mine.yaml", "x/../x/mine.yaml"] {
            #expect(sent("play", path) == OSCMessage("/binaural/queue/play", [.string("\(folder)/x/mine.yaml")]))
        }
        #expect(
            sent("queue/add", "mine.sbg", "next") == OSCMessage("/binaural/queue/add", [.string("\(folder)/mine.sbg"), .string("next")]))
        #expect(sent("queue/play", "2") == OSCMessage("/binaural/queue/play", [.int32(2)]))
        #expect(sent("patch/save", "a/b") == OSCMessage("/binaural/patch/save", [.string("a/b")]))
    }

    @Test("on and off set a choice between off and something else")
    func switches() {
        #expect(OSCMessageText.message("shuffle", ["on"]).arguments == [.string("items")])
        #expect(OSCMessageText.message("shuffle", ["off"]).arguments == [.string("off")])
        #expect(OSCMessageText.message("repeat", ["on"]).arguments == [.string("on")])
    }

    @Test("values that stand for nothing have a word, and notes a name; lists are asked for by their first part")
    func words() {
        func lines(_ address: String, _ arguments: OSCArgument...) -> [String] {
            ReadableText.lines(OSCMessage("/binaural/" + address, arguments))
        }
        #expect(lines("sleep", .float(0), .float(60), .string("sineIn")) == ["sleep off"])
        #expect(lines("now/duration", .float(0)) == ["now/duration endless"])
        #expect(lines("now/duration", .float(90)) == ["now/duration 1:30"])
        #expect(lines("layer/bed/note", .int32(55)) == ["layer/bed/note G3"])
        #expect(ReadableText.question(OSCMessage("/binaural/queue")).address == "/binaural/queue/list")
        #expect(ReadableText.question(OSCMessage("/binaural/now")).address == "/binaural/now")
    }

    @Test("a refusal for people says what to type for a list of the addresses")
    func refusals() {
        let refusal = Conversation.Refusal(
            code: 404, sentence: "/binaural/nothing: There is no such address: /binaural/describe lists all addresses.")
        #expect(refusal.readableText == "nothing: There is no such address: 'describe /' lists all addresses.")
        #expect(refusal.shellText == "nothing: There is no such address: 'binaural ctl describe /' lists all addresses.")
        #expect(refusal.reason.hasPrefix("There is no such address"))
        #expect(refusal.text == refusal.sentence + " (code 404)")
    }

    @Test("an empty description is an error, with the nearest address; the end of any other is an answer")
    func nothingDescribed() {
        var conversation = Conversation(OSCMessage("/binaural/describe", [.string("layer/1/gainn")]))
        #expect(conversation.receive(OSCMessage("/binaural/describe/end", [.string("layer/1/gainn"), .int32(0)])) == nil)
        #expect(conversation.refusals.map(\.code) == [404])
        #expect(
            conversation.refusals.first?.readableText == "describe: There is no address 'layer/1/gainn': did you mean layer/1/gain?")
        let end = OSCMessage("/binaural/describe/end", [.string("layer/1"), .int32(30)])
        var other = Conversation(OSCMessage("/binaural/describe", [.string("layer/1")]))
        #expect(other.receive(end) == end)
        #expect(other.refusals.isEmpty)
    }

    @Test("layers that a pattern names count as answers under their numbers")
    func namedLayers() {
        var conversation = Conversation(OSCMessage("/binaural/layer/{bed,Bed}/gain", [.float(-10)]))
        for address in ["replies", "layer/1/gain", "sync"] {
            _ = conversation.receive(OSCMessage("/binaural/reply", [.string("/binaural/" + address), .int32(0), .string("layer/1")]))
        }
        #expect(conversation.successes.map(\.arguments.first) == [.string("/binaural/layer/1/gain")])
    }

    @Test("the place of a saved patch is that of the notice; one that was cut is completed")
    func places() {
        #expect(SavedPlace.path(in: "The patch is saved in /home/a/dusk.yaml.", expected: nil) == "/home/a/dusk.yaml")
        #expect(SavedPlace.path(in: "The patch is saved in /home/a/du", expected: "/home/a/dusk.yaml") == "/home/a/dusk.yaml")
        #expect(SavedPlace.path(in: "The patch is saved in /home/a/du", expected: "/home/b/dusk.yaml") == nil)
        #expect(SavedPlace.path(in: "JACK is away.", expected: "/home/a/dusk.yaml") == nil)
    }
}
