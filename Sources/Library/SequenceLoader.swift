import PatchFiles
import Patches
import SBaGen

/// Loads SBaGen sequences with what belongs to them outside their file.
struct SequenceLoader {
    /// The folder in which the program was started.
    let workingFolder: String

    /// Converts a sequence to a patch with absolute paths.
    ///
    /// - Parameter folder: That of the sequence, where its sound file is looked for first; then the working folder, as in SBaGen.
    func patch(_ bytes: [UInt8], file: String, in folder: String) throws(Diagnostics) -> Patch {
        let now = Int(TimeOfDay.now)
        var sequence = try SBaGenSequence.parse(bytes: bytes, file: file, now: now)
        if let name = sequence.options.mixFile {
            let paths = [folder, workingFolder].map { Paths.absolute(name, in: $0) }
            let path = paths.first(where: Files.exists) ?? paths[0]
            sequence.options.mixFile = path
            if let head = try? Files.read(path, limit: MixTags.reach) { sequence.options.mixGain = MixTags(head).gain }
        }
        return sequence.patch(now: now)
    }

    /// The parts of a sequence that are not played as written.
    static func remarks(_ bytes: [UInt8], file: String) throws(Diagnostics) -> [Diagnostic] {
        try SBaGenSequence.parse(bytes: bytes, file: file, now: Int(TimeOfDay.now)).remarks
    }
}
