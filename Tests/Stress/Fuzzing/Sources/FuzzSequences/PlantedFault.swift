import Glibc

/// Faults that the fuzzer must find if `FUZZ_PLANTED` plants them, in inputs with a byte that no sequence of the corpus has.
enum PlantedFault: String {
    /// The program ends.
    case crash
    /// A byte is written beyond its block, which only the sanitizer detects.
    case overflow
    /// More than a second of the processor.
    case slow
    /// More than 100 MB in small blocks.
    case large

    static let current = getenv("FUZZ_PLANTED").flatMap { PlantedFault(rawValue: String(cString: $0)) }

    private static let mark: UInt8 = 0xFF

    /// - Parameter processorSeconds: CPU time of this thread so far.
    func act(on bytes: [UInt8], _ processorSeconds: () -> Double) {
        guard bytes.contains(Self.mark) else { return }
        switch self {
        case .crash: fatalError("planted")
        case .overflow:
            let block = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
            block[bytes.count] = Self.mark
            block.deallocate()
        case .slow:
            let begin = processorSeconds()
            while processorSeconds() - begin < 1.1 {}
        case .large:
            let blocks = (0..<1010).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 100_000) }
            precondition(blocks.count == 1010)
        }
    }
}
