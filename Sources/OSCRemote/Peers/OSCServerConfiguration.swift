import OSC
import Playback

/// The server's configuration at the start.
package struct OSCServerConfiguration: Sendable {
    package var identity: InstanceIdentity
    /// The role of programs on this machine.
    package var localRole = Role.admin
    /// The roles of other addresses; the longest range that contains an address counts. Addresses in no range get no answer.
    package var allowed: [AccessRule] = []
    package var feedback: [FeedbackPeer] = []
    /// If false, every bundle takes effect immediately.
    package var honoursTimeTags = true

    package static let defaultPort = UInt16(PreferenceValues().oscPort)

    package init(identity: InstanceIdentity) { self.identity = identity }

    /// The role of a peer on UDP or a Unix socket; `nil` if its address is not allowed.
    func role(of peer: PeerAddress) -> Role? {
        guard !peer.isLocal, let address = peer.endpoint?.host else { return localRole }
        return allowed.filter { $0.range.contains(address) }.max { $0.range.prefixLength < $1.range.prefixLength }?.role
    }
}
