import Foundation
import Library
import Synchronization
import TestSupport
import Testing

@testable import Application

@Suite("Patches that are saved again")
struct PatchReloaderTests {
    private final class Seen: Sendable {
        let hasMemory = Atomic(false)
        let lacks = Atomic(0)
        let carriers = Mutex<[Double]>([])
    }

    @Test("a patch is read once there is memory for it")
    func withoutMemory() throws {
        let folder = try TemporaryFolder()
        let places = Places(
            workingFolder: folder.path, dataHome: folder.file("home"), dataFolders: [], shipped: [], stateHome: folder.file("state"),
            configHome: folder.file("config"), cacheHome: folder.file("cache"))
        let seen = Seen()
        let path = try folder.write("layers: [{tone: {carrier: 200}}]\n", to: "tone.yaml")
        let reloader = PatchReloader(Library(places: places), watchesNames: false) {
            seen.hasMemory.load(ordering: .relaxed)
        } report: {
            switch $0 {
            case .read(_, let patch): seen.carriers.withLock { $0.append(patch.layers[0].values[.carrier] ?? 0) }
            case .lacksMemory: seen.lacks.add(1, ordering: .relaxed)
            case .failed, .cannotWatch: break
            }
        }
        defer { withExtendedLifetime((folder, reloader)) {} }
        // The file is so new that it is read at once.
        reloader.follow(.init(references: [path]))
        #expect(eventually { seen.lacks.load(ordering: .relaxed) > 0 })
        #expect(seen.carriers.withLock { $0.isEmpty })
        seen.hasMemory.store(true, ordering: .relaxed)
        #expect(eventually { seen.carriers.withLock { $0 } == [200] })
    }
}
