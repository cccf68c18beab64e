import Application
import ArgumentParser
import Foundation
import PatchFiles
import Patches
import Pictures

/// Draws the picture for now playing, for the running instance.
struct DrawArtworkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ArtworkProcess.subcommand, abstract: "Draw the picture for now playing of the patch on standard input.",
        shouldDisplay: false)

    @ArgumentParser.Argument(help: "The frequency of A4 in Hz for a patch without a tuning of its own.")
    var a4: Double

    @ArgumentParser.Argument(help: "The file to write.")
    var output: String

    func run() throws {
        // The sound comes first.
        _ = nice(10)
        alarm(ArtworkProcess.limit)
        let text = try FileHandle.standardInput.readToEnd() ?? Data()
        do {
            var patch = try Patch.parse(bytes: Array(text), file: "the patch", limit: .max)
            patch.tune(toA4: a4)
            try ArtworkCache.draw(patch, to: output)
        } catch let error as Diagnostics {
            throw ProgramError(.badFile, "The patch cannot be read: \(error.all.first?.fault.words.found ?? "no fault is known").")
        } catch let error as PictureError {
            throw ProgramError(ExitStatus(error), "\(error)\(ArtworkProcess.remedy(for: error))")
        }
    }
}
