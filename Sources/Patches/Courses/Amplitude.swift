/// Levels as ratios: 1 is full scale, the same bits on every system.
package enum Amplitude {
    /// The ratio of a level in dB; 0 at -120 and below, which is off.
    package static func ratio(_ decibels: Double) -> Double {
        decibels <= Parameter.off ? 0 : PortableMath.exp2(decibels * log2PerDecibel)
    }

    /// The level of a ratio in dB, at least -120.
    package static func decibels(_ ratio: Double) -> Double {
        ratio > 0 ? max(PortableMath.log2(ratio) / log2PerDecibel, Parameter.off) : Parameter.off
    }

    /// log2(10) / 20
    private static let log2PerDecibel = 0.16609640474436811739
}
