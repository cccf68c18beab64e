import Bus

/// The D-Bus interface of Avahi, the daemon that speaks multicast DNS.
enum Avahi {
    static let name = "org.freedesktop.Avahi"
    static let server = "\(name).Server"
    static let entryGroup = "\(name).EntryGroup"
    static let serviceBrowser = "\(name).ServiceBrowser"
    /// All interfaces, or both IPv4 and IPv6.
    static let any: Int32 = -1

    /// The state of the daemon: only in `running` does it take services.
    enum ServerState: Int {
        case invalid, registering, running, collision, failure
    }

    /// The state of the services that were published together.
    enum GroupState: Int {
        case uncommitted, registering, established, collision, failure
    }

    static func ofServer(_ member: String, _ arguments: [BusValue] = []) -> BusMethod {
        BusMethod(name, "/", server, member, arguments)
    }

    static func ofGroup(_ path: String, _ member: String, _ arguments: [BusValue] = []) -> BusMethod {
        BusMethod(name, path, entryGroup, member, arguments)
    }
}

extension BusError {
    /// Whether the name of a service is in use on this machine already.
    var isCollision: Bool { name == "\(Avahi.name).CollisionError" }
}
