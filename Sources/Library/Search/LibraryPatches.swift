import Glibc
import PatchFiles
import Patches
import OperatingSystem

/// Patches that the user saves. They are in the user's folder of the library.
extension Library {
    private var userPatches: String { places.dataHome + "/" + Kind.patches.rawValue }

    /// Saves a patch under a plain name. When this returns, the file is on disk; when it throws, nothing has changed.
    ///
    /// - Parameters:
    ///   - reference: The file that the patch was read from before it was changed; its comments and layout are kept where possible.
    ///   - overwrites: Whether it may replace the user's patch of that name, or take precedence over one of the program's or the
    ///     system's, which are never written.
    /// - Returns: the path of the file.
    package func savePatch(_ patch: Patch, from reference: String, as name: String, overwrites: Bool) throws(LibraryError) -> String {
        guard name.isPatchName else { throw name.isPlainName ? .reservedName(name) : .notAName(name) }
        let path = userPatches + "/" + name + ".yaml"
        try requireFree(name, path: path, overwrites: overwrites)
        let bytes = Array(((try? find(.patches, reference))?.text(revisedTo: patch) ?? patch.yaml).utf8)
        // A larger file could not be read again.
        guard bytes.count <= YAMLSource.maximumSize else { throw .tooLarge(name: name, bytes: bytes.count) }
        do throws(Diagnostics) { _ = try Patch.parse(bytes: bytes, file: path) } catch { throw .faulty(error) }
        do throws(FileError) {
            // The user's folder may be a link to that of the program.
            let others = (places.shipped + places.dataFolders).map { Paths.real($0 + "/" + Kind.patches.rawValue) }
            guard !others.contains(Paths.real(userPatches)) else { throw FileError(operation: .create, path: path, code: EROFS) }
            try Folder.make(userPatches)
            try Files.replace(path, with: bytes) { _ throws(FileError) in
                // Somebody may have taken the name meanwhile.
                if !overwrites, try Files.exists(path) { throw FileError(operation: .create, path: path, code: EEXIST) }
            }
        } catch {
            throw .cannotWrite(error)
        }
        return path
    }

    /// Throws if a patch of this name could not be found by it, or if it would replace another one without permission.
    private func requireFree(_ name: String, path: String, overwrites: Bool) throws(LibraryError) {
        let hits = list(.patches).filter { $0.name == name }
        // A patch found before those in the user's folder would be used in its place.
        if let hit = hits.first(where: { $0.origin == .workingFolder }) { throw .nameTaken(name, by: hit, canReplace: false) }
        if let session = list(.sessions).first(where: { $0.name == name }) { throw .nameTaken(name, by: session, canReplace: false) }
        // A file of another extension would be found before, or beside, the new one.
        if let hit = hits.first(where: { $0.origin == .user && $0.path != path }) { throw .nameTaken(name, by: hit, canReplace: false) }
        guard !overwrites else { return }
        if let hit = hits.first { throw .nameTaken(name, by: hit, canReplace: true) }
        do throws(FileError) {
            if try Files.exists(path) { throw FileError(operation: .create, path: path, code: EEXIST) }
        } catch {
            throw .cannotWrite(error)
        }
    }
}

extension Library {
    /// Writes a patch to a new file of the user's choice; an existing one is never replaced.
    package func writeNewPatch(_ text: String, to path: String) throws(LibraryError) {
        let path = Paths.absolute(path, in: places.workingFolder)
        let folder = Paths.folder(of: path)
        guard Files.isFolder(folder) else { throw .noFolder(folder) }
        do throws(FileError) { try RegularFile.writeNew(path, Array(text.utf8)) } catch { throw .cannotWrite(error) }
    }
}

extension Library.Entry {
    /// The text of the file with the values of a changed patch; `nil` if it cannot be made.
    fileprivate func text(revisedTo patch: Patch) -> String? {
        guard !Library.holdsSequence(path), let bytes = try? Library.bytes(of: path) else { return nil }
        return PatchRevision.text(String(decoding: bytes, as: UTF8.self), file: path, revisedTo: patch)
    }
}
