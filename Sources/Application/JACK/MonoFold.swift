import Patches
import JACKBackend

/// Detects outputs that are folded to mono, which spoils layers that need both ears.
enum MonoFold: Equatable {
    /// Both outputs are connected to this port only.
    case mixed(destination: String)
    /// Only this output is connected.
    case oneEar(port: String)

    /// Examines the connections; `nil` if the outputs have separate destinations, or neither is connected.
    init?(_ connections: [PortConnections]) {
        // The mix comes first; if layers' own ports are connected, the mixing is done elsewhere on purpose.
        guard connections.count >= 2, connections.dropFirst(2).allSatisfy(\.connectedTo.isEmpty) else { return nil }
        let (left, right) = (Set(connections[0].connectedTo), Set(connections[1].connectedTo))
        if left == right, left.count == 1, let destination = left.first {
            self = .mixed(destination: destination)
        } else if left.isEmpty != right.isEmpty {
            self = .oneEar(port: connections[left.isEmpty ? 1 : 0].port)
        } else {
            return nil
        }
    }

    /// The warning while `patch` is current; `nil` if none of its layers needs both ears.
    func words(for patch: Patch) -> String? {
        let layers = patch.layers.filter(\.needsBothEars).map(\.name)
        guard let first = layers.first else { return nil }
        let what = layers.count == 1 ? "layer `\(first)` needs" : "\(layers.count) layers such as `\(first)` need"
        return switch self {
        case .mixed(let destination):
            "Both outputs are mixed into \(destination), but \(what) both ears. Connect out_left and out_right to separate ports."
        case .oneEar(let port):
            "Only \(port) is connected, but \(what) both ears. Connect the other output too."
        }
    }
}
