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
        "bell 44100 avx2": 440_181_477_122_673_123,
        "bell 44100 baseline": 17_198_537_822_769_923_483,
        "bell 48000 avx2": 16_407_682_069_976_082_741,
        "bell 48000 baseline": 8_386_396_745_563_346_153,
        "bilateral 44100 avx2": 14_247_508_042_996_407_939,
        "bilateral 44100 baseline": 17_691_935_366_220_547_248,
        "bilateral 48000 avx2": 10_068_538_745_938_738_100,
        "bilateral 48000 baseline": 8_002_086_417_242_716_003,
        "binaural 44100 avx2": 13_025_083_156_465_430_777,
        "binaural 44100 baseline": 402_346_352_082_278_582,
        "binaural 48000 avx2": 3_540_197_811_794_016_570,
        "binaural 48000 baseline": 14_159_887_128_711_248_505,
        "blue 44100 avx2": 15_562_902_949_274_407_697,
        "blue 44100 baseline": 1_301_691_297_765_931_144,
        "blue 48000 avx2": 12_871_874_324_730_737_704,
        "blue 48000 baseline": 9_544_174_461_400_228_349,
        "brown 44100 avx2": 15_810_067_852_725_476_850,
        "brown 44100 baseline": 930_669_916_978_196_651,
        "brown 48000 avx2": 16_320_949_317_537_090_229,
        "brown 48000 baseline": 7_610_612_139_862_484_240,
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
        "input 48000 avx2": 15_263_469_761_774_500_919,
        "input 48000 baseline": 10_295_963_758_201_502_799,
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
        "phase 44100 avx2": 15_100_071_118_731_698_450,
        "phase 44100 baseline": 7_466_183_323_250_622_549,
        "phase 48000 avx2": 5_801_733_958_950_143_493,
        "phase 48000 baseline": 13_259_799_179_681_230_614,
        "pink 44100 avx2": 13_271_864_593_751_955_242,
        "pink 44100 baseline": 12_872_668_087_956_891_443,
        "pink 48000 avx2": 2_069_208_293_362_054_440,
        "pink 48000 baseline": 12_896_188_131_161_321_438,
        "sawtooth 44100 avx2": 14_569_463_854_122_319_717,
        "sawtooth 44100 baseline": 3_476_938_624_550_960_379,
        "sawtooth 48000 avx2": 12_853_046_019_281_312_609,
        "sawtooth 48000 baseline": 9_641_477_270_021_655_009,
        "sines 44100 avx2": 11_945_110_762_061_839_670,
        "sines 44100 baseline": 9_390_951_759_054_956_395,
        "sines 48000 avx2": 16_802_026_239_152_629_044,
        "sines 48000 baseline": 13_982_748_744_293_355_768,
        "spin 44100 avx2": 253_734_468_843_290_273,
        "spin 44100 baseline": 13_435_547_789_383_402_891,
        "spin 48000 avx2": 12_658_166_424_970_633_765,
        "spin 48000 baseline": 6_058_664_346_329_726_097,
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
        "violet 44100 avx2": 2_557_289_555_997_352_353,
        "violet 44100 baseline": 1_632_907_611_228_067_758,
        "violet 48000 avx2": 12_269_131_587_346_005_321,
        "violet 48000 baseline": 9_870_849_458_972_107_957,
        "white 44100 avx2": 14_123_850_478_832_613_650,
        "white 44100 baseline": 3_932_297_871_091_956_181,
        "white 48000 avx2": 16_925_744_003_791_922_200,
        "white 48000 baseline": 3_141_406_914_279_564_477,
    ]
}
