import ArgumentParser
import Foundation
import Library
import PatchFiles
import Patches
import Terminal

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a new patch to start from, with comments.",
        discussion: """
            A NAME is written to the current folder as NAME.yaml, a path where it leads. An existing file is replaced only with --force. The \
            patch can be edited while it plays: whenever it is saved, it is read again.

            EXAMPLES:
              binaural new evening                           writes evening.yaml
              binaural new ~/patches/night.yaml --like deep-alpha
              binaural play evening.yaml
            """
    )

    @ArgumentParser.Argument(help: "The name or the path of the patch.", completion: .file(extensions: ["yaml"]))
    var name: String

    @Option(
        help: ArgumentHelp("Start from this patch, by name or path.", valueName: "patch"), completion: PatchCompletion.ofPatch)
    var like: String?

    @OptionGroup var replacing: OutputOptions

    func validate() throws {
        guard !name.isEmpty, !name.hasSuffix("/") else { throw ValidationError("A name is missing, as in 'binaural new evening'.") }
        guard !Library.holdsSequence(name) else {
            throw ValidationError("This writes a patch, not a sequence: use a name without .sbg or .sbxseq, not '\(name)'.")
        }
        let file = URL(filePath: path)
        if let fault = file.deletingPathExtension().lastPathComponent.patchNameFault { throw ValidationError(fault) }
    }

    func run() throws {
        let library = Library(places: .current)
        let model = try like.map { try library.loadPatch($0) }
        // The patch is the user's to edit from then on.
        let inputs = model.map { OutputRecord.inputs(of: $0.patch, from: $0.entry.path, in: library) } ?? []
        try replacing.requireFree(path, for: nil, inputs: inputs)
        var patch = model?.patch ?? .starting
        patch.details.title = ""
        let text = patch.namingSounds(from: path).template(file: ShellQuoting.word(path), documentation: Documentation.page("files.md"))
        if replacing.force { try TextFile.write(text, to: path) } else { try library.writeNewPatch(text, to: path) }
        print("\(path): play it with 'binaural play \(ShellQuoting.word(path))', and edit it while it plays.")
        if let noun = library.noun(of: name), !name.contains("/"), path != name {
            print("'\(name)' alone names a \(noun) of the library: use the file's name, as above.")
        }
    }

    /// The path of the new patch.
    private var path: String { [".yaml", ".yml"].contains(where: name.hasSuffix) ? name : name + ".yaml" }
}
