import Engine
import Foundation
import PatchFiles
import Patches
import TestSupport
import Testing

/// Every shipped patch sounds as it did when its hash was recorded, on both kernels.
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

    /// The release program does the same for every patch: `ReleaseTests/ShippedSampleTests`.
    @Test("The program writes exactly the samples that are rendered here", arguments: ["sleep-descent", "firefly"])
    func program(name: String) async throws {
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
        "around avx2": 15_326_686_825_424_718_564,
        "around baseline": 11_799_844_327_418_215_183,
        "brown-noise avx2": 9_441_384_635_307_689_021,
        "brown-noise baseline": 14_190_569_778_806_293_690,
        "carousel avx2": 2_447_430_205_364_319_607,
        "carousel baseline": 7_636_811_634_419_785_526,
        "deep-alpha avx2": 7_208_202_793_079_774_540,
        "deep-alpha baseline": 4_070_292_610_785_953_669,
        "delta-night avx2": 11_164_124_933_484_469_265,
        "delta-night baseline": 3_044_465_854_951_385_217,
        "evening-bells avx2": 8_564_622_554_045_415_288,
        "evening-bells baseline": 3_268_617_903_029_580_254,
        "fan avx2": 16_746_369_263_774_972_857,
        "fan baseline": 11_268_333_169_827_774_753,
        "firefly avx2": 6_655_306_651_603_280_039,
        "firefly baseline": 4_555_883_953_984_667_242,
        "gamma-40 avx2": 17_237_908_604_809_621_416,
        "gamma-40 baseline": 4_455_151_391_699_629_515,
        "gamma-air avx2": 2_476_205_652_849_035_281,
        "gamma-air baseline": 8_497_571_305_456_458_822,
        "harmonic-box avx2": 10_177_547_158_575_277_485,
        "harmonic-box baseline": 5_831_117_883_690_464_378,
        "headphones avx2": 15_519_083_086_598_440_815,
        "headphones baseline": 14_977_128_835_179_764_799,
        "heartbeat avx2": 10_124_366_714_332_636_405,
        "heartbeat baseline": 15_244_889_859_553_248_199,
        "high-mask avx2": 15_714_988_891_987_453_852,
        "high-mask baseline": 7_069_664_225_772_057_315,
        "isochronic-focus avx2": 8_988_111_592_356_410_836,
        "isochronic-focus baseline": 7_480_827_986_127_368_474,
        "keys avx2": 3_758_368_018_878_480_514,
        "keys baseline": 6_625_832_087_008_208_332,
        "low-surge avx2": 9_995_213_006_666_318_328,
        "low-surge baseline": 14_712_779_416_642_043_207,
        "meditation avx2": 3_419_390_460_296_685_158,
        "meditation baseline": 13_928_135_713_246_426_161,
        "monaural-alpha avx2": 16_102_003_415_124_022_885,
        "monaural-alpha baseline": 11_814_733_913_819_275_807,
        "morning-rise avx2": 4_075_359_325_103_674_704,
        "morning-rise baseline": 12_463_101_109_965_314_799,
        "music-alpha avx2": 14_693_454_583_802_307_371,
        "music-alpha baseline": 11_291_017_362_411_050_301,
        "music-drift avx2": 11_837_451_509_258_243_212,
        "music-drift baseline": 7_350_067_701_274_695_898,
        "night-wash avx2": 11_142_641_555_787_585_923,
        "night-wash baseline": 15_024_668_824_569_375_268,
        "noise-alpha avx2": 16_119_635_680_875_913_492,
        "noise-alpha baseline": 12_101_038_418_482_493_014,
        "pomodoro avx2": 13_122_512_059_053_380_616,
        "pomodoro baseline": 2_819_428_922_361_244_803,
        "power-nap avx2": 8_624_682_635_948_924_065,
        "power-nap baseline": 9_439_650_567_551_760_828,
        "rain avx2": 12_702_875_045_217_942_337,
        "rain baseline": 2_391_174_048_850_449_852,
        "rain-pulse avx2": 14_718_050_206_789_422_963,
        "rain-pulse baseline": 180_075_994_656_319_058,
        "reference-432 avx2": 8_203_496_340_522_187_379,
        "reference-432 baseline": 17_231_470_961_924_479_547,
        "reference-440 avx2": 11_778_475_075_440_180_599,
        "reference-440 baseline": 3_162_279_335_305_484_323,
        "schumann avx2": 10_730_178_493_802_122_120,
        "schumann baseline": 8_913_549_297_720_739_726,
        "side-to-side avx2": 13_308_489_104_077_107_710,
        "side-to-side baseline": 8_695_085_340_987_333_046,
        "sleep-descent avx2": 17_198_142_814_776_403_160,
        "sleep-descent baseline": 11_829_552_536_157_124_010,
        "smr-calm-focus avx2": 17_876_208_232_388_319_435,
        "smr-calm-focus baseline": 2_988_301_642_412_508_113,
        "surf avx2": 11_911_848_682_894_842_067,
        "surf baseline": 15_835_622_573_690_150_001,
        "theta-drift avx2": 8_271_338_549_637_378_678,
        "theta-drift baseline": 15_235_784_654_422_328_274,
        "theta-wash avx2": 7_930_571_035_062_182_701,
        "theta-wash baseline": 10_360_599_123_443_330_090,
        "turning-wind avx2": 2_399_852_311_185_106_629,
        "turning-wind baseline": 18_029_528_026_019_711_215,
        "waterfall avx2": 12_786_728_213_340_382_127,
        "waterfall baseline": 8_695_116_274_296_709_590,
        "welcome avx2": 10_756_173_339_408_819_867,
        "welcome baseline": 7_241_417_941_351_167_017,
    ]
}

extension Samples {
    /// FNV-1a over the bit patterns, left and right in turn.
    func hash(into hash: inout UInt64) {
        GoldenPatches.hash(left, right, into: &hash)
    }
}
