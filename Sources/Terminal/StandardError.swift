import Foundation

/// Messages on standard error.
package enum StandardError {
    /// Writes whole lines; the last one gets its newline here.
    package static func write(lines: String) {
        FileHandle.standardError.write(Data((lines + "\n").utf8))
    }
}
