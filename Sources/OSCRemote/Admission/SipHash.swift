/// SipHash-2-4: a 64-bit keyed hash that looks random to anybody without the key.
///
/// After J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", 2012.
struct SipHash {
    private let key: (UInt64, UInt64)

    init(key: (UInt64, UInt64)) { self.key = key }

    func callAsFunction(_ bytes: [UInt8]) -> UInt64 {
        var state = State(key)
        var word: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word |= UInt64(byte) << UInt64(index % 8 * 8)
            if index % 8 == 7 {
                state.absorb(word)
                word = 0
            }
        }
        state.absorb(word | UInt64(truncatingIfNeeded: bytes.count) << 56)
        return state.finish()
    }

    private struct State {
        private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64)

        init(_ key: (UInt64, UInt64)) {
            // "somepseudorandomlygeneratedbytes"
            v0 = key.0 ^ 0x736f_6d65_7073_6575
            v1 = key.1 ^ 0x646f_7261_6e64_6f6d
            v2 = key.0 ^ 0x6c79_6765_6e65_7261
            v3 = key.1 ^ 0x7465_6462_7974_6573
        }

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func finish() -> UInt64 {
            v2 ^= 0xFF
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func round() {
            v0 &+= v1
            v1 = v0 ^ v1.rotated(by: 13)
            v0 = v0.rotated(by: 32)
            v2 &+= v3
            v3 = v2 ^ v3.rotated(by: 16)
            v0 &+= v3
            v3 = v0 ^ v3.rotated(by: 21)
            v2 &+= v1
            v1 = v2 ^ v1.rotated(by: 17)
            v2 = v2.rotated(by: 32)
        }
    }
}

extension UInt64 {
    fileprivate func rotated(by bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }
}
