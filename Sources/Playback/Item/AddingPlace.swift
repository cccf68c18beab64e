/// Where in the queue an item is added.
package enum AddingPlace: String, CaseIterable, Equatable, Sendable {
    case last
    /// Behind the current item, also in a shuffled order.
    case next
}
