import ArgumentParser
import Foundation
import Library
import Patches
import Pictures

struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draw a patch over time, or all easings, into an SVG or PNG file.",
        discussion: """
            Pitches stand on a scale of notes, beats among the bands delta to gamma, levels in dBFS; chapters go across. A line is the \
            fainter the softer its layer is. The file appears when it is complete.

            EXAMPLES:
              binaural plot deep-alpha -o deep-alpha.svg
              binaural plot evening.yaml -o evening.png --dark
              binaural plot --easings -o easings.svg
            """
    )

    @ArgumentParser.Argument(help: "A patch, by name or by path.", completion: .file(extensions: ["yaml", "sbg"]))
    var item: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write, .svg or .png.", valueName: "file"),
        completion: .file(extensions: ["svg", "png"]))
    var output: String

    @Flag(help: "Draw the 31 easings that chapters and ramps may take.")
    var easings = false

    @Flag(help: "Draw on a dark page.")
    var dark = false

    func validate() throws {
        guard easings != (item != nil) else {
            throw ValidationError(easings ? "Give a patch or --easings, not both." : "Say what to draw: a patch, or --easings.")
        }
        do { _ = try PictureFormat(path: output) } catch { throw ValidationError("\(error)") }
    }

    func run() throws {
        let format = try PictureFormat(path: output)
        let bytes =
            if let item {
                try PatchPicture(Library(places: .current).loadPatch(item).patch, isDark: dark).bytes(format)
            } else {
                try EasingPicture(isDark: dark).bytes(format)
            }
        try PictureFile.write(bytes, to: output)
    }
}
