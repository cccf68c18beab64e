import Foundation

/// One of the few places for JACK servers that all test processes of this machine share. The place gives the server its name: a JACK server
/// that was killed stays in JACK's registry of eight until one of the same name starts.
struct ServerPlace: Sendable {
    let number: Int
    private let lock: MachineLock

    var serverName: String { "binaural-test-\(getuid())-\(number)" }

    /// Waits for a place.
    static func take() async throws(ProgramFailure) -> ServerPlace {
        let place = try await takeAny()
        LeftoverServers.end(named: place.serverName)
        ServerRegistry().freePlacesOfEndedServers()
        PropertyDatabase.detectDeadlocks()
        return place
    }

    private static func takeAny() async throws(ProgramFailure) -> ServerPlace {
        let count = count
        for number in 0..<count {
            if let lock = try MachineLock.tryTaking("server-\(number)") { return ServerPlace(number: number, lock: lock) }
        }
        let number = Int.random(in: 0..<count)
        return ServerPlace(number: number, lock: try await MachineLock.take("server-\(number)"))
    }

    /// A server takes 40 MB of shared memory; four of them are enough for two cores.
    private static var count: Int {
        var information = statvfs()
        guard statvfs("/dev/shm", &information) == 0 else { return 1 }
        return max(1, min(4, Int(information.f_blocks * UInt(information.f_frsize)) / 45_000_000))
    }
}
