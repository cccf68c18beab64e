import Synthesis
import Testing

@Suite("Integer phase")
struct PhaseTests {
    /// The phase after `k` frames, added up one by one.
    private func added(_ start: PhaseDifferences, _ k: Int) -> PhaseDifferences {
        var d = start
        for _ in 0..<k {
            d.phase &+= d.d1
            d.d1 &+= d.d2
            d.d2 &+= d.d3
            d.d3 &+= d.d4
        }
        return d
    }

    @Test("A jump of any length ends at exactly the phase of frame-by-frame addition")
    func jumps() {
        let start = PhaseDifferences(
            phase: 0xdead_beef_0123_4567, d1: 0x0123_4567_89ab_cdef, d2: 0 &- 0x1234_5678_9abc, d3: 0x9_8765_4321, d4: 0 &- 0x777_7777)
        for k in [0, 1, 2, 3, 4, 5, 7, 8, 63, 64, 1000, 4097] {
            #expect(start.advanced(by: Int64(k)) == added(start, k))
        }
        // In two jumps as in one.
        #expect(start.advanced(by: 3000).advanced(by: 1234) == start.advanced(by: 4234))
    }

    @Test("After a year, the phase of a steady or sliding tone is that of 128-bit arithmetic")
    func aYear() {
        for frames in [Int64(48_000) * 86_400 * 366, Int64(48_000) * 86_400 * 366 + 1] {
            let start = PhaseDifferences(phase: 12_345, d1: 0x0123_4567_89ab_cdef, d2: 0 &- 98_765)
            let k = Int128(frames)
            let exact = Int128(start.phase) + k * Int128(start.d1) + k * (k - 1) / 2 * -98_765
            #expect(start.advanced(by: frames).phase == UInt64(truncatingIfNeeded: exact))
        }
    }

    @Test("The lookup finds the piece of a frame and its end, wherever it begins to look")
    func pieces() {
        let pieces = [0, 10, 11, 500].map { PhasePiece(start: $0, differences: PhaseDifferences(phase: UInt64($0) * 1000, d1: 1)) }
        pieces.withUnsafeBufferPointer { buffer in
            let track = PhaseTrack(pieces: buffer.baseAddress!, count: buffer.count)
            for (frame, phase, end) in [
                (0, 0, 10), (9, 9, 10), (10, 10_000, 11), (11, 11_000, 500), (499, 11_488, 500), (500, 500_000, 9000), (600, 500_100, 9000),
            ] {
                var limit: Int64 = 9000
                #expect(track.differences(at: Int64(frame), limit: &limit).phase == UInt64(phase))
                #expect(limit == Int64(end))
                for guess in [-1, 0, 1, 2, 3, 4, .min, .max] as [Int32] {
                    var (limit, place) = (Int64(9000), guess)
                    let piece = track.piece(at: Int64(frame), limit: &limit, near: &place).pointee
                    #expect(piece == pieces[Int(place)], "frame \(frame), near \(guess)")
                    #expect(piece.differences.advanced(by: Int64(frame) - piece.start).phase == UInt64(phase))
                    #expect(limit == Int64(end))
                }
            }
        }
    }
}
