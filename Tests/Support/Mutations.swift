import Foundation

/// Random changes of valid inputs, the same in every run.
package struct Mutations {
    package var random: SplitMix64
    private let words: [[UInt8]]

    /// - Parameter words: What is inserted besides random bytes, for example delimiters and names that the reader knows.
    package init(seed: UInt64, words: [String]) {
        random = SplitMix64(seed: seed)
        self.words = words.map { Array($0.utf8) }
    }

    /// The number of inputs to try: a few in each run, and many in `make stress`.
    package static func count(few: Int, many: Int) -> Int { isStress ? many : few }

    /// One of the inputs with up to four changes.
    package mutating func next(of inputs: [[UInt8]]) -> [UInt8] {
        var bytes = inputs.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, inputs) }
        return bytes
    }

    /// The bytes in up to four parts.
    package mutating func parts(of bytes: [UInt8]) -> [[UInt8]] {
        let cuts = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
        return zip([0] + cuts, cuts + [bytes.count]).map { Array(bytes[$0..<$1]) }.filter { !$0.isEmpty }
    }

    private mutating func change(_ bytes: inout [UInt8], _ inputs: [[UInt8]]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4: bytes.removeSubrange(place...)
        case 5:
            let other = inputs.randomElement(using: &random) ?? []
            bytes = Array(bytes[..<place]) + other[Int.random(in: 0...other.count, using: &random)...]
        case 6:
            let count = [1, 60, 126, 2100, 4097, 9000].randomElement(using: &random) ?? 1
            bytes.insert(contentsOf: repeatElement(bytes.isEmpty ? 0 : bytes[max(0, place - 1)], count: count), at: place)
        default: bytes.replaceSubrange(place..<(Bool.random(using: &random) ? place : end), with: words.randomElement(using: &random) ?? [])
        }
    }
}
