import AudioFiles
import Foundation
import OperatingSystem
import Patches

/// The destination of the files: one file, a folder, or standard output.
package struct RenderPlace {
    package let path: String
    /// Whether the path is a folder, or is written as one.
    package let isFolder: Bool
    /// The form of the stream on standard output; `nil` for files.
    let stream: AudioStreamWriter.Container?

    /// Standard output.
    package init(streaming container: AudioStreamWriter.Container) {
        (path, isFolder, stream) = ("standard output", false, container)
    }

    package init(_ path: String) {
        stream = nil
        var isDirectory: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        self.path = path
        isFolder = path.hasSuffix("/") || (isThere && isDirectory.boolValue)
    }

    /// Creates the folder if it is missing.
    package func make() throws(AudioFileError) {
        guard isFolder, mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw .cannotCreate(path: path, reason: Errno.last.reason)
    }

    /// The path of a file in the folder, such as `02 Deep alpha.flac`.
    ///
    /// - Parameter number: counted from 1.
    func file(_ number: Int, of count: Int, titled title: String, _ format: FileFormat) -> String {
        let digits = max(2, String(count).count)
        let padded = String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
        return file(named: "\(padded) \(title)", ending: format.rawValue)
    }

    /// The path of a file in the folder.
    func file(named title: String, ending: String) -> String {
        var name = String(title.printable.map { $0 == "/" ? "-" : $0 })
        // File names are limited to 255 bytes.
        while name.utf8.count > 180 { name.removeLast() }
        return (path.hasSuffix("/") ? path : path + "/") + "\(name).\(ending)"
    }
}
