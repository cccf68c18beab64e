import OSC
import Playback

/// The server's configuration at the start.
package struct RemoteConfiguration: Sendable {
    package var identity: Identity
    /// The role of programs on this machine.
    package var localRole = Role.admin
    /// The roles of other addresses; the longest range that contains an address counts. Addresses in no range get no answer.
    package var allowed: [AccessRule] = []
    package var feedback: [FeedbackPeer] = []
    /// If false, every bundle takes effect immediately.
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

    /// The role of a peer; `nil` if its address is not allowed.
    func role(of peer: PeerAddress) -> Role? {
        guard !peer.isLocal, let address = peer.endpoint?.host else { return localRole }
        return allowed.filter { $0.range.contains(address) }.max { $0.range.prefixLength < $1.range.prefixLength }?.role
    }
}
