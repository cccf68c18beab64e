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
        "brown-noise avx2": 5_484_850_714_647_532_535,
        "brown-noise baseline": 10_944_748_736_364_384_706,
        "deep-alpha avx2": 1_889_117_311_565_047_326,
        "deep-alpha baseline": 5_419_330_621_202_353_818,
        "delta-night avx2": 11_823_360_197_098_324_495,
        "delta-night baseline": 17_711_579_622_425_904_222,
        "evening-bells avx2": 10_251_299_168_521_909_391,
        "evening-bells baseline": 15_584_223_165_146_848_336,
        "gamma-40 avx2": 6_238_710_552_050_684_496,
        "gamma-40 baseline": 13_224_406_906_671_241_840,
        "harmonic-box avx2": 18_059_412_104_111_203_822,
        "harmonic-box baseline": 2_432_275_265_676_377_614,
        "headphones avx2": 487_773_061_312_251_771,
        "headphones baseline": 10_471_342_959_171_682_007,
        "isochronic-focus avx2": 1_737_480_641_263_570_918,
        "isochronic-focus baseline": 8_842_397_462_019_286_816,
        "keys avx2": 9_009_315_844_084_718_415,
        "keys baseline": 3_263_394_844_985_832_893,
        "meditation avx2": 2_898_914_322_180_047_298,
        "meditation baseline": 13_464_357_137_620_547_448,
        "monaural-alpha avx2": 7_979_222_672_780_710_851,
        "monaural-alpha baseline": 765_585_798_771_577_859,
        "morning-rise avx2": 2_126_982_061_895_208_615,
        "morning-rise baseline": 10_839_591_622_328_329_683,
        "pomodoro avx2": 17_889_717_435_945_325_833,
        "pomodoro baseline": 10_565_954_896_166_095_925,
        "power-nap avx2": 8_774_992_601_102_076_266,
        "power-nap baseline": 16_042_688_188_226_181_439,
        "rain avx2": 15_423_358_320_452_850_510,
        "rain baseline": 14_474_133_640_010_309_875,
        "reference-432 avx2": 818_483_185_626_155_305,
        "reference-432 baseline": 5_799_260_873_966_755_613,
        "reference-440 avx2": 1_563_496_469_808_107_515,
        "reference-440 baseline": 4_671_624_920_684_444_797,
        "schumann avx2": 18_419_215_703_348_325_734,
        "schumann baseline": 6_770_327_382_917_438_037,
        "side-to-side avx2": 13_488_808_265_098_389_274,
        "side-to-side baseline": 7_607_951_433_469_080_615,
        "sleep-descent avx2": 13_275_291_940_111_351_245,
        "sleep-descent baseline": 13_195_865_031_764_884_607,
        "smr-calm-focus avx2": 10_649_385_541_996_781_840,
        "smr-calm-focus baseline": 2_446_846_620_374_290_767,
        "theta-drift avx2": 7_810_270_826_771_518_507,
        "theta-drift baseline": 18_443_482_734_498_274_408,
        "turning-wind avx2": 3_641_241_517_046_846_454,
        "turning-wind baseline": 9_005_060_637_802_642_664,
        "waterfall avx2": 10_438_545_029_089_733_494,
        "waterfall baseline": 5_429_805_235_295_531_419,
        "welcome avx2": 9_428_319_022_897_259_452,
        "welcome baseline": 6_317_275_744_138_675_455,
    ]
}

extension Samples {
    /// FNV-1a over the bit patterns, left and right in turn.
    func hash(into hash: inout UInt64) {
        GoldenPatches.hash(left, right, into: &hash)
    }
}
