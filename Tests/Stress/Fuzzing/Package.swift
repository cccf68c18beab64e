// swift-tools-version: 6.2
import PackageDescription

// The way of a packet to a command, and that of a sequence to a patch, compiled a second time (through links in Sources) for libFuzzer:
// counting which branches run, under address sanitizer.

let fuzzed: [SwiftSetting] = [
    // In mode 6 Swift 6.3.1 crashes over the call of libFuzzer; the main package has compiled these very files in it.
    .swiftLanguageMode(.v5),
    .enableUpcomingFeature("ExistentialAny"),
    .unsafeFlags(["-sanitize=fuzzer,address"]),
]

let package = Package(
    name: "fuzzing",
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "Cliblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
        .target(name: "Patches", swiftSettings: fuzzed),
        .target(name: "PatchFiles", dependencies: ["Patches", "Yams"], swiftSettings: fuzzed),
        .target(name: "SBaGen", dependencies: ["Patches", "PatchFiles"], swiftSettings: fuzzed),
        .target(name: "OperatingSystem", swiftSettings: fuzzed),
        .target(name: "OSC", dependencies: ["Cliblo"], swiftSettings: fuzzed),
        .target(name: "Playback", dependencies: ["Patches"], swiftSettings: fuzzed),
        .target(
            name: "OSCRemote",
            dependencies: ["Playback", "OSC", "Patches", "OperatingSystem", .product(name: "Logging", package: "swift-log")],
            swiftSettings: fuzzed),
        .executableTarget(
            name: "FuzzPackets",
            dependencies: ["OSC", "OSCRemote", "Playback", "Patches", .product(name: "Logging", package: "swift-log")],
            swiftSettings: fuzzed, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
        .executableTarget(
            name: "FuzzSequences", dependencies: ["Patches", "PatchFiles", "SBaGen"],
            swiftSettings: fuzzed, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
)
