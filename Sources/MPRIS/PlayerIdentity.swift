/// The name of the instance, and the permissions of programs in this session.
package struct PlayerIdentity: Equatable, Sendable {
    /// Shown to people.
    package var name: String
    package var mayControl: Bool
    package var mayQuit: Bool

    package init(name: String, mayControl: Bool, mayQuit: Bool) {
        (self.name, self.mayControl, self.mayQuit) = (name, mayControl, mayQuit)
    }
}
