import AudioFiles
import Foundation

/// Where the files go: one by its name, or a folder.
struct RenderPlace {
    let path: String
    /// It is one, or is named as one.
    let isFolder: Bool

    init(_ path: String) {
        var isDirectory: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        self.path = path
        isFolder = path.hasSuffix("/") || (isThere && isDirectory.boolValue)
    }

    /// Makes the folder if it is not there.
    func make() throws(AudioFileError) {
        guard isFolder, mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw .cannotCreate(path: path, reason: String(cString: strerror(errno)).lowercased())
    }

    /// `02 Deep alpha.flac` in the folder.
    ///
    /// - Parameter number: from 1.
    func file(_ number: Int, of count: Int, titled title: String, _ format: FileFormat) -> String {
        let digits = max(2, String(count).count)
        let padded = String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
        var name = String(DisplayWidth.harmless(title).map { $0 == "/" ? "-" : $0 })
        // A file's name has room for 255 bytes.
        while name.utf8.count > 180 { name.removeLast() }
        return (path.hasSuffix("/") ? path : path + "/") + "\(padded) \(name).\(format.rawValue)"
    }
}
