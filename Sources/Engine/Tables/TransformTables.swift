import Patches
import Synchronization
import Synthesis

/// The tables of the transform that turns a spectrum into a block of noise: the same for all colours.
final class TransformTables: Sendable {
    /// Samples of a block, a power of two.
    let length: Int
    /// As ``NoiseShape`` wants them.
    let twiddles: PieceMemory<Float>
    /// Half a sine.
    let window: PieceMemory<Float>

    private static let known = SharedTables<Int, TransformTables>()

    static func tables(length: Int) -> TransformTables { known.tables(length) { TransformTables(length: length) } }

    private init(length: Int) {
        self.length = length
        // A quarter of a sine has all values, each exactly what it would be by itself.
        let quarter = (0...length).map { Float(PortableMath.sine(turns: Double($0) / Double(4 * length))) }
        /// The sine of a number of cycles of the length 4 * `length`, up to one cycle.
        func sine(_ index: Int) -> Float {
            let place = index & (2 * length - 1)
            let value = quarter[min(place, 2 * length - place)]
            return index & (2 * length) == 0 ? value : -value
        }
        /// Cosines and then sines of multiples of `part`.
        func turns(_ count: Int, by part: Int) -> [Float] {
            (0..<count).map { sine(length + $0 * part) } + (0..<count).map { sine($0 * part) }
        }
        var twiddles: [Float] = []
        var span = 8
        if length.trailingZeroBitCount & 1 == 0 {
            twiddles += turns(span, by: length / 4)
            span = 16
        }
        while span < length {
            for factor in [2, 1, 3] { twiddles += turns(span, by: factor * length / span) }
            span *= 4
        }
        self.twiddles = PieceMemory(twiddles)
        window = PieceMemory((0..<length).map { sine(2 * $0 + 1) })
    }
}

/// A window whose spectrum falls far more steeply than that of half a sine, `sin(π/2 sin²(π(j + 1/2)/length))` (Vorbis I specification, 4.3.1), with
/// the same sum of overlapping squares.
final class SmoothWindow: Sendable {
    let values: PieceMemory<Float>

    private static let known = SharedTables<Int, SmoothWindow>()

    static func window(length: Int) -> SmoothWindow { known.tables(length) { SmoothWindow(length: length) } }

    private init(length: Int) {
        values = PieceMemory(
            (0..<length).map { index in
                let half = PortableMath.sine(turns: (Double(index) + 0.5) / Double(2 * length))
                return Float(PortableMath.sine(turns: half * half / 4))
            })
    }
}

/// Tables that exist once, as long as a plan uses them.
final class SharedTables<Key: Hashable & Sendable, Tables: AnyObject & Sendable>: Sendable {
    private struct Entry {
        weak var tables: Tables?
    }

    private let known = Mutex<[Key: Entry]>([:])

    /// The tables of a key; made if there are none.
    func tables(_ key: Key, _ make: () -> Tables) -> Tables {
        if let tables = known.withLock({ $0[key]?.tables }) { return tables }
        let made = make()
        return known.withLock { known in
            if let tables = known[key]?.tables { return tables }
            known = known.filter { $0.value.tables != nil }
            known[key] = Entry(tables: made)
            return made
        }
    }
}
