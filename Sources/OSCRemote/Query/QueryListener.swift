import Foundation
import OSC
import Playback

/// The addresses that one WebSocket listens to, and the values last sent for them.
package struct QueryListener {
    private let table = AddressTable.standard
    /// The values last sent; `nil` if none was sent yet.
    private var sentValues: [AddressTable.Key: [OSCArgument]?] = [:]

    /// Maximum number of addresses that one client listens to; more than a large patch has.
    package static let maximumCount = 4096

    /// Whether the client is on another machine.
    private let isForOthers: Bool

    package init(isForOthers: Bool = false) { self.isForOthers = isForOthers }

    /// Handles a client's command: `LISTEN` or `IGNORE` with an address; anything else is ignored.
    package mutating func take(_ text: String) {
        guard let command = try? JSONDecoder().decode(QueryCommand.self, from: Data(text.utf8)), let key = table.key(command.address) else {
            return
        }
        switch command.name {
        case "LISTEN" where table.row(key).read != nil && sentValues.count < Self.maximumCount && sentValues[key] == nil:
            sentValues.updateValue(nil, forKey: key)
        case "IGNORE": sentValues.removeValue(forKey: key)
        default: break
        }
    }

    package var isEmpty: Bool { sentValues.isEmpty }

    /// Sends a packet for each address whose value differs from the one last sent, as long as there is room; the others wait for the next
    /// call, which sends only their latest values.
    package mutating func sendChanges(_ values: inout QueryValues, hasRoom: () -> Bool, send: ([UInt8]) -> Void) {
        for (key, last) in sentValues {
            let value = values.value(of: key).map { isForOthers ? table.row(key).valueForOthers($0) : $0 }
            guard value != last else { continue }
            guard let value else {
                // The current item has no such layer; if it comes back, its value is sent again.
                sentValues.updateValue(nil, forKey: key)
                continue
            }
            guard hasRoom() else { return }
            sentValues.updateValue(value, forKey: key)
            send(OSCMessage(table.address(key), value).encoded)
        }
    }
}

/// The values of a tree, each read only once for all listeners.
package struct QueryValues {
    private let tree: QueryTree
    private var known: [AddressTable.Key: [OSCArgument]?] = [:]

    package init(_ tree: QueryTree) { self.tree = tree }

    mutating func value(of key: AddressTable.Key) -> [OSCArgument]? {
        if let value = known[key] { return value }
        let value = tree.table.value(of: key, tree.reading)
        known.updateValue(value, forKey: key)
        return value
    }
}

extension QueryTree {
    /// Whether the layers differ from those of an earlier tree.
    package func hasOtherLayers(than earlier: QueryTree) -> Bool { !reading.player.hasSameItem(as: earlier.reading.player) }

    /// The messages sent to WebSockets in that case, one for each container that holds layers.
    package static let pathChanges: [String] = ["layer", "touch/layer"].map {
        QueryCommand(name: "PATH_CHANGED", address: "\(OSCAddress.root)/\($0)").text
    }
}

/// An OSCQuery command in a WebSocket message.
private struct QueryCommand: Codable {
    let name: String
    let address: String

    private enum CodingKeys: String, CodingKey {
        case name = "COMMAND"
        case address = "DATA"
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
