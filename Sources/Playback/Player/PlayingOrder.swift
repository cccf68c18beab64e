/// The order in which a shuffled queue is played. The listed order is never touched.
///
/// A round plays each item once, beginning with the one that was current; the same seed gives the same rounds. It goes on, whatever
/// becomes of the list.
package struct PlayingOrder: Equatable, Sendable {
    package private(set) var seed: UInt64
    /// Listed indexes in the order of playing.
    package private(set) var indexes: [Int]

    package init(count: Int, first: Int?, seed: UInt64) {
        self.seed = seed
        var generator = SplitMix(state: seed)
        var rest = (0..<count).filter { $0 != first }
        rest.shuffle(using: &generator)
        indexes = (first.map { [$0] } ?? []) + rest
    }

    /// An order as it was left: listed indexes. `nil` unless each of `count` items is there once.
    package init?(_ indexes: [Int], count: Int, seed: UInt64) {
        guard indexes.count == count, Set(indexes) == Set(0..<count) else { return nil }
        self.seed = seed
        self.indexes = indexes
    }

    /// The seed alone does not give this order: somebody has chosen an item in between.
    package var isChanged: Bool { self != PlayingOrder(count: indexes.count, first: indexes.first, seed: seed) }

    /// Somebody goes from one item to another: what was played stays before it, and all others are still to come.
    mutating func go(from current: Int, to index: Int) {
        guard index != current, let old = place(of: index) else { return }
        indexes.remove(at: old)
        indexes.insert(index, at: (place(of: current) ?? -1) + 1)
    }

    // MARK: The list becomes another one, and the round goes on: what was heard stays heard

    /// An item was put into the list, at `index`. It gets a place among what is still to come after the current one, by the seed.
    mutating func insert(_ index: Int, current: Int?) {
        indexes = indexes.map { $0 >= index ? $0 + 1 : $0 }
        let toCome = (current.flatMap(place) ?? -1) + 1
        var generator = SplitMix(state: seed &+ UInt64(indexes.count))
        indexes.insert(index, at: Int.random(in: toCome...indexes.count, using: &generator))
    }

    /// The item at `index` was taken out of the list.
    mutating func remove(_ index: Int) {
        indexes.removeAll { $0 == index }
        indexes = indexes.map { $0 > index ? $0 - 1 : $0 }
    }

    /// An item was moved in the list: to other places than before, and at the same time.
    mutating func move(from: Int, to: Int) {
        indexes = indexes.map { $0.afterMove(from: from, to: to) }
    }

    package func place(of index: Int) -> Int? { indexes.firstIndex(of: index) }
}

extension Int {
    /// Where what stood at this index stands, once an item was moved.
    func afterMove(from: Int, to: Int) -> Int {
        if self == from { return to }
        if from < self, self <= to { return self - 1 }
        return to <= self && self < from ? self + 1 : self
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same everywhere.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
