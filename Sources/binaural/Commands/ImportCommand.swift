import ArgumentParser
import Foundation
import Library
import PatchFiles
import Patches
import SBaGen
import Terminal

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Convert an SBaGen sequence to a patch that sounds the same.",
        discussion: """
            Sequences can also be played directly; a patch can be edited. Time lines become chapters and voices become layers; the \
            samples stay exactly the same. A file that import wrote before is replaced, unless it has changed since; any other only with --force.

            EXAMPLES:
              binaural import night.sbg -o night.yaml
            """
    )

    @ArgumentParser.Argument(help: "A sequence, by name or by path.", completion: LibraryCompletion.of(.patches, files: ["sbg", "sbxseq"]))
    var sequence: String

    @OptionGroup var sequences: DialectOption

    @Option(name: .shortAndLong, help: ArgumentHelp("The patch to write.", valueName: "file"), completion: .file(extensions: ["yaml"]))
    var output: String

    @OptionGroup var replacing: OutputOptions

    func validate() throws {
        guard ["yaml", "yml"].contains(URL(filePath: output).pathExtension) else {
            throw ValidationError("The output is a patch: give --output a name ending in .yaml, not '\(output)'.")
        }
    }

    func run() throws {
        let library = Library(places: .current, dialect: sequences.dialect)
        let loaded = try library.loadPatch(sequence)
        let (patch, entry) = (loaded.patch, loaded.entry)
        guard Library.holdsSequence(entry.path) else {
            throw ProgramError(.usage, "\(entry.path) is already a patch: name an SBaGen sequence (.sbg or .sbxseq).")
        }
        try replacing.requireFree(output, for: "import", inputs: OutputRecord.inputs(of: patch, from: entry.path, in: library))
        for remark in loaded.remarks { StandardError.write(lines: remark.warning) }
        let text = patch.namingSounds(from: output).yaml
        guard text.utf8.count <= YAMLSource.maximumSize else {
            throw ProgramError(
                .badFile,
                "As a patch \(entry.path) would have \(text.utf8.count) bytes, and at most \(YAMLSource.maximumSize) can be read: play the sequence directly."
            )
        }
        try TextFile.write(text, to: output)
        replacing.conclude(output, by: "import")
    }
}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Convert a patch to an SBaGen sequence, as far as possible.",
        discussion: """
            Warns about what a sequence cannot represent, and about voices that SBaGen itself refuses. With --for sbagen it writes none: \
            noise becomes pink, waveforms become sines, pulses are left out, and each of these losses is reported. A file that export wrote before is \
            replaced, unless it has changed since; any other only with --force.

            EXAMPLES:
              binaural export evening.yaml -o evening.sbg
              binaural export evening.yaml -o evening.sbg --for sbagen
            """
    )

    @ArgumentParser.Argument(
        help: "A patch, by name or by path.", completion: LibraryCompletion.of(.patches, files: ["yaml", "yml", "sbg", "sbxseq"]))
    var patch: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The sequence to write.", valueName: "file"), completion: .file(extensions: ["sbg"]))
    var output: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Write only what this program reads: sbagen is SBaGen 1.4.4.", valueName: "program"))
    var program: Program?

    enum Program: String, CaseIterable, ExpressibleByArgument { case sbagen }

    @OptionGroup var replacing: OutputOptions

    func validate() throws {
        guard URL(filePath: output).pathExtension == "sbg" else {
            throw ValidationError("The output is a sequence: give --output a name ending in .sbg, not '\(output)'.")
        }
    }

    func run() throws {
        let library = Library(places: .current)
        let loaded = try library.loadPatch(patch)
        let patch = loaded.patch
        try replacing.requireFree(output, for: "export", inputs: OutputRecord.inputs(of: patch, from: loaded.entry.path, in: library))
        let named = patch.namingSounds(from: output)
        let paths = Dictionary(zip(named.layers.map(\.path), patch.layers.map(\.path))) { path, _ in path }
        let (sequence, losses, laterVoices, isSilent) = named.exported(forSBaGen: program == .sbagen) {
            paths[$0].flatMap(MixTags.init(path:))
        }
        for loss in losses { StandardError.write(lines: "\(output): warning: \(loss.sentence)") }
        guard !isSilent else {
            throw ProgramError(
                .badFile,
                "Cannot write \(output): a sequence can hold no layer of this patch, for the reasons above. Play the patch itself, or add a layer such as a tone or pink noise."
            )
        }
        if !laterVoices.isEmpty {
            let voices = laterVoices.map { "`\($0)`" }.joined(separator: ", ")
            let reason = "SBaGen refuses this file because of \(voices)"
            StandardError.write(lines: "\(output): warning: \(reason): play it with binaural or SBaGenX, or use --for sbagen")
        }
        try TextFile.write(sequence, to: output)
        replacing.conclude(output, by: "export")
    }
}
