import Engine
import Patches
import Testing

/// The hashes of these patches when they were recorded. They are the same in debug and in release builds, and on every
/// machine that can run the kernel.
@Suite("Golden samples")
struct GoldenTests {
    @Test("Golden hashes are unchanged", arguments: Kernel.available)
    func hashes(kernel: Kernel) {
        for (name, patch) in GoldenPatches.all {
            for sampleRate in [44_100.0, 48_000] {
                let hash = GoldenPatches.hash(patch, sampleRate: sampleRate, kernel)
                let key = "\(name) \(Int(sampleRate)) \(kernel)"
                // A missing hash is a failure too.
                #expect(GoldenTests.golden[key] == hash, "\(key): \(hash)")
            }
        }
    }

    private static let golden: [String: UInt64] = [
        "bell 44100 avx2": 3_702_570_647_016_517_657,
        "bell 44100 baseline": 16_703_117_690_327_630_705,
        "bell 48000 avx2": 10_951_765_254_482_086_015,
        "bell 48000 baseline": 12_521_405_351_062_330_079,
        "bilateral 44100 avx2": 14_247_508_042_996_407_939,
        "bilateral 44100 baseline": 17_691_935_366_220_547_248,
        "bilateral 48000 avx2": 10_068_538_745_938_738_100,
        "bilateral 48000 baseline": 8_002_086_417_242_716_003,
        "binaural 44100 avx2": 13_025_083_156_465_430_777,
        "binaural 44100 baseline": 402_346_352_082_278_582,
        "binaural 48000 avx2": 3_540_197_811_794_016_570,
        "binaural 48000 baseline": 14_159_887_128_711_248_505,
        "blue 44100 avx2": 1_549_857_572_182_850_046,
        "blue 44100 baseline": 6_661_957_626_435_681_223,
        "blue 48000 avx2": 4_296_732_037_268_656_784,
        "blue 48000 baseline": 193_911_607_710_706_876,
        "brown 44100 avx2": 1_710_069_091_367_203_354,
        "brown 44100 baseline": 14_424_822_092_782_686_113,
        "brown 48000 avx2": 2_388_686_073_629_962_285,
        "brown 48000 baseline": 4_387_844_124_423_587_309,
        "file 44100 avx2": 345_111_854_331_189_577,
        "file 44100 baseline": 15_499_151_453_527_675_674,
        "file 48000 avx2": 15_368_075_100_286_089_709,
        "file 48000 baseline": 16_568_691_817_403_797_281,
        "file-pulsing 44100 avx2": 2_168_143_453_821_753_616,
        "file-pulsing 44100 baseline": 7_382_484_820_353_513_087,
        "file-pulsing 48000 avx2": 17_217_081_722_942_278_724,
        "file-pulsing 48000 baseline": 5_485_963_930_635_047_786,
        "harmonicBox 44100 avx2": 14_351_811_889_384_447_524,
        "harmonicBox 44100 baseline": 8_283_705_430_858_619_144,
        "harmonicBox 48000 avx2": 5_222_432_504_056_201_155,
        "harmonicBox 48000 baseline": 2_032_614_731_503_445_398,
        "input 44100 avx2": 4_171_985_743_918_925_815,
        "input 44100 baseline": 6_856_719_444_479_485_414,
        "input 48000 avx2": 14_838_266_940_041_258_928,
        "input 48000 baseline": 8_873_641_543_006_242_792,
        "isochronic 44100 avx2": 1_239_515_077_760_612_569,
        "isochronic 44100 baseline": 14_835_462_301_910_513_341,
        "isochronic 48000 avx2": 17_139_557_577_399_280_161,
        "isochronic 48000 baseline": 4_520_404_933_986_945_443,
        "keys 44100 avx2": 16_468_843_192_562_893_408,
        "keys 44100 baseline": 1_055_896_334_746_804_043,
        "keys 48000 avx2": 6_695_045_064_323_443_526,
        "keys 48000 baseline": 3_411_239_858_883_610_539,
        "monaural 44100 avx2": 14_101_457_157_544_296_395,
        "monaural 44100 baseline": 14_656_460_507_885_682_275,
        "monaural 48000 avx2": 15_522_348_811_523_382_301,
        "monaural 48000 baseline": 912_709_588_342_568_883,
        "phase 44100 avx2": 2_229_782_958_674_730_651,
        "phase 44100 baseline": 11_068_692_207_766_124_100,
        "phase 48000 avx2": 17_942_437_965_577_376_244,
        "phase 48000 baseline": 11_342_216_345_844_194_672,
        "pink 44100 avx2": 14_195_388_259_715_984_325,
        "pink 44100 baseline": 12_671_503_327_634_315_842,
        "pink 48000 avx2": 16_918_427_130_361_023_185,
        "pink 48000 baseline": 16_560_694_020_847_339_738,
        "sawtooth 44100 avx2": 14_569_463_854_122_319_717,
        "sawtooth 44100 baseline": 3_476_938_624_550_960_379,
        "sawtooth 48000 avx2": 12_853_046_019_281_312_609,
        "sawtooth 48000 baseline": 9_641_477_270_021_655_009,
        "sines 44100 avx2": 13234476398733431990,
        "sines 44100 baseline": 14862510120180661307,
        "sines 48000 avx2": 16065249732532345037,
        "sines 48000 baseline": 15330408045673312979,
        "spin 44100 avx2": 9_681_479_195_100_085_886,
        "spin 44100 baseline": 424_929_687_796_641_971,
        "spin 48000 avx2": 16_253_629_589_888_558_606,
        "spin 48000 baseline": 2_331_014_905_344_661_678,
        "square 44100 avx2": 2_311_318_942_561_975_631,
        "square 44100 baseline": 299_688_155_115_422_663,
        "square 48000 avx2": 15_863_092_892_310_379_287,
        "square 48000 baseline": 1_870_336_852_872_349_989,
        "table 44100 avx2": 11_957_266_933_975_234_165,
        "table 44100 baseline": 4_011_790_266_023_717_043,
        "table 48000 avx2": 7_792_945_518_008_618_879,
        "table 48000 baseline": 4_608_342_287_989_747_705,
        "tone 44100 avx2": 1_962_094_268_161_621_379,
        "tone 44100 baseline": 9_087_673_509_042_250_191,
        "tone 48000 avx2": 17_108_790_260_745_170_309,
        "tone 48000 baseline": 1_889_656_715_845_595_925,
        "triangle 44100 avx2": 2_125_516_686_252_309_283,
        "triangle 44100 baseline": 12_601_249_024_834_118_825,
        "triangle 48000 avx2": 17_563_962_967_655_885_993,
        "triangle 48000 baseline": 11_406_962_519_070_781_515,
        "violet 44100 avx2": 7_265_164_740_634_640_266,
        "violet 44100 baseline": 15_238_725_894_463_435_881,
        "violet 48000 avx2": 12_680_494_714_376_014_877,
        "violet 48000 baseline": 10_803_395_324_442_078_223,
        "white 44100 avx2": 17_573_791_043_558_837_466,
        "white 44100 baseline": 7_308_807_131_784_778_710,
        "white 48000 avx2": 1_584_167_853_821_595_064,
        "white 48000 baseline": 1_291_438_349_356_457_599,
    ]
}
