import Foundation
import PatchFiles
import Patches
import TestSupport
import Testing

@testable import SBaGen

/// The messages for invalid sequences, word for word: a faulty text and the whole message.
private let table: [(text: String, message: String)] = [
    ("", "a.sbg: the file is empty\n  expected a sequence: a tone-set and a time, such as `NOW name`"),
    ("# nothing\na: 200+10/20\n", "a.sbg: the sequence has no times\n  write when a tone-set starts, such as `NOW name`"),
    (
        "alpha: 200+10/20\nNOW alhpa\n",
        #"""
        a.sbg:2:5: `alhpa` is not defined above
            NOW alhpa
                ^
          did you mean `alpha`?
        """#
    ),
    (
        "NOW x\nx: -\n",
        #"""
        a.sbg:1:5: `x` is not defined above
            NOW x
                ^
          define it first, such as `x: 200+10/20`
        """#
    ),
    (
        "a: 200+10\nNOW a\n",
        #"""
        a.sbg:1:10: the voice ends here
            a: 200+10
                     ^
          expected `/` and an amplitude in percent, such as `200+10/20`
        """#
    ),
    (
        "a: pink/30 200+10/20%\nNOW a\n",
        #"""
        a.sbg:1:21: found `%`
            a: pink/30 200+10/20%
                                ^
          write the number alone, without a unit
        """#
    ),
    (
        "a: 200*10/20\nNOW a\n",
        #"""
        a.sbg:1:7: found `*10/20`
            a: 200*10/20
                  ^
          expected + or -, and a frequency in Hz, such as the +10 of `200+10/20`
        """#
    ),
    (
        "a: 200+/20\nNOW a\n",
        #"""
        a.sbg:1:8: found `/20`
            a: 200+/20
                   ^
          expected a frequency in Hz, such as the 10 of `200+10/20`
        """#
    ),
    (
        "a: violet/20\nNOW a\n",
        #"""
        a.sbg:1:4: found `violet/20`
            a: violet/20
               ^
          expected a voice: `-`, `200+10/20`, `200/20`, `pink/30`, `mix/50`, `bell+400/20`, `spin:300+4/30` or `wave00:200+10/20`
        """#
    ),
    (
        "a: 200+10/120\nNOW a\n",
        #"""
        a.sbg:1:11: found `120`
            a: 200+10/120
                      ^
          expected an amplitude from 0 to 100, in percent
        """#
    ),
    (
        "a: noise:200/20\nNOW a\n",
        #"""
        a.sbg:1:4: `noise:` is another program's noise
            a: noise:200/20
               ^
          it is not part of SBaGen's format, and is not played
        """#
    ),
    (
        "-m a.wav\na: mixspin:300+4/20\nNOW a\n",
        #"""
        a.sbg:3:1: the tone-set has an effect on the sound file, but no `mix`
            NOW a
            ^
          add its level, such as `mix/60`
        """#
    ),
    (
        "a: noise07/20\nNOW a\n",
        #"""
        a.sbg:1:4: `noise07` is not defined above
            a: noise07/20
               ^
          define it, such as `noise07: 12 10 8 …`, with 32 levels in dB
        """#
    ),
    (
        "a: custom01:300@4/20\nNOW a\n",
        #"""
        a.sbg:1:4: `custom01` is not defined above
            a: custom01:300@4/20
               ^
          define it, such as `custom01: 0 1 0.5`
        """#
    ),
    (
        "custom01: e=7 0 1\nnoise02: 1 2\nspin03: 0 0\ncustom04: 0 -1\nnoise05: 30\nNOW x\n",
        #"""
        a.sbg:1:11: found `e=7`
            custom01: e=7 0 1
                      ^
          expected e=0, e=1, e=2 or e=3
        a.sbg:2:1: found 2 numbers
            noise02: 1 2
            ^
          expected 32
        a.sbg:3:9: found `0`
            spin03: 0 0
                    ^
          expected a number other than 0 among them
        a.sbg:4:13: found `-1`
            custom04: 0 -1
                        ^
          expected a number of at least 0
        a.sbg:5:10: found `30`
            noise05: 30
                     ^
          expected a level from -24 to 24 dB
        a.sbg:6:5: `x` is not defined above
            NOW x
                ^
          define it first, such as `x: 200+10/20`
        """#
    ),
    (
        "a: square:pink/20\nNOW a\n",
        #"""
        a.sbg:1:4: `square:` stands before `pink/20`
            a: square:pink/20
               ^
          this voice does not take it: remove it
        """#
    ),
    (
        "-m a.wav\na: mix/20 mixam:3 mixam:4\nNOW a\n",
        #"""
        a.sbg:3:1: the tone-set has more than one `mixam`
            NOW a
            ^
          keep one of them
        """#
    ),
    (
        "-I d=0\na: mix/50 mixam:8:q=1\nNOW a\n",
        #"""
        a.sbg:1:4: `-I` is followed by `d=0`
            -I d=0
               ^
          expected the shape of pulses, such as s=0.05:d=0.4:a=0.5:r=0.5:e=2, with s, a and r from 0 to 1, d from 0.01 to 1, a + r at most 1, e 0, 1, 2 or 3
        a.sbg:2:11: found `mixam:8:q=1`
            a: mix/50 mixam:8:q=1
                      ^
          expected a rate or `beat`, and m, s, d, a, r, e or f, such as `mixam:8:m=pulse:f=0.3`
        """#
    ),
    (
        "a: 30000+10/20\nNOW a\n",
        #"""
        a.sbg:1:4: the carrier is 30000 Hz
            a: 30000+10/20
               ^
          expected 1 to 20000 Hz
        """#
    ),
    (
        "a: 200+10/20\n22:60 a\n",
        #"""
        a.sbg:2:1: `22:60` is not a time
            22:60 a
            ^
          expected h:mm or h:mm:ss up to 24:00, `NOW`, or a relative time such as `+0:30`
        """#
    ),
    (
        "a: 200+10/20\n+0:30 a\n",
        #"""
        a.sbg:2:1: a relative time needs a time above it
            +0:30 a
            ^
          start with `NOW` or a time of day
        """#
    ),
    (
        "a: 200+10/20\n12:00 a\n10:00 a\n09:00 a\n",
        #"""
        a.sbg:4:1: the times are out of order
            09:00 a
            ^
          expected each line later than the one before, within 24 hours
        """#
    ),
    (
        "a: 200+10/20\nNOW == a b\n",
        #"""
        a.sbg:2:10: found `b` after the name
            NOW == a b
                     ^
          expected the end of the line
        """#
    ),
    (
        "a: 200+10/20\nNOW\n",
        #"""
        a.sbg:2:1: the time has no tone-set
            NOW
            ^
          expected the name of one after it
        """#
    ),
    (
        "a: 200+10/20\nNOW a\nhello world\n",
        #"""
        a.sbg:3:1: found `hello`
            hello world
            ^
          expected a definition (`name: voices`), or a time (`22:00`, `NOW` or `+0:30`) and the name of a tone-set
        """#
    ),
    (
        "a: 200+10/20\n-SE\nNOW a\n",
        #"""
        a.sbg:2:1: an option follows other lines
            -SE
            ^
          put options above everything else
        """#
    ),
    (
        "-SX\na: -\nNOW a\n",
        #"""
        a.sbg:1:3: unknown option `-X`
            -SX
              ^
          expected -S, -E, -T, -L, -F, -q, -c, -m, -i, -p, -V, -w, -I, -H, -A, or another of SBaGen's
        """#
    ),
    (
        "-F soon\na: -\nNOW a\n",
        #"""
        a.sbg:1:4: `-F` is followed by `soon`
            -F soon
               ^
          expected the duration of a change in milliseconds, up to an hour
        """#
    ),
    (
        "-m rain\u{1}.wav\na: -\nNOW a\n",
        #"""
        a.sbg:1:4: `-m` is followed by `rain�.wav`
            -m rain�.wav
               ^
          expected the name of a sound file
        """#
    ),
    (
        "-L\na: -\nNOW a\n",
        #"""
        a.sbg:1:2: `-L` has no value
            -L
             ^
          expected a length, such as 0:45, up to 24:00
        """#
    ),
    (
        "-p float 00ds+^",
        #"""
        a.sbg:1:4: found `float` after `-p`
            -p float 00ds+^
               ^
          expected a session: drop, slide, sigmoid or curve, such as `drop 00ds+` or `slide 200+10/1`
        """#
    ),
    (
        "-S -p",
        #"""
        a.sbg:1:5: nothing follows `-p`
            -S -p
                ^
          expected a session: drop, slide, sigmoid or curve, such as `drop 00ds+` or `slide 200+10/1`
        """#
    ),
    (
        "-p drop 00m+",
        #"""
        a.sbg:1:9: found `00m+`
            -p drop 00m+
                    ^
          expected two digits for the carrier and a letter from a to l for the beat, then `s` or `k`, `+`, `^` and `/` with an amplitude up to 100 if needed, such as `00ds+^/2`; in SBaGenX's dialect also a sign, `N`, a fraction, `@` or `M`, and `:S=`, or `:l=` and `:h=` of a sigmoid
        """#
    ),
    (
        "-p drop t30 00d",
        #"""
        a.sbg:1:9: found `t30`
            -p drop t30 00d
                    ^
          expected the minutes of the drop, of the time at its end and of the return, such as `t30,30,3`, at most 23 hours in all
        """#
    ),
    (
        "-p slide t1400 200+10/1",
        #"""
        a.sbg:1:10: found `t1400`
            -p slide t1400 200+10/1
                     ^
          expected minutes, such as `t60`, at most 23 hours
        """#
    ),
    (
        "-p slide pink/10",
        #"""
        a.sbg:1:10: found `pink/10`
            -p slide pink/10
                     ^
          expected a tone, such as `200+10/1`
        """#
    ),
    (
        "-p slide 200+10/1\na: -\nNOW a\n",
        #"""
        a.sbg:3:1: a time follows `-p`
            NOW a
            ^
          `-p` plays only what is on its line: remove it, or the times
        """#
    ),
    (
        "-q 0.5\na: -\nNOW a\n",
        #"""
        a.sbg:1:4: `-q` is followed by `0.5`
            -q 0.5
               ^
          expected a speed from 1 to 1000 times
        """#
    ),
    (
        "-c 80:1\na: -\nNOW a\n",
        #"""
        a.sbg:1:4: `-c` is followed by `80:1`
            -c 80:1
               ^
          expected frequencies with the factors of their amplitudes, such as 80=1,40=2,20=6
        """#
    ),
    (
        "-i 200+10/20\na: -\nNOW a\n",
        #"""
        a.sbg:3:1: a time follows `-i`
            NOW a
            ^
          `-i` plays only what is on its line: remove it, or the times
        """#
    ),
    (
        "-SE\na: pink/20\nNOW a\nNOW a\n",
        #"""
        a.sbg:4:1: it ends (`-E`) where it starts
            NOW a
            ^
          add a later time, or remove `-E`
        """#
    ),
    (
        "a:\nNOW a\n",
        #"""
        a.sbg:1:1: `a` has no voices
            a:
            ^
          expected some, such as `200+10/20 pink/30`; `-` is silence
        """#
    ),
    (
        "a: - - - - - - - - - - - - - - - - -\nNOW a\n",
        #"""
        a.sbg:1:36: the tone-set has 17 voices
            a: - - - - - - - - - - - - - - - - -
                                               ^
          expected at most 16
        """#
    ),
    (
        "a+b: -\na: -\nNOW a\n",
        #"""
        a.sbg:1:1: `a+b` is not a valid name
            a+b: -
            ^
          expected a letter, then letters, digits, `_` and `-`
        """#
    ),
    (
        "a: wave01:200+10/20\nNOW a\n",
        #"""
        a.sbg:1:4: no wave with that number is defined above
            a: wave01:200+10/20
               ^
          define it, such as `wave01: 0 1 0 -1`
        """#
    ),
    (
        "wave01: 0 x\nwave02: 1\na: -\nNOW a\n",
        #"""
        a.sbg:1:11: found `x`
            wave01: 0 x
                      ^
          expected a number: one sample of the wave
        a.sbg:2:1: the wave has one sample
            wave02: 1
            ^
          expected at least two
        """#
    ),
    (
        "a: -\nb: {\n+0:00 a\nNOW a\n",
        #"""
        a.sbg:2:1: the block `b` is not closed
            b: {
            ^
          close it with a line that contains only `}`
        a.sbg:4:1: found `NOW` in a block
            NOW a
            ^
          expected a time relative to where the block is called, such as `+0:10`
        """#
    ),
    (
        "a: -\nb: {\n}\nNOW a\n}\n",
        #"""
        a.sbg:2:1: the block `b` is empty
            b: {
            ^
          expected lines such as `+0:10 name`
        a.sbg:5:1: `}` does not close any block
            }
            ^
          a block starts with `name: {`
        """#
    ),
    (
        "a: -\nb: {\n+0:00 a\nc: -\n}\nNOW b ->\n",
        #"""
        a.sbg:4:1: there is a definition inside a block
            c: -
            ^
          close the block first; blocks can call each other by name
        a.sbg:6:7: `->` follows the block `b`
            NOW b ->
                  ^
          only tone-sets slide: put `->` after the last one in the block
        """#
    ),
]

@Suite("Faults of sequences") struct SequenceFaultTests {
    @Test("every fault of a sequence has exactly this message", arguments: table.indices)
    func words(index: Int) {
        let (text, message) = table[index]
        #expect(Self.answer(text) == message)
    }

    static func answer(_ text: String) -> String {
        do throws(Diagnostics) {
            _ = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg")
            return "no fault"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "a character of typeset text, a decimal comma, a unit, AM and PM, and lone carriage returns are named with what to do",
        arguments: [
            ("a: 200\u{2013}10/20\nNOW a\n", "1:7", "write a plain `-` in place of `\u{2013}`"),
            ("\u{2212}SE\na: -\nNOW a\n", "1:1", "write a plain `-` in place of `\u{2212}`"),
            ("a: \u{201C}200+10/20\u{201D}\nNOW a\n", "1:4", "remove the quotation mark `\u{201C}`"),
            ("a: 200+10/20\u{201D}\nNOW a\n", "1:13", "remove the quotation mark `\u{201D}`"),
            ("a: \"200+10/20\"\nNOW a\n", "1:4", "remove the quotation mark `\"`"),
            ("a: -\nNOW \u{2018}a\u{2019}\n", "2:5", "remove the quotation mark `\u{2018}`"),
            ("a:\u{A0}200+10/20\nNOW a\n", "1:3", "write a plain space in place of the character U+00A0"),
            ("a: -\n10:00\u{A0}a\n", "2:6", "write a plain space in place of the character U+00A0"),
            ("a: 200\u{200B}+10/20\nNOW a\n", "1:7", "remove the invisible character U+200B"),
            ("a: -\nNOW a \u{2192}\n", "2:7", "write `->` in place of `\u{2192}`"),
            ("a: -\nNOW a -\u{203A}\n", "2:7", "write `->` in place of `-\u{203A}`"),
            ("a: -\nNOW a \u{2013}>\n", "2:7", "write `->` in place of `\u{2013}>`"),
            ("-T 22\u{2013}30\na: -\nNOW a\n", "1:4", "write a plain `-` in place of `\u{2013}`"),
            ("a: 200,5+10/20\nNOW a\n", "1:7", "write decimals with a point, such as `200.5`"),
            ("a: 200+4,5/20\nNOW a\n", "1:9", "write decimals with a point, such as `200.5`"),
            ("a: pink/20,5\nNOW a\n", "1:11", "write decimals with a point, such as `200.5`"),
            ("a: 200Hz+10/20\nNOW a\n", "1:7", "write the number alone, without a unit"),
            ("a: 200+10Hz/20\nNOW a\n", "1:10", "write the number alone, without a unit"),
            ("a: -\n10:00 PM a\n", "2:7", "the day has 24 hours: write `22:00`"),
            ("a: -\n12:30 a.m. a\n", "2:7", "the day has 24 hours: write `00:30`"),
            ("a: -\n9:15pm a\n", "2:1", "the day has 24 hours: write `21:15`"),
            ("a: -\n13:00 pm a\n", "2:7", "the day has 24 hours: write h:mm from 0:00 to 24:00"),
        ])
    func remedies(text: String, place: String, remedy: String) {
        let answer = Self.answer(text)
        #expect(answer.hasPrefix("a.sbg:\(place): found") || answer.hasPrefix("a.sbg:\(place): `"), "\(answer)")
        #expect(answer.contains("\n  \(remedy)\n") || answer.hasSuffix("\n  \(remedy)"), "\(answer)")
    }

    @Test("a second arrow is surplus, not a damaged one")
    func secondArrow() { #expect(Self.answer("a: -\nNOW a -> ->\n").hasSuffix("\n  expected the end of the line")) }

    @Test("a definition that could not be read is not missing as well", arguments: ["a:\u{A0}200+10/20", "a:200+10/20"])
    func unreadDefinition(line: String) { #expect(!Self.answer(line + "\nNOW a\n").contains("not defined")) }

    @Test("lines that end with a carriage return alone are named; a tone-set may be called pm")
    func carriageReturns() {
        #expect(
            Self.answer("a: pink/5\rNOW a\r")
                == "a.sbg: the lines end with a carriage return (CR) alone\n  save the file with the line ends of Linux (LF) or Windows (CR LF)"
        )
        #expect(Self.answer("-i pink/5\r") == "no fault")
        #expect(Self.answer("pm: pink/5\n10:00 pm\n") == "no fault")
    }

    @Test("a fault that many tone-sets share is reported once, with the lines of the others")
    func shared() {
        let sets = (1...9).map { "a\($0): wave07:200+10/20\n" }.joined() + "NOW a1\n"
        #expect(
            Self.answer(sets).hasPrefix("a.sbg:1:5: no wave with that number is defined above (also in lines 2, 3, 4, 5, 6 and 3 more)\n"))
        #expect(Self.answer(sets).components(separatedBy: "a.sbg:").count == 2)
        #expect(Self.answer("a: pnk/1\nb: pnk/1\nNOW a\n").hasPrefix("a.sbg:1:4: found `pnk/1` (also in line 2)\n"))
        #expect(Self.answer("a: pnk/1\nb: pnk/1\nc: pnk/1\nNOW a\n").hasPrefix("a.sbg:1:4: found `pnk/1` (also in lines 2 and 3)\n"))
    }

    @Test("lines of SBaGenX have messages of their own")
    func freerLines() {
        let block = "k: {\n+0:00 -\n}\n"
        #expect(Self.answer(block + "a: 200/1 k\nNOW a\n").hasPrefix("a.sbg:4:10: `k` is a block\n"))
        #expect(Self.answer(block + "NOW k 200/1\n").hasPrefix("a.sbg:4:7: found `200/1` after the name\n"))
        #expect(Self.answer(block + "NOW 200/1 k\n").hasPrefix("a.sbg:4:11: found `k` after the name\n"))
        #expect(Self.answer("NOW 200/1 b\n").hasPrefix("a.sbg:1:11: found `b` after the name\n"))
        #expect(Self.answer("NOW 200/1 pnk/3\n").hasPrefix("a.sbg:1:11: found `pnk/3`\n"))
        #expect(Self.answer("a: 200/1\nNOW a -> pink/3\n").hasPrefix("a.sbg:2:10: found `pink/3` after `->`\n"))
        #expect(Self.answer("NOW step\n").hasPrefix("a.sbg:1:5: `step` is not defined above\n"))
        // Within a line each has its place.
        #expect(Self.answer("a: pnk/1 pnk/1\nNOW a\n").components(separatedBy: "a.sbg:").count == 3)
        #expect(Self.answer("a: -\nNOW == -> a\n") == "no fault")
        let many = "a: " + String(repeating: "200/1 ", count: 9) + "\n"
        #expect(Self.answer(many + "NOW a a\n").hasPrefix("a.sbg:2:5: the tone-set has 18 voices\n"))
        let sets = String(repeating: " a", count: 15)
        let sixteen = "a: " + String(repeating: "200/1 ", count: 16) + "\n"
        #expect(Self.answer("-i" + String(repeating: " 200/1", count: 17) + "\n").hasPrefix("a.sbg:1:100: the tone-set has 17 voices\n"))
        #expect(Self.answer("-p drop 00ds" + String(repeating: " 200/1", count: 16) + "\n").contains("the tone-set has 17 voices\n"))
        #expect(Self.answer(sixteen + "NOW" + sets + sets + "\n").contains("the tone-set has 30 voices\n"))
        #expect(Self.answer(many + "b: a a\nNOW b\n").hasPrefix("a.sbg:2:4: the tone-set has 18 voices\n"))
    }

    @Test(
        "of a line with 100,000 mistakes only the first ones are reported, since each has a copy of its line",
        arguments: [
            "NOW bell+1/101 ", "NOW 1/x ", "-p drop 00ds bell+1/101 ", "-i 1/x ", "wave00: x ", "a: mix/1 bell+1/101 1/x ",
        ])
    func longLines(start: String) {
        let words = start.split(separator: " ").last.map { " \($0)" } ?? ""
        let text = start + String(repeating: words, count: 100_000) + "\n"
        let answer = Self.answer(String(text.prefix(900_000)) + "\n")
        #expect((2...20).contains(answer.components(separatedBy: "a.sbg:").count), "\(answer.prefix(300))")
    }

    @Test("old encodings are read, since only comments contain their letters")
    func latin() throws {
        let bytes = Array("## Gr".utf8) + [0xFC] + Array("n\r\na: 200+10/20\r\nNOW a\r\n".utf8)
        #expect(try SBaGenSequence.parse(bytes: bytes, file: "a.sbg").description == ["Grün"])
    }

    @Test(
        "every truncation of a file is a sequence, or faults with a place, and takes at most 16 times as long as the whole",
        arguments: ["whole-grammar.sbg", "lexical.sbg", "option-p-drop.sbg", "../Shapes/shapes.sbg"])
    func truncated(name: String) throws {
        let bytes = try SequenceFixture(name).bytes
        func time(_ count: Int) -> Duration {
            let begin = processorTime()
            do throws(Diagnostics) {
                _ = try SBaGenSequence.parse(bytes: Array(bytes[..<count]), file: name).patch().yaml
            } catch {
                #expect(!error.all.isEmpty)
                #expect(error.all.allSatisfy { !"\($0)".isEmpty })
            }
            return processorTime() - begin
        }
        let whole = (0..<5).map { _ in time(bytes.count) }.min()!
        for count in 0...bytes.count {
            // The best of a few rounds: a single one may include an interrupt.
            #expect((0..<5).contains { _ in time(count) < whole * 16 }, "the first \(count) bytes")
        }
    }

    @Test("a sequence that needs more layers than a patch may have is refused")
    func layers() {
        let lines = (0..<1300).map { number in
            "custom00: \(number + 1) 1\na: custom00:200@4/20\n" + "\(number / 60):\(number % 60) a\n"
        }
        #expect(Self.answer(lines.joined()).contains("needs more than 1024 layers"), "\(Self.answer(lines.joined()).prefix(300))")
    }

    @Test("blocks that call each other many times are refused")
    func explosion() {
        var text = "a: -\nb0: {\n+0:00 a\n+0:01 a\n}\n"
        for level in 1...40 { text += "b\(level): {\n+0:00 b\(level - 1)\n+0:01 b\(level - 1)\n}\n" }
        let answer = Self.answer(text + "NOW b40\n")
        #expect(answer.contains("there are more than 4096 lines with times"))
    }

    @Test("a file of another kind is refused unread")
    func size() {
        #expect(Self.answer(String(repeating: "#", count: 1 << 20 | 1)).contains("the file has more than 1048576 bytes"))
    }
}
