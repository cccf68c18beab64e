// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

// Also in debug builds, or a debug program could not keep up with the sound card, nor tests with measuring what they recorded and with all the
// packets that they send. Not for the libraries that are products: no package may depend on a version of a target with unsafe flags.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

// One source, compiled for two instruction sets; the program chooses at start-up.
#if arch(x86_64)
    let avx2: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-mavx2", "-Xcc", "-mfma"]), .define("FUSED_MULTIPLY_ADD")]
#else
    let avx2: [SwiftSetting] = []
#endif

// The bundles above the modules' own need the program, servers and other programs, and minutes to build: for `.ci/run` and `make stress`.
let hasAllTests = Context.environment["BINAURAL_TESTS"] == "all"

// One bundle a module; TestSupport starts the real programs that tests talk to.
let moduleTests: [Target] = [
    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict + optimized),
    .testTarget(name: "SourceTests", dependencies: ["TestSupport"], path: "Tests/Unit/SourceTests", swiftSettings: strict),
    .testTarget(
        name: "SynthesisTests", dependencies: ["Synthesis", "SynthesisAVX2", "TestSupport"], path: "Tests/Unit/SynthesisTests",
        swiftSettings: strict),
    .testTarget(
        name: "OperatingSystemTests", dependencies: ["OperatingSystem"], path: "Tests/Unit/OperatingSystemTests", swiftSettings: strict),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP", "TestSupport"], path: "Tests/Unit/HTTPTests", swiftSettings: strict),
    .testTarget(name: "BusTests", dependencies: ["Bus", "TestSupport"], path: "Tests/Unit/BusTests", swiftSettings: strict),
    .testTarget(
        name: "ZeroconfTests", dependencies: ["Zeroconf", "Bus", "TestSupport"], path: "Tests/Unit/ZeroconfTests",
        swiftSettings: strict),
    .testTarget(name: "RealTimeTests", dependencies: ["RealTime", "TestSupport"], path: "Tests/Unit/RealTimeTests", swiftSettings: strict),
    .testTarget(
        name: "PatchesTests", dependencies: ["Patches", "TestSupport"], path: "Tests/Unit/PatchesTests",
        exclude: ["make-easing-values"],
        swiftSettings: strict),
    .testTarget(
        name: "PatchFilesTests", dependencies: ["PatchFiles", "Patches", "TestSupport"], path: "Tests/Unit/PatchFilesTests",
        swiftSettings: strict),
    .testTarget(
        name: "SBaGenTests", dependencies: ["SBaGen", "PatchFiles", "Patches", "TestSupport"], path: "Tests/Unit/SBaGenTests",
        exclude: ["Sequences", "Shapes"], swiftSettings: strict),
    .testTarget(
        name: "EngineTests", dependencies: ["Engine", "Patches", "PatchFiles", "SBaGen", "TestSupport"], path: "Tests/Unit/EngineTests",
        swiftSettings: strict + optimized),
    .testTarget(
        name: "PlaybackTests", dependencies: ["Playback", "Patches", "PatchFiles", "TestSupport"], path: "Tests/Unit/PlaybackTests",
        swiftSettings: strict),
    .testTarget(
        name: "LibraryTests", dependencies: ["Library", "OperatingSystem", "Playback", "Patches", "PatchFiles", "Terminal", "TestSupport"],
        path: "Tests/Unit/LibraryTests", swiftSettings: strict),
    .testTarget(name: "OSCTests", dependencies: ["OSC", "TestSupport"], path: "Tests/Unit/OSCTests", swiftSettings: strict),
    .testTarget(
        name: "OSCRemoteTests", dependencies: ["OSCRemote", "OSC", "Playback", "Patches", "TestSupport"],
        path: "Tests/Unit/OSCRemoteTests", swiftSettings: strict),
    .testTarget(
        name: "MPRISTests", dependencies: ["MPRIS", "OSCRemote", "OSC", "Bus", "Playback", "Patches", "TestSupport"],
        path: "Tests/Unit/MPRISTests", swiftSettings: strict),
    .testTarget(
        name: "PerformanceTests",
        dependencies: [
            "Performance", "Application", "InstanceSupport", "Engine", "Playback", "Patches", "SBaGen", "TestSupport",
            .product(name: "Logging", package: "swift-log"),
        ],
        path: "Tests/Unit/PerformanceTests", swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .testTarget(
        name: "PicturesTests", dependencies: ["Pictures", "Patches", "PatchFiles", "TestSupport"], path: "Tests/Unit/PicturesTests",
        swiftSettings: strict),
    .testTarget(
        name: "AudioFilesTests", dependencies: ["AudioFiles", "Engine", "TestSupport"], path: "Tests/Unit/AudioFilesTests",
        swiftSettings: strict),
    .testTarget(
        name: "WebPanelTests", dependencies: ["WebPanel", "HTTP", "OSC", "OSCRemote", "TestSupport"], path: "Tests/Unit/WebPanelTests",
        swiftSettings: strict),
    .testTarget(
        name: "TerminalTests", dependencies: ["Terminal", "Patches", "TestSupport"], path: "Tests/Unit/TerminalTests",
        swiftSettings: strict),
    .testTarget(
        name: "RemoteClientTests", dependencies: ["RemoteClient", "OSC", "OSCRemote", "Patches", "Terminal", "Zeroconf"],
        path: "Tests/Unit/RemoteClientTests", swiftSettings: strict),
    .testTarget(
        name: "ApplicationTests",
        dependencies: [
            "Application", "Library", "OSCRemote", "Bus", "Zeroconf", "JACKBackend", "HTTP", "OSC", "Performance", "Engine", "Playback",
            "Patches", "PatchFiles", "Pictures", "OperatingSystem", "TestSupport",
        ],
        path: "Tests/Unit/ApplicationTests", swiftSettings: strict),
    .target(
        name: "InstanceSupport",
        dependencies: [
            "Application", "JACKBackend", "JACK", "Performance", "Library", "OSCRemote", "MPRIS", "Bus", "OSC", "Engine",
            "Playback", "Patches", "PatchFiles", "Pictures", "OperatingSystem", "Terminal", "TestSupport",
            .product(name: "Logging", package: "swift-log"),
        ],
        path: "Tests/Instance/Support", swiftSettings: strict + optimized),
    .testTarget(
        name: "InstanceTests",
        dependencies: [
            "InstanceSupport", "Application", "JACKBackend", "binaural", "OSC", "OSCRemote", "Playback", "Patches",
            "TestSupport",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Tests/Instance/InstanceTests", swiftSettings: strict),
    .testTarget(
        name: "ProofTests",
        dependencies: [
            "InstanceSupport", "Performance", "Application", "RemoteClient", "Terminal", "OSCRemote", "OSC", "MPRIS", "Bus", "Engine",
            "Playback",
            "Patches", "SBaGen", "TestSupport", "Library", "PatchFiles", "AudioFiles",
        ],
        path: "Tests/Unit/ProofTests", swiftSettings: strict + optimized),
]

let programTests: [Target] = [
    .testTarget(
        name: "JACKBackendTests", dependencies: ["JACKBackend", "JACK", "Engine", "Patches", "TestSupport"],
        path: "Tests/JACK/JACKBackendTests", swiftSettings: strict),
    .target(
        name: "ProgramSupport", dependencies: ["TestSupport", "OSC"], path: "Tests/Program/Support", swiftSettings: strict + optimized),
    .testTarget(
        name: "ProgramTests", dependencies: ["ProgramSupport", "TestSupport", "Bus", "OSC", "OSCRemote", "Patches", "PatchFiles"],
        path: "Tests/Program/ProgramTests", swiftSettings: strict),
    .testTarget(
        name: "AcceptanceTests", dependencies: ["ProgramSupport", "TestSupport", "OSC"], path: "Tests/Program/AcceptanceTests",
        swiftSettings: strict),
    .testTarget(
        name: "ScenarioTests", dependencies: ["ProgramSupport", "TestSupport"], path: "Tests/Program/ScenarioTests", swiftSettings: strict),
    .testTarget(
        name: "ContractTests", dependencies: ["ProgramSupport", "TestSupport"], path: "Tests/Contract/ContractTests", swiftSettings: strict),
    .testTarget(
        name: "BrowserTests", dependencies: ["ProgramSupport", "TestSupport"], path: "Tests/Browser/BrowserTests", swiftSettings: strict),
    .testTarget(
        name: "ReleaseTests", dependencies: ["ProgramSupport", "TestSupport", "OSC", "SBaGen", "Synthesis"],
        path: "Tests/Release/ReleaseTests",
        swiftSettings: strict),
    .testTarget(
        name: "StressTests", dependencies: ["ProgramSupport", "TestSupport", "OSC"], path: "Tests/Stress/StressTests", swiftSettings: strict
    ),
]

let package = Package(
    name: "binaural",
    products: [
        .executable(name: "binaural", targets: ["binaural"]),
        // For other packages.
        .library(name: "RealTime", targets: ["RealTime"]),
        .library(name: "JACK", targets: ["JACK"]),
        .library(name: "OSC", targets: ["OSC"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        // L0: C libraries
        .systemLibrary(name: "CJACK", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
        .systemLibrary(name: "Cliblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
        .systemLibrary(name: "Csndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "Csamplerate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(name: "Cebur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "Ccairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(name: "Cpango", pkgConfig: "cairo", providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(name: "Cqrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "Czlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "Csystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

        // L1
        .target(name: "Synthesis", swiftSettings: strict + optimized),
        .target(name: "SynthesisAVX2", swiftSettings: strict + optimized + avx2),
        .target(name: "RealTime", swiftSettings: strict),
        .target(name: "OperatingSystem", swiftSettings: strict),
        .target(
            name: "HTTP",
            dependencies: [
                "OperatingSystem", .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"), "Czlib",
            ],
            swiftSettings: strict),
        .target(name: "Patches", swiftSettings: strict + optimized),
        .target(name: "JACK", dependencies: ["CJACK"], swiftSettings: strict),
        .target(name: "OSC", dependencies: ["Cliblo"], swiftSettings: strict),
        .target(name: "Bus", dependencies: ["Csystemd", "OperatingSystem"], swiftSettings: strict),

        // L2
        .target(name: "PatchFiles", dependencies: ["Patches", "Yams"], swiftSettings: strict + optimized),
        .target(name: "SBaGen", dependencies: ["Patches", "PatchFiles"], swiftSettings: strict + optimized),
        .target(name: "Engine", dependencies: ["Synthesis", "SynthesisAVX2", "RealTime", "Patches"], swiftSettings: strict + optimized),
        .target(name: "Playback", dependencies: ["Patches"], swiftSettings: strict + optimized),

        .target(name: "Zeroconf", dependencies: ["Bus"], swiftSettings: strict),

        // L3
        .target(name: "Library", dependencies: ["Playback", "Patches", "PatchFiles", "SBaGen", "OperatingSystem"], swiftSettings: strict),
        .target(
            name: "JACKBackend", dependencies: ["Engine", "Playback", "JACK", "RealTime", "OperatingSystem"],
            swiftSettings: strict + optimized),
        .target(name: "Performance", dependencies: ["Engine", "Playback", "Patches"], swiftSettings: strict),
        .target(
            name: "OSCRemote",
            dependencies: ["Playback", "OSC", "Patches", "OperatingSystem", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict + optimized),

        .target(name: "MPRIS", dependencies: ["Bus", "Playback", "Patches", "OperatingSystem"], swiftSettings: strict),
        .target(
            name: "AudioFiles", dependencies: ["Engine", "Patches", "OperatingSystem", "Csndfile", "Csamplerate", "Cebur128"],
            swiftSettings: strict + optimized),
        .target(name: "Pictures", dependencies: ["Patches", "OperatingSystem", "Ccairo", "Cpango"], swiftSettings: strict),

        .target(name: "CPanelFiles"),
        .target(
            name: "WebPanel", dependencies: ["CPanelFiles", "HTTP", "OSCRemote", "OSC", "OperatingSystem"], exclude: ["Web"],
            swiftSettings: strict),
        .target(name: "Terminal", dependencies: ["Patches", "OperatingSystem", "Cqrencode"], swiftSettings: strict),

        // L4
        .target(
            name: "Rendering",
            dependencies: ["AudioFiles", "Engine", "Library", "Patches", "Pictures", "Playback", "OperatingSystem"],
            swiftSettings: strict + optimized),
        .target(name: "RemoteClient", dependencies: ["Bus", "OSC", "OSCRemote", "Patches", "Terminal", "Zeroconf"], swiftSettings: strict),

        .target(
            name: "Application",
            dependencies: [
                "JACKBackend", "Performance", "Library", "OSCRemote", "MPRIS", "AudioFiles", "Pictures", "Engine",
                "Playback", "Patches", "PatchFiles", "OSC", "HTTP", "WebPanel", "OperatingSystem", "Terminal", "Bus", "Zeroconf",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // L5
        .executableTarget(
            name: "binaural",
            dependencies: [
                "Application", "RemoteClient", "Rendering", "Terminal", "Library", "OSCRemote", "AudioFiles", "Pictures", "Engine",
                "Playback", "Patches", "PatchFiles", "SBaGen", "OSC", "HTTP", "WebPanel", "OperatingSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // Examples of the libraries. Without access to the package they see what other packages see.
        .executableTarget(
            name: "SineClient", dependencies: ["JACK"], path: "Examples/SineClient", packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "MIDIMonitor", dependencies: ["JACK", "RealTime"], path: "Examples/MIDIMonitor", packageAccess: false,
            swiftSettings: strict),
        .executableTarget(
            name: "NowPlaying", dependencies: ["OSC"], path: "Examples/NowPlaying", packageAccess: false, swiftSettings: strict),
    ] + moduleTests + (hasAllTests ? programTests : [])
)
