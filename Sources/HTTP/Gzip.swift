import Czlib

/// Compression by zlib in the format of RFC 1952, which every browser accepts.
package enum Gzip {
    /// - Returns: The bytes, compressed as well as zlib can; `nil` if there is no memory for that.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // SAFETY: zlib requires that the stream stays where it is from its beginning to its end, which it does in this closure. The pointers to
        // input and output, with their sizes, are used only by the one call while both exist.
        return withUnsafeMutablePointer(to: &stream) { stream in
            // The largest window, and 16 for the format.
            let begun = deflateInit2_(
                stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
            guard begun == Z_OK else { return nil }
            defer { deflateEnd(stream) }
            let bound = Int(deflateBound(stream, UInt(bytes.count)))
            var input = bytes
            let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                input.withUnsafeMutableBufferPointer { input in
                    (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, UInt32(input.count))
                    (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, UInt32(bound))
                    count = deflate(stream, Z_FINISH) == Z_STREAM_END ? Int(stream.pointee.total_out) : 0
                }
            }
            return output.isEmpty ? nil : output
        }
    }
}
