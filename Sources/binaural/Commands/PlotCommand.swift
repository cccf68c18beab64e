import Application
import ArgumentParser
import Foundation
import Library
import Patches
import Pictures
import Rendering

struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw a patch over time, or all easings, into an SVG or PNG file.",
        discussion: """
            Shows pitches on a scale of notes, beats in the bands from delta to gamma, and levels in dBFS, with chapters as vertical lines. \
            The softer a layer, the fainter its line. Under the title are its length, its integrated loudness (EBU R 128) and its true peak; \
            a patch of more than two minutes is measured in 24 places. The file appears only when it is complete. One that plot wrote before \
            is replaced, unless it has changed since; any other only with --force.

            EXAMPLES:
              binaural plot deep-alpha -o deep-alpha.svg
              binaural plot evening.yaml -o evening.png --dark
              binaural plot --easings -o easings.svg
            """
    )

    @ArgumentParser.Argument(
        help: "A patch, by name or by path.", completion: LibraryCompletion.of(.patches, files: ["yaml", "yml", "sbg", "sbxseq"]))
    var item: String?

    @OptionGroup var sequences: DialectOption

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write, .svg or .png.", valueName: "file"),
        completion: .file(extensions: ["svg", "png"]))
    var output: String

    @Flag(help: "Draw the 31 easings of chapters and ramps.")
    var easings = false

    @Flag(help: "Use a dark background.")
    var dark = false

    @OptionGroup var replacing: OutputOptions

    func validate() throws {
        guard easings != (item != nil) else {
            throw ValidationError(easings ? "Give a patch or --easings, not both." : "Nothing to draw: give a patch or --easings.")
        }
        do { _ = try PictureFormat(path: output) } catch { throw ValidationError("\(error)") }
    }

    func run() throws {
        try SystemLimits.requireAddressSpace(128 << 20)
        let format = try PictureFormat(path: output)
        let library = Library(places: .current, dialect: sequences.dialect)
        let loaded = try item.map { try library.loadPatch($0) }
        let inputs = loaded.map { OutputRecord.inputs(of: $0.patch, from: $0.entry.path, in: library) } ?? []
        try replacing.requireFree(output, for: "plot", inputs: inputs)
        let bytes = try loaded.map { try picture(of: $0.patch).bytes(format) } ?? EasingPicture(isDark: dark).bytes(format)
        try PictureFile.write(bytes, to: output)
        replacing.conclude(output, by: "plot")
    }

    /// The picture of a patch with its loudness, unless one of its sound files cannot be read.
    private func picture(of patch: Patch) -> PatchPicture {
        let loudness = SoundFault.all(in: patch).isEmpty ? (try? PatchLoudness(of: patch, ceiling: -6)) : nil
        return PatchPicture(patch, facts: loudness.map { [$0.figures] } ?? [], isDark: dark)
    }
}
