import Glibc

/// A file descriptor that came over the bus; it is closed with the last reference.
package final class BusDescriptor: Hashable, Sendable {
    package let number: Int32

    /// Takes the descriptor over.
    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    package static func == (first: BusDescriptor, second: BusDescriptor) -> Bool { first === second }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
