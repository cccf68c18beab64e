// swift-tools-version: 6.2
import PackageDescription

// `package` declarations are not visible in other packages. So the modules under test are compiled here a second time, from the same
// folders through links in Sources, with the settings of the main package.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

#if arch(x86_64)
    let avx2: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-mavx2", "-Xcc", "-mfma"]), .define("FUSED_MULTIPLY_ADD")]
#else
    let avx2: [SwiftSetting] = []
#endif

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without its traits it puts nothing of its own under malloc or reference counting.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "Cliblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
        .target(name: "Synthesis", swiftSettings: strict),
        .target(name: "SynthesisAVX2", swiftSettings: strict + avx2),
        .target(name: "RealTime", swiftSettings: strict),
        .target(name: "Patches", swiftSettings: strict),
        .target(name: "PatchFiles", dependencies: ["Patches", "Yams"], swiftSettings: strict),
        .target(name: "OperatingSystem", swiftSettings: strict),
        .target(name: "OSC", dependencies: ["Cliblo"], swiftSettings: strict),
        .target(name: "Engine", dependencies: ["Synthesis", "SynthesisAVX2", "RealTime", "Patches"], swiftSettings: strict),
        .target(name: "Playback", dependencies: ["Patches"], swiftSettings: strict),
        .target(name: "Performance", dependencies: ["Engine", "Playback", "Patches"], swiftSettings: strict),
        .target(
            name: "OSCRemote",
            dependencies: ["Playback", "OSC", "Patches", "OperatingSystem", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict),
        .executableTarget(
            name: "EngineBenchmarks",
            dependencies: [
                "Engine", "Patches", "PatchFiles", "OSC", "OSCRemote", "Performance", "Playback", "Synthesis", "SynthesisAVX2",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/EngineBenchmarks",
            swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ]
)
