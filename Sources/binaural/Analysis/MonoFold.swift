import Patches
import Studio

/// Ears that are folded into one: what needs both of them is not heard as it is meant.
enum MonoFold: Equatable {
    /// Both outputs lead to this port, and to no other.
    case mixed(destination: String)
    /// Only this output is connected.
    case oneEar(port: String)

    /// `nil` where each ear has a way of its own, or none has any.
    init?(_ connections: [PortConnections]) {
        // The mix comes first; where layers go by themselves, somebody mixes on purpose.
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

    /// What to tell while `patch` is current; `nil` when nothing in it needs both ears.
    func words(for patch: Patch) -> String? {
        let layers = patch.layers.filter(\.kind.needsBothEars).map(\.name)
        guard let first = layers.first else { return nil }
        let what = layers.count == 1 ? "layer `\(first)` is" : "\(layers.count) layers such as `\(first)` are"
        return switch self {
        case .mixed(let destination):
            "Both ears go to \(destination), mixed: \(what) meant for two. Connect out_left and out_right each to a port of its own."
        case .oneEar(let port):
            "Only \(port) is connected: \(what) meant for two ears. Connect the other output, too."
        }
    }
}

/// A layer for two ears that its patch pans to one of them.
struct LayerInOneEar: Equatable {
    let layer: String
    /// Seconds from the start of the patch.
    let position: Double

    /// The first place of each such layer.
    static func all(in patch: Patch) -> [LayerInOneEar] {
        patch.layers.indices.compactMap { index -> LayerInOneEar? in
            guard patch.layers[index].kind.needsBothEars, let pan = patch.automation(of: .pan, layer: index, edits: []) else { return nil }
            let name = patch.layers[index].name
            if pan.base.magnitude == 1 { return LayerInOneEar(layer: name, position: 0) }
            guard let move = pan.moves.first(where: { $0.target.magnitude == 1 }) else { return nil }
            return LayerInOneEar(layer: name, position: move.start + move.over)
        }
    }
}
