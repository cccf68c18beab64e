import Bus

/// A call of a method of the player's object.
package struct MethodCall {
    /// Empty if the caller named none.
    package var interface: String
    package var member: String
    package var arguments: [BusValue]
    /// The unique name of the caller.
    package var sender: String

    package init(_ interface: String, _ member: String, _ arguments: [BusValue] = [], sender: String) {
        (self.interface, self.member, self.arguments, self.sender) = (interface, member, arguments, sender)
    }

    // The types of the arguments are checked before a method is carried out.

    func text(_ index: Int) -> String { arguments.indices.contains(index) ? arguments[index].text ?? "" : "" }

    func number(_ index: Int) -> Int64 { Int64(arguments.indices.contains(index) ? arguments[index].integer ?? 0 : 0) }

    func flag(_ index: Int) -> Bool { arguments.indices.contains(index) && arguments[index] == .bool(true) }
}
