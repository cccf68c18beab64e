import PatchFiles
import Patches
import SBaGen

/// Loads SBaGen sequences with what belongs to them outside their file.
struct SequenceLoader {
    /// The folder in which the program was started.
    let workingFolder: String
    /// The dialect of all sequences; `nil` lets each file decide.
    let dialect: SequenceDialect?

    /// Converts a sequence to a patch with absolute paths.
    ///
    /// Its sound file is looked for in the sequence's folder first, then in the working folder, as in SBaGen.
    func patch(_ bytes: [UInt8], path: String, file: String) throws(Diagnostics) -> Patch {
        let folder = Paths.absolute(Paths.folder(of: path), in: workingFolder)
        let now = Int(TimeOfDay.now)
        var sequence = try SBaGenSequence.parse(bytes: bytes, file: file, dialect: dialect, now: now, files: formulas(beside: folder))
        if let name = sequence.options.mixFile {
            let path = self.path(of: name, beside: folder)
            sequence.options.mixFile = path
            if let head = try? Files.read(path, limit: MixTags.reach) { sequence.options.mixGain = MixTags(head).gain }
        }
        return sequence.patch(now: now)
    }

    /// The parts of a sequence that are not played as written.
    func remarks(_ bytes: [UInt8], path: String, file: String) throws(Diagnostics) -> [Diagnostic] {
        let folder = Paths.absolute(Paths.folder(of: path), in: workingFolder)
        return try SBaGenSequence.parse(
            bytes: bytes, file: file, dialect: dialect, now: Int(TimeOfDay.now), files: formulas(beside: folder)
        ).remarks
    }

    /// The path of a file that a sequence names.
    private func path(of name: String, beside folder: String) -> String {
        let paths = [folder, workingFolder].map { Paths.absolute(name, in: $0) }
        return paths.first(where: Files.exists) ?? paths[0]
    }

    private func formulas(beside folder: String) -> (String) -> [UInt8]? {
        { name in try? Files.read(path(of: name, beside: folder), limit: SBaGenSequence.formulaSize) }
    }
}
