// Render thread: the shift of an input, of which nothing is known ahead.

/// Two chains of all-pass sections with outputs a quarter of a cycle apart; their memory is owned elsewhere.
package struct HilbertShape: BitwiseCopyable {
    /// The coefficients of the first chain, then those of the second one.
    private let coefficients: UnsafePointer<Double>
    private let firstCount: Int
    private let secondCount: Int

    package init(coefficients: UnsafePointer<Double>, firstCount: Int, secondCount: Int) {
        self.coefficients = coefficients
        self.firstCount = firstCount
        self.secondCount = secondCount
    }

    /// The numbers that ``split(_:_:quadrature:count:memory:)`` remembers.
    package static func capacity(sections: Int) -> Int { 3 * (2 * (sections + 1)) + 2 }

    /// Splits two channels, in place, into what they have in common, the rest, and, in `quadrature`, the Hilbert transform of the former, all
    /// three with the phase response of the chains.
    @_noLocks @_noAllocation
    package func split(
        _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, quadrature: UnsafeMutablePointer<Float>, count: Int,
        memory: UnsafeMutablePointer<Double>
    ) {
        let size = 2 * (max(firstCount, secondCount) + 1)
        let late = memory + 3 * size
        for i in 0..<count {
            var middle = 0.5 * Double(first[i]) + 0.5 * Double(second[i])
            var rest = Double(first[i]) - middle
            if late[1] < Double(Onset.frames) {
                let level = Onset.level(atFrame: Int(late[1]))
                middle *= level
                rest *= level
                late[1] += 1
            }
            first[i] = Float(pass(middle, coefficients, firstCount, memory))
            second[i] = Float(pass(rest, coefficients, firstCount, memory + size))
            // The second chain is a frame later.
            quadrature[i] = Float(pass(late.pointee, coefficients + firstCount, secondCount, memory + 2 * size))
            late.pointee = middle
        }
    }

    /// A sample after a chain of sections (a - z^-2)/(1 - a z^-2). `memory` has the last two inputs of each section and the last two outputs.
    @_noLocks @_noAllocation
    @inline(__always)
    private func pass(_ sample: Double, _ coefficients: UnsafePointer<Double>, _ sections: Int, _ memory: UnsafeMutablePointer<Double>)
        -> Double
    {
        var value = sample
        var place = memory
        for section in 0..<sections {
            let output = coefficients[section] * (value + place[3]) - place[1]
            place[1] = place[0]
            place[0] = value
            value = output
            place += 2
        }
        place[1] = place[0]
        place[0] = value
        return value
    }
}
