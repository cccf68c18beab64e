import Engine
import Foundation
import PatchFiles
import Patches
import TestSupport
import Testing

/// Every shipped patch sounds as it did when its hash was recorded, on both kernels, in debug and in release builds.
@Suite("Golden samples of the shipped patches")
struct ShippedGoldenTests {
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: PackageRoot.file("patches"))) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    private func plan(_ name: String) throws -> Plan {
        let path = PackageRoot.file("patches/\(name).yaml")
        let patch = try Patch.parse(bytes: Array(Data(contentsOf: URL(filePath: path))), file: path)
        return PlanCompiler.compile(patch, sampleRate: 48_000)
    }

    /// The start, the first second and the middle of what each chapter does, and the end; half a second each.
    private func windows(_ name: String) throws -> [Int64] {
        let path = PackageRoot.file("patches/\(name).yaml")
        let patch = try Patch.parse(bytes: Array(Data(contentsOf: URL(filePath: path))), file: path)
        let chapters = patch.chapters.flatMap { [$0.start, $0.start + ($0.over ?? 0) / 2] }
        let end = patch.duration.map { [$0 - 0.5] } ?? []
        return ([0] + chapters + end).map { Int64($0 * 48_000) }
    }

    @Test("Each patch sounds as it always did, bit for bit, and has golden samples", arguments: names)
    func hashes(name: String) throws {
        let plan = try plan(name)
        for kernel in Kernel.available {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for start in try windows(name) { render(plan, from: start, count: 24_000, kernel: kernel).hash(into: &hash) }
            let key = "\(name) \(kernel)"
            #expect(Self.golden[key] == hash, "\"\(key)\": \(hash),")
        }
    }

    @Test(
        "Both kernels differ by less than -135 dB of the patch's own level",
        .enabled(if: Kernel.avx2.isAvailable, "this processor has no AVX2"), arguments: names)
    func kernels(name: String) throws {
        let plan = try plan(name)
        var (loudest, worst) = (0.0, 0.0)
        for start in try windows(name) {
            let a = render(plan, from: start, count: 24_000, kernel: .baseline)
            let b = render(plan, from: start, count: 24_000, kernel: .avx2)
            for (x, y) in [(a.left, b.left), (a.right, b.right)] {
                worst = max(worst, zip(x, y).reduce(0.0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) })
                loudest = max(loudest, x.reduce(0.0) { $0 + Double($1) * Double($1) })
            }
        }
        #expect(worst <= loudest * 3.2e-14)
    }

    @Test("The release program writes exactly the samples that are rendered here", arguments: names)
    func release(name: String) async throws {
        let plan = try plan(name)
        let isolated = try IsolatedEnvironment()
        defer { withExtendedLifetime(isolated) {} }
        // In the middle of what the last chapter does, or at the start.
        let start = try windows(name).dropLast().last ?? 0
        let from = Double(start) / 48_000
        for kernel in Kernel.available {
            let run = try await RunningProgram.run(
                try PackageRoot.program(),
                [
                    "render", PackageRoot.file("patches/\(name).yaml"), "-o", "x.wav", "--from", "\(from)", "--to", "\(from + 0.5)",
                    "--depth", "32f", "--kernel", "\(kernel)", "--ceiling", "0",
                ], environment: isolated.variables, folder: isolated.folder.path)
            try #require(run.exit == .code(0), "\(run.errors)")
            let wave = try WaveFile(contentsOf: isolated.folder.file("x.wav"))
            let samples = render(plan, from: start, count: 24_000, kernel: kernel)
            #expect(wave.channels[0] == samples.left.map(Double.init))
            #expect(wave.channels[1] == samples.right.map(Double.init))
        }
    }

    private static let golden: [String: UInt64] = [
        "brown-noise avx2": 13_008_473_206_166_106_931,
        "brown-noise baseline": 7_208_629_381_041_713_184,
        "carousel avx2": 267_150_361_261_880_605,
        "carousel baseline": 15_872_077_146_379_001_105,
        "deep-alpha avx2": 2_793_145_596_818_888_732,
        "deep-alpha baseline": 16_972_628_189_019_975_300,
        "delta-night avx2": 960_914_166_659_989_285,
        "delta-night baseline": 7_974_927_187_455_880_462,
        "evening-bells avx2": 17_614_342_248_681_629_493,
        "evening-bells baseline": 3_422_556_229_439_358_640,
        "fan avx2": 4_084_699_338_542_778_977,
        "fan baseline": 13_486_261_747_276_092_916,
        "gamma-40 avx2": 12_807_369_891_747_444_765,
        "gamma-40 baseline": 10_740_968_109_247_770_299,
        "gamma-air avx2": 6_232_859_437_220_562_434,
        "gamma-air baseline": 7_930_794_832_775_279_075,
        "harmonic-box avx2": 14_632_886_195_566_805_590,
        "harmonic-box baseline": 15_702_656_581_957_196_755,
        "headphones avx2": 4424242249599702840,
        "headphones baseline": 14791659365261655541,
        "heartbeat avx2": 18_304_378_105_556_583_924,
        "heartbeat baseline": 1_758_245_157_174_428_739,
        "high-mask avx2": 14_036_338_972_224_311_877,
        "high-mask baseline": 1_624_469_762_213_116_468,
        "isochronic-focus avx2": 12_222_116_851_406_388_163,
        "isochronic-focus baseline": 2_654_235_127_344_172_602,
        "keys avx2": 9_009_315_844_084_718_415,
        "keys baseline": 3_263_394_844_985_832_893,
        "meditation avx2": 4_885_348_541_539_821_052,
        "meditation baseline": 3_628_149_893_009_427_050,
        "monaural-alpha avx2": 7_979_222_672_780_710_851,
        "monaural-alpha baseline": 765_585_798_771_577_859,
        "morning-rise avx2": 2_126_982_061_895_208_615,
        "morning-rise baseline": 10_839_591_622_328_329_683,
        "music-alpha avx2": 8_720_963_537_501_171_452,
        "music-alpha baseline": 9_156_904_887_869_626_649,
        "music-drift avx2": 12_550_138_873_268_528_309,
        "music-drift baseline": 12_460_060_009_390_714_774,
        "night-wash avx2": 14_298_059_508_133_689_356,
        "night-wash baseline": 11_193_292_410_251_244_195,
        "noise-alpha avx2": 10_480_290_673_179_681_222,
        "noise-alpha baseline": 14_984_512_268_913_206_721,
        "pomodoro avx2": 17_096_528_887_807_505_390,
        "pomodoro baseline": 6_587_620_696_650_791_014,
        "power-nap avx2": 13241936527010343409,
        "power-nap baseline": 5938140333042067911,
        "rain avx2": 6_103_287_336_805_883_952,
        "rain baseline": 9_043_795_780_939_421_488,
        "reference-432 avx2": 818_483_185_626_155_305,
        "reference-432 baseline": 5_799_260_873_966_755_613,
        "reference-440 avx2": 1_563_496_469_808_107_515,
        "reference-440 baseline": 4_671_624_920_684_444_797,
        "schumann avx2": 18_419_215_703_348_325_734,
        "schumann baseline": 6_770_327_382_917_438_037,
        "side-to-side avx2": 4_234_252_602_260_957_168,
        "side-to-side baseline": 12_298_016_949_043_633_319,
        "sleep-descent avx2": 3_163_217_697_728_925_326,
        "sleep-descent baseline": 9_507_230_292_784_381_465,
        "smr-calm-focus avx2": 4_335_406_405_236_509_072,
        "smr-calm-focus baseline": 14_223_442_237_137_608_037,
        "surf avx2": 12_318_008_146_228_117_118,
        "surf baseline": 7_674_555_306_839_144_516,
        "theta-drift avx2": 10_098_359_245_179_529_864,
        "theta-drift baseline": 5_378_068_123_465_579_973,
        "theta-wash avx2": 11_542_045_856_047_752_291,
        "theta-wash baseline": 6_228_361_062_570_037_911,
        "turning-wind avx2": 10_865_984_753_478_201_556,
        "turning-wind baseline": 2_661_749_002_016_097_591,
        "waterfall avx2": 9_264_317_656_335_042_506,
        "waterfall baseline": 8_995_326_825_585_601_589,
        "welcome avx2": 1_102_433_221_387_790_093,
        "welcome baseline": 3_803_416_514_374_591_585,
    ]
}

extension Samples {
    /// FNV-1a over the bit patterns, left and right in turn.
    func hash(into hash: inout UInt64) {
        GoldenPatches.hash(left, right, into: &hash)
    }
}
