import OperatingSystem

/// Whether a PNG file is as it was written: each of its chunks has a checksum. ISO/IEC 15948:2004, 5 and annex D
enum PNGCheck {
    /// The largest picture that is looked at, in bytes.
    private static let limit = 1 << 24

    /// Whether the file is a complete picture without damage; false if it cannot be read.
    static func isWhole(_ path: String) -> Bool {
        guard let bytes = try? RegularFile.read(path, limit: limit), bytes.count <= limit,
            bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        else { return false }
        var rest = bytes[8...]
        // A chunk: its length, its name, its data and its checksum.
        while rest.count >= 12 {
            let length = Int(number(rest))
            guard length <= rest.count - 12 else { return false }
            let content = rest.dropFirst(4).prefix(4 + length)
            guard checksum(content) == number(rest.dropFirst(8 + length)) else { return false }
            rest = rest.dropFirst(12 + length)
            if content.starts(with: "IEND".utf8) { return rest.isEmpty }
        }
        return false
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
