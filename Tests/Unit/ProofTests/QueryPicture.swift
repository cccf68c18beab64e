import OSC

@testable import OSCRemote

/// The values shown by a program that listens to all of them over OSCQuery.
struct QueryPicture {
    private var listener = QueryListener()
    /// By address, without the root.
    private(set) var values: [String: [OSCArgument]] = [:]

    /// Layers whose addresses it listens to.
    private static let layerCount = 5

    init() {
        for row in AddressTable.standard.rows where row.read != nil {
            for layer in 1...Self.layerCount {
                let path = row.path.split(separator: "/").map { $0 == "N" ? "\(layer)" : $0 }.joined(separator: "/")
                // Asking again changes nothing.
                listener.take(#"{"COMMAND": "LISTEN", "DATA": "/binaural/\#(path)"}"#)
            }
        }
    }

    mutating func take(_ tree: QueryTree) {
        var read = QueryValues(tree)
        var sent: [[UInt8]] = []
        listener.sendChanges(&read, hasRoom: { true }, send: { sent.append($0) })
        for case .message(let message)? in sent.map({ try? OSCPacket(decoding: $0) }) {
            values[String(message.address.dropFirst("/binaural/".count))] = message.arguments
        }
    }
}
