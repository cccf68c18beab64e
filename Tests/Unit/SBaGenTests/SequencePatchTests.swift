import Foundation
import PatchFiles
import Patches
import Testing

@testable import SBaGen

@Suite("A sequence as a patch") struct SequencePatchTests {
    private func sequence(_ text: String, now: Int = 0) throws -> SBaGenSequence {
        try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", now: now)
    }

    @Test("time lines become chapters; a move at the same time belongs to the chapter, and any other is a cue")
    func chapters() throws {
        let patch = try sequence("-SE\nlow: 200+4/20\nhigh: 300+8/20\noff: -\nNOW low ->\n+0:10 high\n+0:20 off\n").patch()
        #expect(
            patch.yaml == """
                duration: 20:00
                gains: amplitude
                layers:
                  - name: voice1
                    binaural: {carrier: 200, beat: 4}
                    gain: -19.9795
                chapters:
                  - at: 0:00
                    title: low
                    over: 10:00
                    set: {voice1.carrier: 300, voice1.beat: 8}
                  - {at: 10:00, title: high}
                cues:
                  - at: 19:30
                    over: 0:30
                    set: {voice1.gain: -120}

                """)
    }

    @Test("every file reads back equal from the patch written of it", arguments: SequenceFixture.names + ["../Shapes/shapes.sbg"])
    func roundTrip(name: String) throws {
        let patch = try SequenceFixture(name).sequence.patch()
        #expect(try Patch.parse(patch.yaml, file: name) == patch)
    }

    @Test("a voice that changes its kind has a layer for each, and all pink noise is one source in both ears")
    func layers() throws {
        let patch = try sequence("a: 200+10/40 pink/10\nb: pink/30 200@10/40\n00:00 a\n12:00 b\n").patch()
        #expect(patch.layers.map(\.name) == ["voice1-tone", "voice1-pink", "voice2-pink", "voice2-pulses"])
        #expect(patch.layers.map(\.kind) == [.binaural, .noise, .noise, .isochronic])
        #expect(patch.layers[1].seed == patch.layers[2].seed)
        #expect(patch.layers[1].seed != nil)
        #expect(patch.layers[1].values[.correlation] == 1)
    }

    @Test("voices of more than 100 % are played softer, and a remark says so at the loudest place")
    func scaled() throws {
        let sequence = try sequence("a: 200+10/80 pink/40\nb: 100/100 200/100\nNOW a\n+1:00 b\n")
        #expect(sequence.remarks.map { $0.fault as? SequenceFault } == [.scaled(percent: 200)])
        #expect(sequence.remarks[0].place == .init(line: 4, column: 1))
        let patch = sequence.patch()
        // 80 % of a half, 6 dB below full scale.
        let gain = try #require(patch.value(of: .gain, layer: 0, at: 60, edits: []))
        #expect(abs(Amplitude.ratio(gain) - 0.4 * Amplitude.ratio(-6)) < 1e-5)
        #expect(try self.sequence("a: 200+10/60 pink/40\nNOW a\n").remarks.isEmpty)
    }

    @Test("the harmonics of a square wave need room above its amplitude")
    func crest() throws {
        #expect(try sequence("a: square:200+10/90\nNOW a\n").remarks.map { $0.fault as? SequenceFault } == [.scaled(percent: 90 * 1.18)])
    }

    @Test("a volume is a level of all voices")
    func volume() throws {
        let loud = try sequence("-V 50\na: 200+10/80 pink/40\nNOW a\n")
        #expect(loud.remarks.isEmpty)
        #expect(abs(Amplitude.ratio(loud.patch().layers[0].value(of: .gain)!) - 0.4 * Amplitude.ratio(-6)) < 1e-5)
    }

    /// The level of each ear in percent, for a voice that is alone in its layer.
    private func ears(_ patch: Patch, _ layer: Int, at position: Double) throws -> (left: Double, right: Double) {
        let gain = Amplitude.ratio(try #require(patch.value(of: .gain, layer: layer, at: position, edits: [])) + 6) * 100
        let pan = try #require(patch.value(of: .pan, layer: layer, at: position, edits: []))
        func smootherstep(_ t: Double) -> Double { t <= 0 ? 0 : t * t * t * (t * (6 * t - 15) + 10) }
        return (gain * (1 - smootherstep(pan)), gain * (1 - smootherstep(-pan)))
    }

    @Test("-c makes each ear of a tone louder by its own frequency, linearly between two points, and changes nothing else")
    func headphones() throws {
        let text = "-SE -c 80=1,40=2,30=4,20=6\na: 60/10 200+10/5 pink/5\nb: 45+10/10 10/2 pink/5\n1:00 == a\n2:00 == b\n3:00 == b\n"
        let sequence = try sequence(text)
        #expect(sequence.remarks.map { $0.fault as? SequenceFault } == [.madeForHeadphones])
        let patch = sequence.patch()
        for (layer, position, left, right) in [
            (0, 1800.0, 15.0, 15.0), (1, 1800, 5, 5), (0, 5400, 17.5, 20), (1, 5400, 12, 12), (2, 1800, 1.0826, 1.0826),
            // In the middle of the slide from 60 to 45 + 10 Hz: 55 Hz and 50 Hz.
            (0, 3600, 10 * 1.625, 10 * 1.75),
        ] {
            let ears = try ears(patch, layer, at: position)
            #expect(abs(ears.left - left) < 2e-3, "layer \(layer) at \(position) s: \(ears)")
            #expect(abs(ears.right - right) < 2e-3, "layer \(layer) at \(position) s: \(ears)")
        }
    }

    @Test("where -c leads beyond 100 %, noise, bells and the sound file give way before the tones do")
    func givingWay() throws {
        // Tones of 60 %, noise of 60 %: 40 % are left.
        let patch = try sequence("-SE\n-c 100=1.5,400=1.5\na: 200/40 pink/40 bell+400/20\nb: 200/20 pink/40\n1:00 a\n2:00 b\n3:00 b\n")
            .patch()
        func percent(_ layer: Int, _ position: Double, _ full: Double) -> Double {
            100 * Amplitude.ratio((patch.value(of: .gain, layer: layer, at: position, edits: []) ?? 0) - full)
        }
        #expect(abs(percent(0, 600, -6) - 60) < 0.01)
        #expect(abs(percent(1, 600, -6 - Layer.noisePeak) - 40 * 2 / 3) < 0.01)
        #expect(abs(percent(1, 5400, -6 - Layer.noisePeak) - 40) < 0.01)
        // A sound file that no voice sets gives way from beginning to end.
        let whole = try sequence("-SE\n-c 100=1.5,400=1.5\n-m a.wav\na: 200/40\n1:00 a\n2:00 a\n").patch()
        #expect(abs(100 * Amplitude.ratio(whole.layers[1].values[.gain]! + 6) - 40) < 0.01)
        #expect(abs(100 * Amplitude.ratio(whole.layers[0].values[.gain]! + 6) - 60) < 0.01)
    }

    @Test("voices above 100 % because of -c are played softer, and a remark says so")
    func loudHeadphones() throws {
        #expect(
            try sequence("-c 80=1,40=2\na: 40/60\nNOW a\n").remarks.map { $0.fault as? SequenceFault } == [
                .madeForHeadphones, .scaled(percent: 120),
            ])
    }

    @Test("-q makes the time of the sequence run faster, not its sound: from its first time on, over a day that is as much shorter")
    func fast() throws {
        let patch = try sequence("-q 60\na: 200+4/20 bell+300/5\nb: 300+4/20 bell+300/5\n22:00 a ->\n23:00 b\n").patch(now: 40_000)
        #expect(patch.duration == 1440)
        #expect(patch.loops)
        #expect(patch.clock == nil)
        #expect(patch.chapters.map(\.start) == [0, 60])
        #expect(patch.value(of: .carrier, layer: 0, at: 30, edits: []) == 250)
        #expect(patch.value(of: .beat, layer: 0, at: 30, edits: []) == 4)
        #expect(patch.strikes(ofLayer: 1).contains(60))
        // -L is the length of the sound.
        #expect(try sequence("-q 60 -L 0:02\na: 200+4/20\nb: 300+4/20\n22:00 a ->\n23:00 b\n").patch().duration == 120)
    }

    private func values(_ text: String, _ position: Double) throws -> [Double] {
        let patch = try sequence(text).patch()
        return try [Parameter.carrier, .beat].map { try #require(patch.value(of: $0, layer: 0, at: position, edits: [])) }
    }

    @Test("a sliding drop has a corner a minute, in equal ratios; its carrier falls by 5 Hz over drop and hold, and returns")
    func drop() throws {
        // Position 0 is 5 s before the drop. 30 corners are 1800/29 s apart; a quarter of the ratio is reached at none of them.
        let ratio = pow(0.25, 1 / 29.0)
        let places: [(Double, Double, Double)] = [
            (5, 205, 10), (67, 205 - 62.0 / 720, 10 * ratio), (36, 205 - 31.0 / 720, 5 + 5 * ratio), (1805, 202.5, 2.5),
            (2705, 201.25, 2.5), (3605, 200, 2.5), (3695, 202.5, 6.25), (3785, 205, 10), (3795, 205, 10),
        ]
        for (position, carrier, beat) in places {
            let found = try values("-p drop 00ds+^", position)
            #expect(abs(found[0] - carrier) < 1e-9, "\(position) s: \(found)")
            #expect(abs(found[1] - beat) < 1e-9, "\(position) s: \(found)")
        }
        let patch = try sequence("-p drop 00ds+^/2 pink/30").patch()
        #expect(patch.duration == 3795)
        #expect(!patch.loops)
        #expect(patch.clock == nil)
        #expect(patch.layers.map(\.kind) == [.binaural, .noise])
        #expect(patch.chapters.map(\.title) == ["drop", "hold", "wake"])
        #expect(patch.chapters.map(\.start) == [5, 1805, 3605])
        #expect(abs(Amplitude.ratio(patch.value(of: .gain, layer: 0, at: 1000, edits: [])! + 6) - 0.02) < 1e-6)
        #expect(try sequence("-p drop 00ds+").remarks.isEmpty)
        // One minute has only two corners.
        #expect(try values("-p drop t1,1,1 00ds", 35)[1] == 6.25)
    }

    @Test("a drop in steps has the carrier of each step's end and slides into the next in its last seconds; all steps are whole")
    func dropInSteps() throws {
        // Ten steps of three minutes, the last at the target.
        #expect(try values("-p drop 20.5L", 5) == [163.5, 10])
        #expect(try values("-p drop 20.5L", 174.9) == [163.5, 10])
        let second = 10 * pow(0.03, 1 / 9.0)
        let between = try values("-p drop 20.5L", 180)
        #expect(abs(between[0] - 163.25) < 1e-9)
        #expect(abs(between[1] - (10 + second) / 2) < 1e-9)
        #expect(try values("-p drop 20.5L", 1700) == [159, 0.3])
        // 40 minutes become 42, and 10 become 12.
        #expect(try sequence("-p drop t40,10,5 20f+^/2").patch().duration == Double((42 + 12 + 5) * 60 + 5))
        // Steps of one minute slide in 5 s.
        #expect(try values("-p drop t2,0,0 00ak", 59.9) == [202.5, 10])
        #expect(try values("-p drop t2,0,0 00ak", 62.5) == [201.25, 7.2])
        #expect(try values("-p drop t2,0,0 00ak", 65) == [200, 4.4])
    }

    @Test(
        "the return or the fade behind the last step of a drop begins as much earlier as a step takes to slide",
        arguments: [("", 10.0), ("k", 5.0)])
    func behindSteps(steps: String, slide: Double) throws {
        #expect(try sequence("-p drop t9,6,3 00d\(steps)+/40").patch().duration == 15 * 60 + 15 - slide)
        let patch = try sequence("-p drop t9,6,3 00d\(steps)+^/40").patch()
        #expect(patch.duration == 18 * 60 + 15 - slide)
        let wake = try #require(patch.chapters.first { $0.title == "wake" })
        #expect(wake.start == 5 + 15 * 60 - slide)
        #expect(try values("-p drop t9,6,3 00d\(steps)+^/40", wake.start) == [200, 2.5])
        #expect(try values("-p drop t9,6,3 00d\(steps)+^/40", wake.start + 180) == [205, 10])
        // A continuous drop has no steps.
        #expect(try sequence("-p drop t9,6,3 00ds+^/40").patch().duration == 18 * 60 + 15)
    }

    @Test("-T decides where it starts, also beside -S and -q, in any order")
    func startTime() throws {
        let lines = "a: 200+4/20\nb: 300+4/20\n22:00 a ->\n23:00 b\n"
        for options in ["-T 22:30 -S", "-S -T 22:30", "-ST 22:30", "-T 22:30 -SE", "-T 22:30 -q 60", "-q 60 -S -T 22:30"] {
            let patch = try sequence(options + "\n" + lines).patch()
            #expect(patch.value(of: .carrier, layer: 0, at: 0, edits: []) == 250, "\(options)")
            #expect(patch.clock == nil)
            if options.contains("E") { #expect(patch.duration == 1800) }
        }
        // A generated session has no time of day.
        #expect(try sequence("-T 22:30 -p drop 00ds").patch() == sequence("-p drop 00ds").patch())
    }

    @Test("a single time line that it starts at has no end", arguments: ["-SE", "-E", "-SE -q 9", "-S"])
    func singleLine(options: String) throws {
        for time in ["NOW", "12:00"] {
            let patch = try sequence("\(options)\na: 200+4/20\n\(time) a\n").patch()
            #expect(patch.duration == nil, "\(time)")
            #expect(try sequence("\(options)\na: 200+4/20\n\(time) <> a\n").patch().loops, "\(time)")
        }
        #expect(try sequence("\(options) -i 200+4/20").patch().duration == nil)
        #expect(try sequence("-L 0:10 \(options)\na: 200+4/20\nNOW a\n").patch().duration == 600)
        // Before its time it leads there.
        #expect(try sequence("-T 11:00 -E\na: 200+4/20\n12:00 a\n").patch().duration == 3600)
    }

    @Test("a slide keeps its beat while the carrier falls to half of it, with its sign")
    func slide() throws {
        let patch = try sequence("-p slide 205+10/1 pink/30 bell+300/2").patch()
        #expect(patch.duration == 1815)
        #expect(patch.chapters.map(\.title) == ["slide"])
        for (position, carrier) in [(5.0, 205.0), (905, 105), (1805, 5), (1815, 5)] {
            #expect(abs(patch.value(of: .carrier, layer: 0, at: position, edits: [])! - carrier) < 1e-9)
            #expect(patch.value(of: .beat, layer: 0, at: position, edits: []) == 10)
        }
        #expect(patch.strikes(ofLayer: 2).filter { $0 > 0 } == [5])
        // Towards -5 Hz, as far as a layer goes.
        #expect(try values("-p slide 205-10/1", 905) == [100, -10])
        #expect(try values("-p slide 205-10/1", 1805) == [1, -10])
    }

    @Test("times of day and NOW in one file are combined at the time of loading")
    func mixed() throws {
        let text = "a: pink/10\nb: pink/50\nNOW a\n12:00 b\n"
        let patch = try sequence(text, now: 39_600).patch(now: 39_600)
        #expect(patch.chapters.map(\.start) == [0, 3600])
        #expect(patch.clock == nil)
    }

    @Test("a sequence without a sound is a patch of silence")
    func silence() throws {
        let patch = try sequence("off: -\nNOW off\n").patch()
        try #require(patch.layers.count == 1)
        #expect(patch.layers[0].value(of: .gain) == Parameter.off)
    }

    @Test("messages for the listener are in the comment")
    func description() throws {
        #expect(try sequence("## One.\n# two\n##Three\noff: -\nNOW off\n").patch().details.comment == "One.\nThree")
    }

    @Test("mix loops the file of -m, at the level of its voice; each such voice is a layer")
    func mix() throws {
        let sequence = try sequence("-m rain.wav\na: mix/50 bell+300/20 mix/20\nb: mix/40\n00:00 a\n12:00 b\n")
        #expect(sequence.remarks.isEmpty)
        let patch = sequence.patch()
        #expect(patch.layers.map(\.kind) == [.file, .bell, .file])
        #expect(patch.layers.map(\.name) == ["voice1", "voice2", "voice3"])
        #expect(patch.layers.filter { $0.kind == .file }.allSatisfy { $0.path == "rain.wav" && $0.loops })
        for (position, percent) in [(43_100.0, 50.0), (43_200, 45), (43_300, 40)] {
            let gain = try #require(patch.value(of: .gain, layer: 0, at: position, edits: []))
            #expect(abs(Amplitude.ratio(gain) - percent / 100 * Amplitude.ratio(-6)) < 1e-5)
        }
    }

    @Test("without a mix voice, the file of -m is heard at 100 %, which counts with the voices")
    func wholeMix() throws {
        let sequence = try sequence("-m rain.wav\na: pink/25\nNOW a\n")
        #expect(sequence.remarks.map { $0.fault as? SequenceFault } == [.scaled(percent: 125)])
        let patch = sequence.patch()
        #expect(patch.layers.map(\.name) == ["voice1", "mix"])
        #expect(patch.duration == nil)
        #expect(abs(Amplitude.ratio(patch.layers[1].value(of: .gain)!) - 0.8 * Amplitude.ratio(-6)) < 1e-5)
    }

    @Test("mix without a file is silent, which is reported once, at its first place")
    func mixWithoutFile() throws {
        let sequence = try sequence("a: mix/50 200+10/80\nb: mix/40\nNOW a\n+1:00 b\n")
        #expect(sequence.remarks.map { $0.fault as? SequenceFault } == [.mixWithoutFile])
        #expect(sequence.remarks[0].place == .init(line: 1, column: 4))
        #expect(sequence.patch().layers.map(\.kind) == [.binaural])
    }

    @Test("a bell is struck in the middle of each change to a tone-set with it, at its full level")
    func bells() throws {
        let patch = try sequence("-SE\na: bell+300/50\nb: bell+400/50\noff: -\n1:00 a\n1:10 off\n1:20 b\n1:20:20 == b\n1:30 off\n").patch()
        #expect(patch.layers.map(\.kind) == [.bell])
        #expect(patch.layers[0].values == [.gain: Parameter.off, .carrier: 300])
        // The change at 1:20 takes half a minute before and 20 s behind, that at 1:20:20 half a minute behind.
        #expect(patch.strikes(ofLayer: 0) == [0, 0, 1195, 1235])
        let struck = (patch.chapters + patch.cues).filter { $0.settings.contains { $0.parameter == .gain } }
        #expect(struck.allSatisfy { abs(Amplitude.ratio($0.settings[0].value) - 0.5 * Amplitude.ratio(-6)) < 1e-5 && $0.over == 0.02 })
    }

    /// The peak of the smoothest curve through the samples, by a sum over the harmonics.
    private func peak(_ samples: [Double]) -> Double {
        let count = Double(samples.count)
        var peak = 0.0
        for place in 0..<4096 {
            var sum = 0.0
            for (index, sample) in samples.enumerated() {
                let distance = Double(place) / 4096 * count - Double(index)
                if distance == distance.rounded() {
                    sum += distance == 0 ? sample : 0
                } else {
                    // The periodic sinc of an even number of samples.
                    sum += sample * sin(.pi * distance) / (count * tan(.pi * distance / count))
                }
            }
            peak = max(peak, abs(sum))
        }
        return peak
    }

    @Test("A wave is played backwards in the ear with the lower frequency, and in the left one where there is no beat")
    func wavesBackwards() throws {
        for (voice, ear) in [("200+4/20", Ear.right), ("200-4/20", .left), ("200/20", .left)] {
            let patch = try sequence("wave00: 0 1 0.2 -1\na: wave00:\(voice)\nNOW a\n").patch()
            #expect(patch.layers.map(\.backwards) == [ear])
            #expect(try Patch.parse(patch.yaml, file: "x").layers[0].backwards == ear)
        }
        let slide = try sequence("wave00: 0 1 0.2 -1\na: wave00:200/20\nb: wave00:200-4/20\n1:00 a ->\n2:00 b\n").patch()
        #expect(slide.layers.map(\.backwards) == [.left])
    }

    @Test("a wave is its samples scaled to 0...1, and the same negated; the smooth curve through them peaks at 1; redefined, it is another")
    func waves() throws {
        let text = "wave05: 2 4 3\na: wave05:200+4/20\nwave05: 7 7\nb: wave05:200+4/20\n1:00 a\n2:00 == b\n"
        let patch = try sequence(text).patch()
        #expect(patch.layers.map(\.wave) == [.table, .table])
        #expect(patch.layers.map(\.name) == ["voice1-wave05-2", "voice1-wave05"])
        let expected: [[Double]] = [[1, 1, -1, -1], [0, 1, 0.5, 0, -1, -0.5]]
        for (layer, samples) in zip(patch.layers, expected) {
            let peak = peak(samples)
            #expect(layer.table.count == samples.count)
            for (found, sample) in zip(layer.table, samples) { #expect(abs(found - sample / peak) < 1e-4) }
        }
    }

    @Test("samples of any size make a wave")
    func hugeWaves() throws {
        for samples in ["1e308 -1e308", "0 0", "5e-324 0", "-1e308 -1e307 3"] {
            let patch = try sequence("wave00: \(samples)\na: wave00:200+4/20\nNOW a\n").patch()
            #expect(patch.layers[0].table.allSatisfy { abs($0) <= 1 }, "\(samples)")
            #expect(patch.layers[0].table.contains { abs($0) > 0.5 })
            #expect(throws: Never.self) { try Patch.parse(patch.yaml, file: "a.yaml") }
        }
    }

    @Test("beats beyond those of a layer have a tone in each ear")
    func wideBeats() throws {
        let patch = try sequence("-SE\na: 300+400/20 200+100/10\nb: 300-20/20 200-100/10\n1:00 a ->\n2:00 b\n").patch()
        #expect(patch.layers.map(\.kind) == [.tone, .tone, .binaural])
        #expect(patch.layers.map(\.name) == ["voice1-left", "voice1-right", "voice2"])
        #expect(patch.layers.prefix(2).map { $0.values[.pan] } == [-1, 1])
        #expect(patch.layers.prefix(2).map { $0.values[.carrier] } == [500, 100])
        #expect(patch.value(of: .carrier, layer: 0, at: 3600, edits: []) == 290)
        #expect(patch.value(of: .carrier, layer: 1, at: 3600, edits: []) == 310)
        #expect(patch.layers[0].values[.gain] == patch.layers[1].values[.gain])
        // It passes 0 Hz on its way from below, as near as a layer's lowest carrier of 1 Hz.
        let through = try sequence("-SE\na: 100+300/40\nb: 300+20/40\n1:00 a ->\n2:00 b\n").patch()
        for (position, right) in [(0.0, 50.0), (1800, 120), (2700, 205), (3600, 290)] {
            #expect(abs(through.value(of: .carrier, layer: 1, at: position, edits: [])! - right) < 1)
        }
        #expect(through.value(of: .carrier, layer: 1, at: 3600 * 50 / 340.0, edits: [])! < 1.1)
        // One ear below 0 Hz sounds like one above.
        #expect(try sequence("a: 100+300/20\nNOW a\n").patch().layers.map { $0.values[.carrier] } == [250, 50])
        // Each ear has its own factor of -c.
        let louder = try sequence("-c 100=2,500=1\na: 300+400/20\nNOW a\n").patch()
        let gains = louder.layers.map { Amplitude.ratio($0.values[.gain]!) }
        #expect(abs(gains[1] / gains[0] - 2) < 1e-4)
    }

    @Test("a bell is struck at the start within its time: before a slide in the first line, and behind a short first line")
    func bellsAtTheStart() throws {
        for text in [
            "-SE\na: bell+300/50\nb: 200+10/20\nNOW a ->\n+0:10 b\n+0:20 b\n", "a: bell+300/50\nb: 200+10/20\nNOW a ->\n+0:10 b\n",
            "-SE\na: bell+300/50\nb: 200+10/20\n1:00 a\n1:00:10 b\n1:20 b\n",
        ] {
            let patch = try sequence(text).patch()
            let bell = try #require(patch.layers.firstIndex { $0.kind == .bell })
            let strikes = (patch.chapters + patch.cues).filter { $0.settings.contains { $0.layer == bell && $0.parameter == .gain } }
            #expect(strikes.map(\.start) == [0], "\(text)")
            #expect(strikes.allSatisfy { $0.settings.contains { abs(Amplitude.ratio($0.value) - 0.5 * Amplitude.ratio(-6)) < 1e-5 } })
        }
        // Silence that slides into a bell is followed by its strike alone.
        for start in ["-SE\na: 200/10 -\n", "-SE\na: 200/10\n"] {
            for time in ["0:00", "NOW"] {
                let second = time == "NOW" ? "+0:01" : "0:01"
                let patch = try sequence(start + "b: 200/10 bell+600/20\n\(time) a ->\n\(second) b\n\(second):30 b\n").patch()
                let bell = try #require(patch.layers.firstIndex { $0.kind == .bell })
                let strikes = (patch.chapters + patch.cues).filter { $0.settings.contains { $0.layer == bell && $0.value > Parameter.off } }
                #expect(strikes.map(\.start).first == 60, "\(start), \(time): \(strikes.map(\.start))")
            }
        }
        // A programme that follows the clock strikes at the time of the bell alone.
        let clock = try sequence("a: bell+300/50\nb: 200+10/20\n23:00 a\n1:00 b\n").patch()
        #expect(clock.strikes(ofLayer: 0) == [0, 23 * 3600])
    }

    @Test("bells that are entered at the same time are struck once, as the last of them says")
    func bellsAtOnce() throws {
        let patch = try sequence("-SE\na: 200+10/40\nb: bell+400/30\nc: bell+500/20\n0:00 a ->\n0:01 b\n0:01 a ->\n0:01 c\n0:02 c\n")
            .patch()
        let bell = try #require(patch.layers.firstIndex { $0.kind == .bell })
        #expect(patch.strikes(ofLayer: bell) == [0, 60])
        let settings = (patch.chapters + patch.cues).filter { $0.start == 60 }.flatMap(\.settings).filter {
            $0.layer == bell && $0.parameter == .gain
        }
        #expect(settings.map { Amplitude.ratio($0.value) / Amplitude.ratio(-6) }.allSatisfy { abs($0 - 0.2) < 1e-5 } && settings.count == 1)
        // It can be read again.
        #expect(try Patch.parse(bytes: Array(patch.yaml.utf8), file: "again.yaml").chapters.count == patch.chapters.count)
    }

    @Test("where a sequence spans a whole day, the bell of its first line is struck, not that of its end")
    func wholeDay() throws {
        let patch = try sequence("-SE\na: -\nb: bell+400/30\nc: bell+500/20\n0:00 b ->\n12:00 a ->\n0:00 c ->\n").patch()
        let bell = try #require(patch.layers.firstIndex { $0.kind == .bell })
        #expect(patch.layers[bell].values[.carrier] == 400)
        let gains = (patch.chapters + patch.cues).flatMap(\.settings).filter { $0.layer == bell && $0.parameter == .gain }.map(\.value)
        #expect(patch.chapters.map(\.title) == ["b", "a"])
        #expect(gains.count == 1 && abs(Amplitude.ratio(gains[0]) / Amplitude.ratio(-6) - 0.3) < 1e-5)
    }

    @Test("bells that follow each other within the first 20 ms, at a high speed, make a patch that can be read again")
    func fastBells() throws {
        let patch = try sequence(
            "-SE -q 200\na: bell+300/50\nb: bell+400/50\nc: bell+500/50\n0:00:00 a ->\n0:00:01 b ->\n0:00:02 c ->\n0:10 c\n"
        ).patch()
        let steps = (patch.chapters + patch.cues).filter { $0.start == 0 }.flatMap(\.settings).filter { $0.parameter == .carrier }
        #expect(steps.map(\.value) == [500])
        #expect(try Patch.parse(bytes: Array(patch.yaml.utf8), file: "again.yaml").chapters.count == patch.chapters.count)
    }

    @Test("a bell above 100 % is struck at 100 %, with a remark")
    func loudBells() throws {
        let sequence = try sequence("a: bell+300/120\nb: bell+400/120\nNOW a\n+0:10 b\n")
        #expect(sequence.remarks.map { $0.fault as? SequenceFault } == [.loudBell(percent: 120)])
        #expect(sequence.remarks[0].alsoInLines == [2])
        #expect(sequence.lines.map(\.set.voices[0].amplitude) == [100, 100])
    }

    @Test("a negative width spins to the other side; it changes its sign in silence")
    func negativeSpins() throws {
        let patch = try sequence("-SE\na: spin:-300+2/40 bspin:-100-1/10\nb: spin:100+2/40 bspin:-100-1/10\nNOW a ->\n+0:40 b\n").patch()
        #expect(patch.layers.map { $0.values[.delay] } == [300, 100])
        #expect(patch.layers.map { $0.values[.beat] } == [2, -1])
        for (position, delay, beat) in [(900.0, 150.0, 2.0), (1800, 0, 0), (2100, 50, -2)] {
            #expect(abs(patch.value(of: .delay, layer: 0, at: position, edits: [])! - delay) < 1e-6)
            #expect(patch.value(of: .delay, layer: 0, at: position, edits: []) == 0 || delay > 0)
            if delay > 0 { #expect(patch.value(of: .beat, layer: 0, at: position, edits: []) == beat) }
        }
    }

    @Test("a spin has the given width and color, and the opposite speed: a layer's left ear is late first")
    func spins() throws {
        let patch = try sequence("a: spin:300-2/40 bspin:100+1/10 wspin:50+0/5\nNOW a\n").patch()
        #expect(patch.layers.map(\.kind) == [.spin, .spin, .spin])
        #expect(patch.layers.map(\.spectrum.color) == [.pink, .brown, .white])
        #expect(patch.layers.map { $0.values[.delay] } == [300, 100, 50])
        #expect(patch.layers.map { $0.values[.beat] } == [2, -1, 0])
        #expect(patch.layers[2].values[.beat]?.sign == .plus)
        // It slides, and is written back unchanged.
        let text = "-SE\nset1: spin:300+2/40\nset2: spin:100-3/20\nNOW set1 ->\nNOW+00:10:00 set2\nNOW+00:20:00 set2\n"
        let sliding = try sequence(text).patch()
        #expect(sliding.value(of: .beat, layer: 0, at: 300, edits: []) == 0.5)
        #expect(sliding.value(of: .beat, layer: 0, at: 900, edits: []) == 3)
        let (again, losses, _, _) = sliding.exported()
        #expect(again.contains("spin:300+2/40"), "\(again)")
        #expect(again.contains("spin:100-3/20"), "\(again)")
        #expect(losses.isEmpty, "\(again)")
        #expect(try sequence(again).patch().value(of: .beat, layer: 0, at: 300, edits: []) == 0.5)
    }

    @Test("a clock sets the position at which a patch starts", arguments: [(0.0, 0.0), (79_200, 79_200), (86_399.5, 86_399.5)])
    func clock(timeOfDay: Double, position: Double) {
        var patch = Patch(duration: Patch.day, layers: [Layer(name: "a", kind: .tone)])
        #expect(patch.start(atTimeOfDay: timeOfDay) == 0)
        patch.clock = 0
        #expect(patch.start(atTimeOfDay: timeOfDay) == position)
        patch.clock = 79_200
        #expect(patch.start(atTimeOfDay: timeOfDay) == (position + 7200).truncatingRemainder(dividingBy: Patch.day))
    }

    @Test(
        "a sequence that ends at its last time is written as a patch that starts there, a day before",
        arguments: [("00:05", 300), ("00:22", 1320), ("01:00", 3600), ("12:34:56", 45_296), ("22:00", 79_200)])
    func imported(time: String, seconds: Double) throws {
        let text = "-E\nlow: 200+4/10\nhigh: 200+10/20\n02:00 low\n\(time) high\n"
        let patch = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg").patch()
        #expect(patch.clock == seconds)
        #expect(try Patch.parse(patch.yaml, file: "a.yaml") == patch)
    }
}
