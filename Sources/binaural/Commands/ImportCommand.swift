import ArgumentParser
import Foundation
import Library
import PatchFiles
import Patches
import RegularFiles
import SBaGen
import Terminal

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Convert an SBaGen sequence to a patch that sounds the same.",
        discussion: """
            Sequences can also be played directly; a patch can be edited. Time lines become chapters and voices become layers; the \
            samples stay exactly the same. An existing file is replaced.

            EXAMPLES:
              binaural import night.sbg -o night.yaml
            """
    )

    @ArgumentParser.Argument(help: "A sequence, by name or by path.", completion: LibraryCompletion.of(.patches, files: ["sbg", "sbxseq"]))
    var sequence: String

    @OptionGroup var sequences: DialectOption

    @Option(name: .shortAndLong, help: ArgumentHelp("The patch to write.", valueName: "file"), completion: .file(extensions: ["yaml"]))
    var output: String

    func validate() throws {
        guard ["yaml", "yml"].contains(URL(filePath: output).pathExtension) else {
            throw ValidationError("The output is a patch: give --output a name ending in .yaml, not '\(output)'.")
        }
    }

    func run() throws {
        let library = Library(places: .current, dialect: sequences.dialect)
        let (patch, entry) = try library.loadPatch(sequence)
        guard Library.holdsSequence(entry.path) else {
            throw ProgramError(.usage, "\(entry.path) is already a patch: name an SBaGen sequence (.sbg or .sbxseq).")
        }
        for remark in try library.remarks(on: entry) { StandardError.write(lines: remark.warning) }
        let text = patch.namingSounds(from: output).yaml
        guard text.utf8.count <= YAMLSource.maximumSize else {
            throw ProgramError(
                .badFile,
                "As a patch \(entry.path) would have \(text.utf8.count) bytes, and at most \(YAMLSource.maximumSize) can be read: play the sequence directly."
            )
        }
        try TextFile.write(text, to: output)
    }
}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Convert a patch to an SBaGen sequence, as far as possible.",
        discussion: """
            Warns about what a sequence cannot represent. An existing file is replaced.

            EXAMPLES:
              binaural export evening.yaml -o evening.sbg
            """
    )

    @ArgumentParser.Argument(
        help: "A patch, by name or by path.", completion: LibraryCompletion.of(.patches, files: ["yaml", "yml", "sbg", "sbxseq"]))
    var patch: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The sequence to write.", valueName: "file"), completion: .file(extensions: ["sbg"]))
    var output: String

    func validate() throws {
        guard URL(filePath: output).pathExtension == "sbg" else {
            throw ValidationError("The output is a sequence: give --output a name ending in .sbg, not '\(output)'.")
        }
    }

    func run() throws {
        let patch = try Library(places: .current).loadPatch(patch).patch
        let named = patch.namingSounds(from: output)
        let paths = Dictionary(zip(named.layers.map(\.path), patch.layers.map(\.path))) { path, _ in path }
        let (sequence, losses) = named.exported { paths[$0].flatMap(MixTags.init(path:)) }
        for loss in losses { StandardError.write(lines: "\(output): warning: \(loss.sentence)") }
        try TextFile.write(sequence, to: output)
    }
}

/// Writes a text file that appears under its name only when it is complete.
private enum TextFile {
    /// A link is followed, and its target replaced.
    static func write(_ text: String, to path: String) throws(ProgramError) {
        do throws(FileError) {
            try RegularFile.replaceTarget(of: path, with: Array(text.utf8))
        } catch {
            throw ProgramError(.cannotCreate, "Cannot write \(path): \(error.reason). Choose another place with -o.")
        }
    }
}
