import OSC
import Playback

/// What the server is told at the start.
package struct RemoteConfiguration: Sendable {
    package var identity: RemoteIdentity
    /// What programs on this machine may do.
    package var localRole = Role.admin
    /// Everybody else; the longest range that holds an address counts. Who is in none gets silence.
    package var allowed: [AccessRule] = []
    package var feedback: [FeedbackPeer] = []
    /// False takes every bundle as immediate.
    package var honoursTimeTags = true

    package static let defaultPort = UInt16(PreferenceValues().oscPort)

    package init(identity: RemoteIdentity) { self.identity = identity }

    /// `nil` is a stranger.
    func role(of peer: PeerAddress) -> Role? {
        guard !peer.isLocal, let address = peer.endpoint?.host else { return localRole }
        return allowed.filter { $0.range.contains(address) }.max { $0.range.prefixLength < $1.range.prefixLength }?.role
    }
}
