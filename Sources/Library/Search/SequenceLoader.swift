import PatchFiles
import Patches
import SBaGen

/// Loads SBaGen sequences with what belongs to them outside their file.
struct SequenceLoader {
    /// The folder in which the program was started.
    let workingFolder: String
    /// The dialect of all sequences; `nil` lets each file decide.
    let dialect: SequenceDialect?

    /// Converts a sequence to a patch with absolute paths; the remarks are about its parts that are not played as written.
    ///
    /// Its sound file is looked for in the sequence's folder first, then in the working folder, as in SBaGen.
    func patch(_ bytes: [UInt8], path: String, file: String) throws(Diagnostics) -> (Patch, remarks: [Diagnostic]) {
        let now = Int(TimeOfDay.now)
        var (sequence, _) = try sequence(bytes, path: path, file: file, now: now)
        if let name = sequence.options.mixFile { sequence.options.mixFile = self.path(of: name, beside: folder(of: path)) }
        return (sequence.patch(now: now), sequence.remarks)
    }

    /// The paths of the files that a sequence names and that are read with it; empty if it cannot be read.
    func files(of path: String) -> [String] {
        guard let bytes = try? Library.bytes(of: path) else { return [] }
        return (try? sequence(bytes, path: path, file: path, now: Int(TimeOfDay.now)).files) ?? []
    }

    private func sequence(
        _ bytes: [UInt8], path: String, file: String, now: Int
    ) throws(Diagnostics) -> (sequence: SBaGenSequence, files: [String]) {
        let folder = folder(of: path)
        var files: [String] = []
        let sequence = try SBaGenSequence.parse(bytes: bytes, file: file, dialect: dialect, now: now) { name, limit in
            files.append(self.path(of: name, beside: folder))
            return try? Files.read(files[files.count - 1], limit: limit)
        }
        return (sequence, files)
    }

    private func folder(of path: String) -> String { Paths.absolute(Paths.folder(of: path), in: workingFolder) }

    /// The path of a file that a sequence names.
    private func path(of name: String, beside folder: String) -> String {
        let paths = [folder, workingFolder].map { Paths.absolute(name, in: $0) }
        return paths.first { (try? Files.exists($0)) ?? true } ?? paths[0]
    }
}

extension MixTags {
    /// The tags of a sound file; `nil` if it cannot be read.
    package init?(path: String) {
        guard let head = try? Files.read(path, limit: MixTags.reach) else { return nil }
        self.init(head)
    }
}
