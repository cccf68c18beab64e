/// The objects that this program offers.
struct ServedObjects {
    private struct Object {
        let includesChildren: Bool
        let handler: (BusCall) -> Void
    }

    private var objects: [String: Object] = [:]

    private static let introspectable = "org.freedesktop.DBus.Introspectable"

    mutating func serve(_ path: String, includingChildren: Bool, _ handler: @escaping (BusCall) -> Void) {
        objects[path] = Object(includesChildren: includingChildren, handler: handler)
    }

    /// Hands a call to its object.
    ///
    /// - Returns: whether it was answered; libsystemd answers Peer, and with an error where there is no such object.
    func answer(_ call: BusMessage, on link: BusLink) -> Bool {
        let path = call.path
        if call.interface == "org.freedesktop.DBus.Peer" { return false }
        let handler = objects[path]?.handler ?? objects.first { $0.value.includesChildren && path.hasPrefix($0.key + "/") }?.value.handler
        if let handler {
            handler(BusCall(call, on: link))
            return true
        }
        let children = children(of: path)
        guard call.interface == Self.introspectable, call.member == "Introspect", !children.isEmpty else { return false }
        let nodes = children.map { "<node name=\"\($0)\"/>" }.joined()
        BusCall(call, on: link).reply([.string("<node>\(nodes)</node>")])
        return true
    }

    /// The names of the next elements on the way to the objects below a path.
    private func children(of path: String) -> [String] {
        let start = path == "/" ? "/" : path + "/"
        let names = objects.keys.filter { $0.hasPrefix(start) }.compactMap { $0.dropFirst(start.count).split(separator: "/").first }
        return Set(names.map(String.init)).sorted()
    }
}
