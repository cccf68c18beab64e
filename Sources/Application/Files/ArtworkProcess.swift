import Foundation
import OperatingSystem
import PatchFiles
import Patches
import Pictures

/// Draws pictures in a process of its own: the libraries that draw text keep more than a megabyte, and a fault of theirs must not stop
/// the sound.
package enum ArtworkProcess {
    /// The subcommand that draws: it takes the frequency of A4 in Hz and the path of the picture, and a patch on its standard input.
    package static let subcommand = "draw-artwork"

    /// Seconds after which the process ends itself: fonts on a lost network drive could hold it forever.
    package static let limit: UInt32 = 120

    /// How the program begins the line with its error.
    private static let errorMark = "binaural: error: "
    /// The number of bytes that are read of the end of what the process writes.
    private static let outputLimit = 4096

    /// Returns when the picture is there.
    static func draw(_ patch: Patch, to path: String) throws(PictureError) {
        let message: String?
        do {
            message = try failure(of: patch, path)
        } catch {
            throw .cannotDraw(reason: "cannot run binaural \(subcommand) (\(error.reason))")
        }
        if let message { throw .drawingFailed(message: message) }
    }

    /// The error of a process that has drawn no picture; `nil` if it has drawn one.
    private static func failure(of patch: Patch, _ path: String) throws(Errno) -> String? {
        // Neither process has to wait for a file, as it may for a pipe. tmpfile(3)
        guard let input = tmpfile() else { throw Errno.last }
        defer { fclose(input) }
        guard let output = tmpfile() else { throw Errno.last }
        defer { fclose(output) }
        let text = Array(patch.yaml.utf8)
        guard fwrite(text, 1, text.count, input) == text.count, fflush(input) == 0 else { throw Errno.last }
        rewind(input)
        let pid = try ChildProcess.start(
            // The program that runs, although another version may have taken its place.
            "/proc/self/exe", [subcommand, "\(patch.a4)", path], environment: ProcessInfo.processInfo.environment,
            input: fileno(input), output: fileno(output))
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { throw Errno.last } }
        guard status != 0 else { return nil }
        if fseek(output, -outputLimit, SEEK_END) != 0 { rewind(output) }
        var words = [UInt8](repeating: 0, count: outputLimit)
        words.removeLast(words.count - fread(&words, 1, words.count, output))
        let line = String(decoding: words, as: UTF8.self).split(separator: "\n").last { $0.hasPrefix(errorMark) }
        if let line { return String(line.dropFirst(errorMark.count)) }
        if status & 0x7F == SIGALRM { return "It was not drawn within \(limit) s." }
        return "binaural \(subcommand) ended with \(status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)")."
    }

    /// The remedy for a picture that cannot be written to the cache, after a space; empty for any other error.
    package static func remedy(for error: PictureError) -> String {
        switch error {
        case .cannotCreate, .cannotWrite: " Check $XDG_CACHE_HOME and ~/.cache."
        case .cannotDraw, .drawingFailed, .unknownFormat: ""
        }
    }
}
