import Foundation
import TestSupport
import Testing

/// Tests start many JACK servers, and some are killed.
struct ServerRegistryTests {
    @Test("The places of servers that were killed are freed, and that of a running one is kept")
    func killedServers() async throws {
        // A server of the test first, so that there is a registry of the right layout.
        try await JACKServer.run(ownClientName: true) { server in
            let folder = try TemporaryFolder()
            let path = folder.file("registry")
            var registry = [UInt8](try Data(contentsOf: URL(filePath: "/dev/shm/jack-shm-registry")))
            let running = places(registry)
            #expect(running.contains(server.name))
            // Linux gives no process such a number.
            let ended = pid_t.max
            for place in 0..<8 where running[place].isEmpty {
                withUnsafeBytes(of: ended) { registry.replaceSubrange(24 + 264 * place..<28 + 264 * place, with: $0) }
                let name = [UInt8]("jack-0:ended-\(place):".utf8)
                registry.replaceSubrange(28 + 264 * place..<28 + 264 * place + name.count, with: name)
            }
            #expect(places(registry).allSatisfy { !$0.isEmpty })
            try Data(registry).write(to: URL(filePath: path))

            ServerRegistry(path: path).freePlacesOfEndedServers()

            let left = places([UInt8](try Data(contentsOf: URL(filePath: path))))
            #expect(left.contains(server.name))
            #expect(left.filter { $0.hasPrefix("ended") } == [])
        }
    }

    @Test("A file of another layout stays as it is")
    func otherLayout() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "JACK", count: 700), to: "registry")
        ServerRegistry(path: path).freePlacesOfEndedServers()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == String(repeating: "JACK", count: 700))
    }

    /// The names of the servers in the eight places; empty for a free place.
    private func places(_ registry: [UInt8]) -> [String] {
        (0..<8).map { place in
            let entry = registry[(28 + 264 * place)..<(288 + 264 * place)].prefix { $0 != 0 }
            return String(decoding: entry, as: UTF8.self).split(separator: ":").dropFirst().first.map(String.init) ?? ""
        }
    }
}
