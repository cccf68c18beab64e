import Foundation
import OSC
import Playback

/// What one WebSocket listens to, and what it has been told of that.
package struct QueryListener {
    private let table = AddressTable.standard
    /// `nil` has not been told yet.
    private var told: [AddressTable.Key: [Argument]?] = [:]

    /// Addresses that one client listens to, at most; more than a large patch has.
    package static let maximumCount = 4096

    package init() {}

    /// Takes a command of a client: `LISTEN` or `IGNORE` with an address; of anything else nothing comes.
    package mutating func take(_ text: String) {
        guard let command = try? JSONDecoder().decode(QueryCommand.self, from: Data(text.utf8)), let key = table.key(command.address) else {
            return
        }
        switch command.name {
        case "LISTEN" where table.row(key).read != nil && told.count < Self.maximumCount && told[key] == nil:
            told.updateValue(nil, forKey: key)
        case "IGNORE": told.removeValue(forKey: key)
        default: break
        }
    }

    package var isEmpty: Bool { told.isEmpty }

    /// Sends a packet for each address whose value is not what was told last, as long as there is room; the others wait for the next time,
    /// and then only their last values go.
    package mutating func tell(_ values: inout QueryValues, hasRoom: () -> Bool, send: ([UInt8]) -> Void) {
        for (key, last) in told {
            let value = values.value(of: key)
            guard value != last else { continue }
            guard let value else {
                // Another item has no such layer; when it is back it is news.
                told.updateValue(nil, forKey: key)
                continue
            }
            guard hasRoom() else { return }
            told.updateValue(value, forKey: key)
            send(Message(table.address(key), value).encoded)
        }
    }
}

/// The values of a tree, each read once however many listen to it.
package struct QueryValues {
    private let tree: QueryTree
    private var known: [AddressTable.Key: [Argument]?] = [:]

    package init(_ tree: QueryTree) { self.tree = tree }

    mutating func value(of key: AddressTable.Key) -> [Argument]? {
        if let value = known[key] { return value }
        let value = tree.table.value(of: key, tree.reading)
        known.updateValue(value, forKey: key)
        return value
    }
}

extension QueryTree {
    /// Whether the layers are others than those of an earlier tree: another item, or other kinds.
    package func hasOtherLayers(than earlier: QueryTree) -> Bool { !reading.player.hasSameItem(as: earlier.reading.player) }

    /// What WebSockets are told then, a message for each container that holds layers.
    package static let pathChanges: [String] = ["layer", "touch/layer"].map {
        QueryCommand(name: "PATH_CHANGED", address: "\(AddressTable.root)/\($0)").text
    }
}

/// A message of OSCQuery on a WebSocket.
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
