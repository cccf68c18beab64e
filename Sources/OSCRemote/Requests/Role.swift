import OSC

/// The permissions of a peer; each role includes those before it.
package enum Role: String, CaseIterable, Comparable, Sendable {
    /// Read and subscribe.
    case view
    /// Give commands and set properties.
    case control
    /// End the program.
    case admin

    package static func < (a: Role, b: Role) -> Bool {
        switch (a, b) {
        case (.view, .control), (.view, .admin), (.control, .admin): true
        default: false
        }
    }
}

/// `CIDR=view|control|admin`: the role of an address range beyond this machine.
package struct AccessRule: Hashable, Sendable, LosslessStringConvertible {
    package let range: IPAddressRange
    package let role: Role

    package init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let range = IPAddressRange(String(parts[0])), let role = Role(rawValue: String(parts[1])) else {
            return nil
        }
        self.range = range
        self.role = role
    }

    package var description: String { "\(range)=\(role.rawValue)" }
}
