/// An interface of D-Bus: what Introspect shows, what arguments are checked against, and what answers a call.
struct InterfaceDescription: Sendable {
    struct Argument: Sendable {
        let name: String
        let type: String

        init(_ name: String, _ type: String) { (self.name, self.type) = (name, type) }
    }

    struct Method: Sendable {
        /// Answers a call whose arguments have the right types.
        typealias Handler = @Sendable (MediaPlayerServer, MethodCall, @escaping MediaPlayerServer.Reply) -> Void

        let name: String
        let takes: [Argument]
        let returns: [Argument]
        /// Whether every program may call it; all others need the role `control`.
        let isOpenToAll: Bool
        /// Whether it makes the program read a file.
        let opensFile: Bool
        let handler: Handler

        init(
            _ name: String, _ takes: [Argument] = [], returns: [Argument] = [], isOpenToAll: Bool = false, opensFile: Bool = false,
            _ handler: @escaping Handler
        ) {
            (self.name, self.takes, self.returns) = (name, takes, returns)
            (self.isOpenToAll, self.opensFile, self.handler) = (isOpenToAll, opensFile, handler)
        }
    }

    struct Signal: Sendable {
        let name: String
        let carries: [Argument]

        init(_ name: String, _ carries: [Argument]) { (self.name, self.carries) = (name, carries) }
    }

    /// How PropertiesChanged reports a property.
    enum Reporting: String, Sendable {
        case value = "true"
        case invalidation = "invalidates"
        case never = "false"
    }

    struct Property: Sendable {
        let name: String
        let type: String
        let isWritable: Bool
        let reporting: Reporting

        init(_ name: String, _ type: String, isWritable: Bool = false, _ reporting: Reporting = .value) {
            (self.name, self.type, self.isWritable, self.reporting) = (name, type, isWritable, reporting)
        }
    }

    let name: String
    var methods: [Method] = []
    var signals: [Signal] = []
    var properties: [Property] = []

    func method(_ name: String) -> Method? { methods.first { $0.name == name } }

    func property(_ name: String) -> Property? { properties.first { $0.name == name } }

    /// The description that the method Introspect returns. D-Bus specification, Introspection Data Format
    var xml: String {
        func arguments(_ arguments: [Argument], _ direction: String) -> String {
            arguments.map { "<arg name=\"\($0.name)\" type=\"\($0.type)\"\(direction)/>" }.joined()
        }
        var text = "<interface name=\"\(name)\">"
        for method in methods {
            text += "<method name=\"\(method.name)\">" + arguments(method.takes, " direction=\"in\"")
            text += arguments(method.returns, " direction=\"out\"") + "</method>"
        }
        for signal in signals { text += "<signal name=\"\(signal.name)\">" + arguments(signal.carries, "") + "</signal>" }
        for property in properties {
            text +=
                "<property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(property.isWritable ? "readwrite" : "read")\">"
            text +=
                "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(property.reporting.rawValue)\"/></property>"
        }
        return text + "</interface>"
    }
}
