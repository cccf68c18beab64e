import Foundation
import Patches

/// The player's place in the queue, and its rate.
package struct QueuePlace: Equatable, Sendable {
    /// The number of the current item, from 1; 0 without a current item.
    package var index: Int
    /// The number of items.
    package var count: Int
    /// The speed of the timeline while it plays.
    package var rate: Double

    package init(index: Int = 0, count: Int = 0, rate: Double = 1) {
        (self.index, self.count, self.rate) = (index, count, rate)
    }

    /// The place as text, such as `item 1/3`, with the rate unless it is 1; empty without items.
    var text: String {
        guard count > 0 else { return "" }
        let speed = NumberText.string(from: (rate * 1000).rounded() / 1000)
        return "item \(index)/\(count)" + (rate == 1 ? "" : ", rate \(speed)")
    }
}
