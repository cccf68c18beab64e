import OSC
import Playback

/// What the server is told at the start.
package struct RemoteConfiguration: Sendable {
    package var identity: Identity
    /// What programs on this machine may do.
    package var localRole = Role.admin
    /// Everybody else; the longest range that holds an address counts. Who is in none gets silence.
    package var allowed: [AccessRule] = []
    package var feedback: [FeedbackPeer] = []
    /// False takes every bundle as immediate.
    package var honoursTimeTags = true

    package static let apiVersion = (major: 1, minor: 0)
    package static let defaultPort = UInt16(PreferenceValues().oscPort)

    package init(identity: Identity) { self.identity = identity }

    package struct Identity: Sendable {
        /// The JACK client's name.
        package var name: String
        package var version: String
        package var port: UInt16
        /// Differs between any two runs of the program.
        package var bootID: Int64

        package init(name: String, version: String, port: UInt16, bootID: Int64) {
            self.name = name
            self.version = version
            self.port = port
            self.bootID = bootID
        }
    }

    /// `nil` is a stranger.
    func role(of peer: PeerAddress) -> Role? {
        guard !peer.isLocal, let address = peer.endpoint?.host else { return localRole }
        return allowed.filter { $0.range.contains(address) }.max { $0.range.prefixLength < $1.range.prefixLength }?.role
    }
}
