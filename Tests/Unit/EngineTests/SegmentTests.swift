import Foundation
import Patches
import TestSupport
import Testing

@testable import Engine

@Suite("Files that are played in segments")
struct SegmentTests {
    private static let chunk = Int64(SoundStream.chunkLength)
    /// Segments of 0.5 to 1.25 s from seconds 2 to 8.
    private static let river = SoundSegments(lengths: 0.5...1.25, crossfade: 0.1, start: 2, end: 8)

    private static func course(_ segments: SoundSegments, seed: UInt64 = 3, frames: Int64 = 480_000, sampleRate: Double = 48_000)
        -> SegmentSchedule
    {
        SegmentSchedule(segments, seedKey: seed, frameCount: frames, sampleRate: sampleRate)
    }

    private static func sound(_ segments: SoundSegments, seed: UInt64 = 3, of sound: any SoundReader = NumberedSound(frames: 480_000))
        -> SegmentedSound
    {
        SegmentedSound(sound, course(segments, seed: seed, frames: sound.frameCount))
    }

    private static func read(_ sound: SegmentedSound, chunk number: Int64, count: Int = SoundStream.chunkLength) throws -> Samples {
        var samples = Samples(left: .init(repeating: .nan, count: count), right: .init(repeating: .nan, count: count))
        try samples.left.withUnsafeMutableBufferPointer { left in
            try samples.right.withUnsafeMutableBufferPointer { right in
                try sound.read(from: number * chunk, left: left.baseAddress!, right: right.baseAddress!, count: count)
            }
        }
        return samples
    }

    private static func read(_ sound: SegmentedSound, chunks: Int64) throws -> Samples {
        try (0..<chunks).reduce(into: Samples(left: [], right: [])) { whole, number in
            let part = try read(sound, chunk: number)
            whole.left += part.left
            whole.right += part.right
        }
    }

    // MARK: Course

    private static let courses: [SoundSegments] = [
        river, SoundSegments(lengths: 4...12, crossfade: 0.2), SoundSegments(lengths: 0.1...0.1, crossfade: 0.05), SoundSegments(),
        SoundSegments(lengths: 0.1...9, crossfade: 0.02, start: 1), SoundSegments(lengths: 30...40, crossfade: 5),
        SoundSegments(crossfade: 0.7, start: 4.99, end: 6.001), SoundSegments(lengths: 3...3, crossfade: 1.5, start: 3, playsIntro: true),
    ]

    @Test("No segment leaves the section, all have a length that is asked for, and each begins where the one before fades out")
    func course() throws {
        for (index, segments) in Self.courses.enumerated() {
            for sampleRate in [44_100.0, 48_000, 47_999] {
                let frames = Int64(10 * sampleRate)
                let course = Self.course(segments, frames: frames, sampleRate: sampleRate)
                let section = Int64(segments.start * sampleRate)...min(frames, Int64((segments.end ?? 10) * sampleRate) + 1)
                let longest = min((segments.lengths?.upperBound ?? 10) * sampleRate + 1, Double(course.section.count))
                let shortest = min((segments.lengths?.lowerBound ?? 10) * sampleRate - 1, Double(course.section.count))
                let found = course.segments(in: 0..<Int64(3600 * sampleRate)).dropFirst(segments.playsIntro ? 1 : 0)
                #expect(found.count > 300, "\(index)")
                for (one, next) in zip(found, found.dropFirst()) {
                    #expect(next.start == one.end - one.fadeOut && next.fadeIn == one.fadeOut, "\(index): \(one), \(next)")
                    #expect(shortest...longest ~= Double(one.length), "\(index): \(one)")
                    #expect(section.contains(one.source) && section.contains(one.source + one.length), "\(index): \(one)")
                    #expect(one.fadeIn + one.fadeOut <= one.length, "\(index): \(one)")
                }
            }
        }
    }

    @Test("Lengths and places fill their ranges, and do not follow from each other")
    func scatter() {
        let found = Self.course(SoundSegments(lengths: 1...5, crossfade: 0.5)).segments(in: 0..<48_000 * 36_000)
        let lengths = found.map { Double($0.length) / 48_000 }
        let places = found.map { Double($0.source) / Double(480_000 - $0.length) }
        #expect(lengths.min()! < 1.2 && lengths.max()! > 4.8 && abs(lengths.reduce(0, +) / Double(lengths.count) - 3) < 0.05)
        #expect(places.min()! < 0.01 && places.max()! > 0.99 && abs(places.reduce(0, +) / Double(places.count) - 0.5) < 0.02)
        let products = zip(places, places.dropFirst()).map { ($0 - 0.5) * ($1 - 0.5) }
        #expect(abs(products.reduce(0, +) / Double(products.count)) < 0.005)
    }

    @Test("Any frame finds the segments that are heard there, without those before it")
    func anyFrame() {
        for (index, segments) in Self.courses.enumerated() {
            var segments = segments
            segments.streams = 2
            let course = Self.course(segments)
            let all = course.segments(in: 0..<48_000 * 600)
            var random = SplitMix64(seed: UInt64(index))
            for _ in 0..<300 {
                let start = Int64.random(in: 0..<48_000 * 599, using: &random)
                let frames = start..<start + Int64.random(in: 1...48_000, using: &random)
                let expected = all.filter { $0.end > frames.lowerBound && $0.start < frames.upperBound }
                #expect(course.segments(in: frames) == expected, "\(index): \(frames)")
            }
        }
    }

    @Test("A file of any length can be played in segments, and no sample is left out")
    func shortFiles() throws {
        for frames in [1, 2, 3, 7, 100, 5000, 8192, 20_000] as [Int64] {
            for streams in [1, 2] {
                let segments = SoundSegments(lengths: 4...12, crossfade: 0.2, streams: streams, start: 0, end: 60)
                let heard = try Self.read(Self.sound(segments, of: Steady(frameCount: frames)), chunks: 3)
                // A crossfade of a sound with itself is louder by up to 3 dB.
                #expect(heard.left.allSatisfy { (0.7...2.001).contains($0) }, "\(frames): \(heard.left.min()!)...\(heard.left.max()!)")
            }
        }
    }

    /// A recording of the number 1.
    private final class Steady: SoundReader {
        let frameCount: Int64

        init(frameCount: Int64) { self.frameCount = frameCount }

        func read(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) {
            for index in 0..<count { (left[index], right[index]) = (1, 1) }
        }
    }

    // MARK: Sound

    @Test("Between crossfades the samples are those of the file, in a crossfade both parts have the power of one")
    func samples() throws {
        let sound = Self.sound(Self.river)
        let heard = try Self.read(sound, chunks: 40)
        let segments = Self.course(Self.river).segments(in: 0..<40 * Self.chunk)
        for segment in segments.dropLast() {
            let plain = segment.start + segment.fadeIn..<segment.end - segment.fadeOut
            let isSame = plain.allSatisfy { frame in
                let sample = NumberedSound.sample(segment.source + frame - segment.start)
                return heard.left[Int(frame)] == sample && heard.right[Int(frame)] == -sample
            }
            #expect(isSame && !plain.isEmpty, "\(segment)")
        }
        let (one, next) = (segments[3], segments[4])
        for frame in next.start..<one.end {
            let (falling, rising) = (one.gain(at: frame - one.start), next.gain(at: frame - next.start))
            #expect(abs(falling * falling + rising * rising - 1) < 1e-6, "\(frame)")
        }
        #expect(one.gain(at: next.start - one.start) == 1 && next.gain(at: 0) == 0)
    }

    @Test("A chunk has the same bits regardless of what was read before it, and of how much of it is read", arguments: [1, 2])
    func pure(streams: Int) throws {
        var segments = Self.river
        (segments.streams, segments.playsIntro) = (streams, true)
        let whole = try Self.read(Self.sound(segments), chunks: 60)
        let other = Self.sound(segments)
        for number in [59, 0, 31, 12, 12, 58, 1, 30, 13] as [Int64] {
            for (sound, count) in [(other, 8192), (Self.sound(segments), 8192), (other, 100), (other, 1)] {
                let part = try Self.read(sound, chunk: number, count: count)
                let frames = Int(number * Self.chunk)..<Int(number * Self.chunk) + count
                let isSame = part.left == Array(whole.left[frames]) && part.right == Array(whole.right[frames])
                #expect(isSame, "chunk \(number), \(count) frames")
            }
        }
        // Eight hours later it takes no longer.
        let late = Int64(8 * 3600 * 48_000) / Self.chunk
        #expect(try Self.read(other, chunk: late) == Self.read(Self.sound(segments), chunk: late))
    }

    @Test("The same seed gives the same sound, another one another sound")
    func seeds() throws {
        let first = try Self.read(Self.sound(Self.river, seed: 1), chunks: 20)
        #expect(try Self.read(Self.sound(Self.river, seed: 1), chunks: 20) == first)
        let other = try Self.read(Self.sound(Self.river, seed: 2), chunks: 20)
        #expect(zip(other.left, first.left).count { $0 == $1 } < 100)
    }

    @Test(
        "The second of two streams is from other places, with left and right exchanged if that is asked for, and both have the power of one"
    )
    func streams() throws {
        var segments = Self.river
        let one = try Self.read(Self.sound(segments, of: Hiss()), chunks: 200)
        segments.streams = 2
        let exchanged = try Self.read(Self.sound(segments, of: Hiss()), chunks: 200)
        segments.exchangesEars = false
        let both = try Self.read(Self.sound(segments, of: Hiss()), chunks: 200)
        // The second stream alone.
        let half = Float(0.5.squareRoot())
        for frame in stride(from: 0, to: one.left.count, by: 101) {
            #expect(abs(both.left[frame] - half * one.left[frame] - (exchanged.right[frame] - half * one.right[frame])) < 1e-6)
            #expect(abs(both.right[frame] - half * one.right[frame] - (exchanged.left[frame] - half * one.left[frame])) < 1e-6)
        }
        func power(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count) }
        for channel in [both.left, both.right, exchanged.left] {
            #expect(abs(10 * log10(power(channel) / power(one.left))) < 0.1)
        }
        let product = zip(one.left, both.left).reduce(0) { $0 + Double($1.0 * ($1.1 - half * $1.0)) } / Double(one.left.count)
        #expect(abs(product) < 0.02 * power(one.left))
    }

    /// White noise of ten seconds, different in each ear.
    private final class Hiss: SoundReader {
        let frameCount: Int64 = 480_000

        func read(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) {
            for index in 0..<count {
                var random = SplitMix64(seed: UInt64(frame) + UInt64(index))
                (left[index], right[index]) = (.random(in: -0.5...0.5, using: &random), .random(in: -0.5...0.5, using: &random))
            }
        }
    }

    @Test("No crossfade clicks, however short, with one stream or two, after an intro")
    func clicks() throws {
        for streams in [1, 2] {
            let segments = SoundSegments(lengths: 0.1...0.4, crossfade: 0.02, streams: streams, start: 0.5, end: 9, playsIntro: true)
            let heard = try Self.read(Self.sound(segments, of: TestSound(SoundName(path: "", loops: true), sampleRate: 48_000)), chunks: 40)
            // Its own start and end fade.
            let edge = 9600
            let faded = heard.left.enumerated().map { index, sample in
                Double(sample) * PortableMath.smootherstep(min(1, Double(min(index, heard.left.count - 1 - index)) / Double(edge)))
            }
            let click = peakAbove(3000, in: faded[...], sampleRate: 48_000)
            #expect(click < -80, "\(streams): \(click) dB")
        }
    }

    @Test("The intro is played once, up to the section, and crossfaded into the segments")
    func intro() throws {
        var segments = Self.river
        segments.playsIntro = true
        segments.streams = 2
        let heard = try Self.read(Self.sound(segments), chunks: 40)
        #expect((0..<96_000 - 4800).allSatisfy { heard.left[$0] == NumberedSound.sample(Int64($0)) })
        let later = Self.course(segments).segments(in: 96_000..<40 * Self.chunk)
        #expect(later.allSatisfy { $0.source >= 96_000 && $0.source + $0.length <= 384_000 })
        // An intro that is shorter than the crossfade fades for as long as it lasts.
        let short = Self.course(SoundSegments(lengths: 3...3, crossfade: 1.5, start: 0.5, playsIntro: true)).segments(in: 0..<100)
        #expect(short.map(\.fadeOut).first == 24_000 && short.count == 2 && short[1].fadeIn == 24_000 && short[1].start == 0)
    }

    // MARK: Engine

    private static func patch(_ segments: SoundSegments, seed: UInt64? = 3) -> Patch {
        var patch = TestSound.patch([.gain: -12, .pan: 0.2])
        patch.layers[0].segments = segments
        patch.layers[0].seed = seed
        return patch
    }

    @Test("Any blocks, any start and live playback give the samples of the whole, also with bands and a beat", arguments: [false, true])
    func oneSound(hasEffects: Bool) throws {
        var segments = Self.river
        segments.streams = 2
        var patch = Self.patch(segments)
        if hasEffects {
            patch.layers[0].effects = [.shift]
            patch.layers[0].bands = [100...900]
        }
        let plan = PlanCompiler.compile(patch, sampleRate: 48_000)
        let whole = render(plan, count: 60_000)
        for blocks in [[7, 300, 64], [256], [8192], [30_000]] {
            let isSame = render(plan, count: 60_000, blocks: blocks) == whole
            #expect(isSame, "\(blocks)")
        }
        for start in [1, 8191, 16_000, 40_001] {
            let part = render(plan, from: Int64(start), count: 12_000, blocks: [64])
            let isSame = part == Samples(left: Array(whole.left[start..<start + 12_000]), right: Array(whole.right[start..<start + 12_000]))
            #expect(isSame, "from \(start)")
        }
        let engine = TestEngine(cycle: 256)
        engine.run(1000)
        for position in [0, 24_570] as [Int64] {
            let serial = engine.control.start(engine.compile(patch), at: PlanFrame(position))
            engine.run(20_000)
            let from = Int(try #require(engine.landing(of: serial)).engineFrame) + 960
            let frames = Int(position) + 960..<Int(position) + 15_960
            #expect(Array(engine.left[from..<from + 15_000]) == Array(whole.left[frames]))
            #expect(Array(engine.right[from..<from + 15_000]) == Array(whole.right[frames]))
        }
        #expect(engine.control.takeSoundNotices().isEmpty)
    }

    @Test("Layers with the same file, segments and seed share one decoder; another seed is another sound")
    func shared() {
        func names(_ one: UInt64?, _ other: UInt64?) -> Set<SoundName?> {
            var patch = Self.patch(Self.river, seed: one)
            patch.layers.append(patch.layers[0])
            patch.layers[1].seed = other
            return Set(PlanCompiler.compile(patch, sampleRate: 48_000).layers.map(\.source.sound))
        }
        #expect(names(1, 1).count == 1)
        #expect(names(1, 2).count == 2)
        // Without a seed it is the layer's place in the list.
        #expect(names(nil, nil).count == 2)
        #expect(names(nil, 0).count == 1)
    }

    @Test("A file in segments counts 3 dB more in the sum of the levels, since two of them are heard at once")
    func headroom() {
        #expect(Self.patch(Self.river).layers[0].crest == 2.0.squareRoot())
        #expect(TestSound.patch().layers[0].crest == 1)
    }
}
