import Foundation
import TestSupport
import Testing

/// The products that other packages depend on.
@Suite struct ProductTests {
    @Test("RealTime, JACK and OSC are products, and no target that they are made of has unsafe flags")
    func products() async throws {
        let scratch = try TemporaryFolder()
        let dump = try await RunningProgram.run(
            requireTool("swift", package: "the Swift toolchain"),
            ["package", "--package-path", PackageRoot.path, "--scratch-path", scratch.path, "dump-package"])
        #expect(dump.exit == .code(0), "\(dump.errors)")
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(dump.output.utf8))
        let targets = Dictionary(uniqueKeysWithValues: manifest.targets.map { ($0.name, $0) })
        for name in ["RealTime", "JACK", "OSC"] {
            #expect(manifest.products.contains { $0.name == name && $0.targets == [name] }, "\(name)")
            let target = try #require(targets[name])
            for part in [target] + target.dependencies.compactMap({ $0.byName?.first.flatMap { $0 } }).compactMap({ targets[$0] }) {
                #expect(!part.settings.contains { $0.kind.keys.contains("unsafeFlags") }, "\(part.name)")
            }
        }
    }

    private struct Manifest: Decodable {
        let products: [Product]
        let targets: [Target]

        struct Product: Decodable {
            let name: String
            let targets: [String]
        }

        struct Target: Decodable {
            let name: String
            let dependencies: [Dependency]
            let settings: [Setting]
        }

        struct Dependency: Decodable { let byName: [String?]? }

        struct Setting: Decodable {
            let kind: [String: Ignored]
        }

        struct Ignored: Decodable { init(from decoder: any Decoder) {} }
    }
}
