/// The order in which a shuffled queue is played. The listed order is never changed.
///
/// A round plays each item once, beginning with the current one; the same seed gives the same rounds. The round continues when the list
/// changes.
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

    /// Restores an order from its listed indexes. `nil` unless each of `count` items occurs once.
    package init?(_ indexes: [Int], count: Int, seed: UInt64) {
        guard indexes.count == count, Set(indexes) == Set(0..<count) else { return nil }
        self.seed = seed
        self.indexes = indexes
    }

    /// Whether the order differs from the seed's, because items were selected out of turn.
    package var isChanged: Bool { self != PlayingOrder(count: indexes.count, first: indexes.first, seed: seed) }

    /// Moves to a selected item: played items stay before it, and all others are still to come.
    mutating func go(from current: Int, to index: Int) {
        guard index != current, let old = place(of: index) else { return }
        indexes.remove(at: old)
        indexes.insert(index, at: (place(of: current) ?? -1) + 1)
    }

    // MARK: Changes of the list, during which the round continues and keeps what was played

    /// Inserts the item at `index` of the list, at a place after the current one that is chosen by the seed.
    mutating func insert(_ index: Int, current: Int?) {
        indexes = indexes.map { $0 >= index ? $0 + 1 : $0 }
        let toCome = (current.flatMap(place) ?? -1) + 1
        var generator = SplitMix(state: seed &+ UInt64(indexes.count))
        indexes.insert(index, at: Int.random(in: toCome...indexes.count, using: &generator))
    }

    /// Removes the item at `index` of the list.
    mutating func remove(_ index: Int) {
        indexes.removeAll { $0 == index }
        indexes = indexes.map { $0 > index ? $0 - 1 : $0 }
    }

    /// Follows a move of an item in the list; the playing order stays the same.
    mutating func move(from: Int, to: Int) {
        indexes = indexes.map { $0.afterMove(from: from, to: to) }
    }

    package func place(of index: Int) -> Int? { indexes.firstIndex(of: index) }
}

extension Int {
    /// This index after an item was moved in the list.
    func afterMove(from: Int, to: Int) -> Int {
        if self == from { return to }
        if from < self, self <= to { return self - 1 }
        return to <= self && self < from ? self + 1 : self
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same on every system.
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
