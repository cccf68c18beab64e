import OSC
import Patches
import Playback

/// The address space as OSCQuery shows it at one moment. It is made from the table and a snapshot, and may be read on any thread.
package struct QueryTree: Sendable {
    let table: AddressTable
    let reading: Reading
    /// The role of the programs that it is shown to.
    private(set) var role: Role
    /// The address at which they reach this machine.
    private var host = "127.0.0.1"
    private var isForOthers = false

    /// - Parameter role: The role of local programs over OSC.
    init(table: AddressTable, reading: Reading, role: Role) {
        (self.table, self.reading, self.role) = (table, reading, role)
    }

    /// The tree as programs on other machines see it: they can only read.
    ///
    /// - Parameter host: The address at which they reach this machine.
    package func forOthers(at host: String) -> QueryTree {
        var tree = self
        (tree.role, tree.host, tree.isForOthers) = (.view, host, true)
        return tree
    }

    package enum Answer: Equatable, Sendable {
        case json([UInt8])
        /// The address does not have the requested attribute.
        case noContent
        case notFound(String)
        case badRequest(String)
    }

    /// - Parameters:
    ///   - path: The path of the request, with its percent escapes.
    ///   - query: The text after `?`: empty, an attribute's name, or `HOST_INFO`.
    ///   - port: The TCP port of the OSCQuery server.
    package func answer(_ path: String, query: String?, port: UInt16) -> Answer {
        if query == "HOST_INFO" { return .json(hostInfo(port).encoded) }
        guard let address = Self.unescaped(path) else {
            return .badRequest("A % must be followed by two hexadecimal digits, and the result must be UTF-8.")
        }
        let parts = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        // A trailing slash is ignored.
        guard let node = node(parts.last == "" ? parts.dropLast() : parts) else {
            return .notFound("There is no \(address): get / for all addresses.")
        }
        guard let query, !query.isEmpty else { return .json(json(of: node).encoded) }
        guard let attribute = QueryAttribute(rawValue: query) else {
            if QueryAttribute.absent.contains(query) { return .noContent }
            return .badRequest(
                "Ask for one attribute: HOST_INFO, \(QueryAttribute.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let value = json(of: node, only: attribute)[attribute.rawValue] else { return .noContent }
        return .json(QueryJSON.object([attribute.rawValue: value]).encoded)
    }

    private func hostInfo(_ port: UInt16) -> QueryJSON {
        let offered = QueryAttribute.allCases.filter { $0 != .fullPath && $0 != .contents }.map(\.rawValue) + ["LISTEN", "PATH_CHANGED"]
        let missing = QueryAttribute.absent.union(["PATH_ADDED", "PATH_REMOVED", "PATH_RENAMED"])
        let extensions = offered.map { ($0, QueryJSON.bool(true)) } + missing.map { ($0, QueryJSON.bool(false)) }
        return .object([
            "NAME": .text(reading.identity.name), "EXTENSIONS": .object(Dictionary(uniqueKeysWithValues: extensions)),
            "OSC_IP": .text(host), "OSC_PORT": .integer(Int64(reading.identity.port)), "OSC_TRANSPORT": .text("UDP"),
            "WS_IP": .text(host), "WS_PORT": .integer(Int64(port)),
        ])
    }

    // MARK: Nodes

    /// A container, an address, or both.
    private struct Node {
        /// The path, with a leading slash and without a trailing one.
        let path: String
        var key: AddressTable.Key?
        var children: [String: Node] = [:]

        mutating func insert(_ key: AddressTable.Key, at parts: ArraySlice<Substring>) {
            guard let first = parts.first else { return self.key = key }
            children[String(first), default: Node(path: "\(path)/\(first)")].insert(key, at: parts.dropFirst())
        }
    }

    private func node(_ parts: ArraySlice<Substring>) -> Node? {
        var node = Node(path: parts.map { "/\($0)" }.joined())
        guard parts.first.map({ "/\($0)" == OSCAddress.root }) ?? true else { return nil }
        let below = parts.dropFirst()
        let path = below.joined(separator: "/")
        for candidate in table.candidates(below: path, in: reading.player) {
            let names = candidate.path.split(separator: "/")[...]
            guard names.count >= below.count, names.prefix(below.count).elementsEqual(below) else { continue }
            let rest = parts.isEmpty ? [OSCAddress.root.dropFirst()] + Array(names) : Array(names.dropFirst(below.count))
            node.insert(candidate.key, at: rest[...])
        }
        return node.key == nil && node.children.isEmpty ? nil : node
    }

    private func json(of node: Node) -> QueryJSON {
        .object(Dictionary(json(of: node, only: nil).map { ($0, $1) }) { first, _ in first })
    }

    /// - Parameter only: The attribute needed; `nil` means all. Other attributes may be included.
    private func json(of node: Node, only: QueryAttribute?) -> [String: QueryJSON] {
        var members: [QueryAttribute: QueryJSON] = [.fullPath: .text(node.path.isEmpty ? "/" : node.path), .access: .integer(0)]
        if !node.children.isEmpty, only == nil || only == .contents {
            members[.contents] = .object(node.children.mapValues(json(of:)))
        }
        if let key = node.key { add(key, to: &members) }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.rawValue, $1) })
    }

    private func add(_ key: AddressTable.Key, to members: inout [QueryAttribute: QueryJSON]) {
        let row = table.row(key)
        let value = table.value(of: key, reading).map { isForOthers ? row.valueForOthers($0) : $0 }
        let tags = row.queryTypeTags(value)
        let arguments = row.queryArguments(tags)
        members[.type] = .text(tags)
        members[.description] = .text(row.summary)
        members[.access] = .integer(access(row))
        members[.value] = value.map { .array($0.map(QueryJSON.init)) }
        for (attribute, values) in [
            (.range, arguments.map(\.range)), (.unit, arguments.map(\.unit)), (.clipMode, arguments.map(\.clipMode)),
        ]
            as [(QueryAttribute, [QueryJSON])] where values.contains(where: { $0 != .null })
        {
            members[attribute] = .array(values)
        }
    }

    /// 1 if it can be read, 2 if it can be set, 3 for both. Setting requires that the role allows it.
    private func access(_ row: Row) -> Int64 {
        (row.read == nil ? 0 : 1) + (row.action == nil || role < row.role ? 0 : 2)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }

    /// The unescaped path; `nil` if an escape is malformed or the bytes are not UTF-8.
    private static func unescaped(_ path: String) -> String? {
        var bytes: [UInt8] = []
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let digits = String(rest.prefix(2)), digits.utf8.allSatisfy(Self.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
