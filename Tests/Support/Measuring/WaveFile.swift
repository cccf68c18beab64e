import Foundation

/// The samples of a WAV file, read without the library that wrote it: PCM of 16, 24 and 32 bits, float of 32 and 64 bits, RIFF and RF64.
package struct WaveFile: Sendable {
    /// In hertz.
    package let sampleRate: Double
    /// One array per channel; full scale is 1.
    package let channels: [[Double]]

    package var frameCount: Int { channels.first?.count ?? 0 }

    package init(sampleRate: Double, channels: [[Double]]) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    package init(contentsOf path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        func name(_ offset: Int) -> String {
            String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
        }
        guard bytes.count >= 12, ["RIFF", "RF64"].contains(name(0)), name(8) == "WAVE" else {
            throw ProgramFailure("\(path) is not a WAV file")
        }
        var format: (code: Int, channels: Int, sampleRate: Int, bits: Int)?
        var data: Range<Int>?
        var longDataSize: Int?
        var position = 12
        while position + 8 <= bytes.count, data == nil {
            let (chunk, size, start) = (name(position), number(position + 4, 4), position + 8)
            switch chunk {
            case "ds64":
                longDataSize = number(start + 8, 8)
            case "fmt ":
                let code = number(start, 2)
                format = (
                    code == 0xFFFE ? number(start + 24, 2) : code, number(start + 2, 2), number(start + 4, 4), number(start + 14, 2)
                )
            case "data":
                let wanted = size == 0xFFFF_FFFF ? longDataSize ?? bytes.count - start : size
                data = start..<min(bytes.count, start + wanted)
            default:
                break
            }
            position = start + size + size % 2
        }
        guard let format, let data, let decode = WaveFile.decoder(code: format.code, bits: format.bits) else {
            throw ProgramFailure("\(path) has no samples that can be read here")
        }
        let sampleSize = format.bits / 8
        let frameCount = data.count / (sampleSize * format.channels)
        sampleRate = Double(format.sampleRate)
        channels = bytes.withUnsafeBytes { raw in
            (0..<format.channels).map { channel in
                (0..<frameCount).map { decode(raw, data.lowerBound + ($0 * format.channels + channel) * sampleSize) }
            }
        }
    }

    private static func decoder(code: Int, bits: Int) -> ((UnsafeRawBufferPointer, Int) -> Double)? {
        switch (code, bits) {
        case (1, 16): { Double($0.loadUnaligned(fromByteOffset: $1, as: Int16.self)) * 0x1p-15 }
        case (1, 24):
            {
                let low = Int32($0[$1]) | Int32($0[$1 + 1]) << 8
                return Double(low | Int32(Int8(bitPattern: $0[$1 + 2])) << 16) * 0x1p-23
            }
        case (1, 32): { Double($0.loadUnaligned(fromByteOffset: $1, as: Int32.self)) * 0x1p-31 }
        case (3, 32): { Double($0.loadUnaligned(fromByteOffset: $1, as: Float.self)) }
        case (3, 64): { $0.loadUnaligned(fromByteOffset: $1, as: Double.self) }
        default: nil
        }
    }
}
