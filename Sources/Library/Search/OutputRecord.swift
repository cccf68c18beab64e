import Glibc
import Patches
import OperatingSystem

/// The files that commands have written to places of the user's choice, so that a command may write its own again.
///
/// A file is known by its state and not by its name: one that was changed, or that somebody else has put there, is not replaced. The record
/// is the file `outputs` among the program's state, with a line for each output.
package struct OutputRecord: Sendable {
    private let folder: String
    private var file: String { folder + "/outputs" }

    /// The most outputs that are remembered; the oldest are forgotten first.
    private static let limit = 1000

    package init(places: Places) { folder = places.stateHome }

    /// The paths of all files that a patch is made from: its own, those of its sounds and its artwork, and those that a sequence reads.
    ///
    /// - Parameters:
    ///   - file: That of the patch.
    ///   - library: The one that has loaded the patch.
    package static func inputs(of patch: Patch, from file: String, in library: Library) -> [String] {
        let sounds = patch.layers.filter { $0.kind == .file }.map(\.path)
        let read = Library.holdsSequence(file) ? library.sequences.files(of: file) : []
        return [file] + sounds + (patch.details.artwork.isEmpty ? [] : [patch.details.artwork]) + read
    }

    /// Throws unless a command may write to a path. Nothing is opened there. If the path is a link, the file that it names counts.
    ///
    /// Folders, pipes and devices are refused later, when the file is written.
    ///
    /// - Parameters:
    ///   - command: The subcommand, such as `render`, which may replace what it wrote before; `nil` for none.
    ///   - inputs: The paths of all files that the output is made from. None of them is replaced, even if `replaces` is true.
    ///   - replaces: Whether any other file may be replaced.
    package func requireFree(_ path: String, for command: String?, inputs: [String], replaces: Bool) throws(OutputError) {
        let target = RegularFile.replacement(of: path).target
        let present: FileIdentity?
        do throws(FileError) {
            let (kind, isLink) = (try FileKind.at(target), try FileKind.isLink(path))
            guard kind == .regular || kind == nil && isLink else { return }
            present = try FileIdentity(target)
        } catch {
            throw .cannotCreate(path: path, reason: error.reason)
        }
        guard let state = present else {
            if replaces { return }
            throw .isBrokenLink(path: path, target: target)
        }
        if let input = try Self.input(among: inputs, thatIs: state, calledBy: path) { throw .isInput(path: path, input: input) }
        guard !replaces else { return }
        guard let command, lines.contains(Self.line(state, command)) else { throw .exists(path: path, command: command) }
    }

    /// Throws if an open file, such as standard output, is one of those that the output is made from: a command that reads and writes it would
    /// damage it.
    package static func requireNoInput(_ descriptor: Int32, calledBy name: String, inputs: [String]) throws(OutputError) {
        guard let state = FileIdentity(descriptor: descriptor) else { return }
        if let input = try input(among: inputs, thatIs: state, calledBy: name) { throw .goesIntoInput(name: name, input: input) }
    }

    private static func input(
        among inputs: [String], thatIs state: FileIdentity, calledBy path: String
    ) throws(OutputError) -> String? {
        for input in inputs {
            do throws(FileError) {
                if try FileIdentity(input)?.isOfSameFile(as: state) == true { return input }
            } catch {
                throw .cannotCreate(path: path, reason: "it may be '\(input)', which cannot be looked at (\(error.reason))")
            }
        }
        return nil
    }

    /// Remembers a file that a command has just written.
    ///
    /// - Returns: A warning if the record cannot be kept: then the file is later replaced only if the user says so.
    package func add(_ path: String, by command: String) -> String? {
        do throws(FileError) {
            guard let state = try FileIdentity(RegularFile.replacement(of: path).target) else { return nil }
            try Folder.make(folder)
            try add(Self.line(state, command), holding: try takeLock())
            return nil
        } catch {
            return """
                \(path): warning: 'binaural \(command)' will not replace this file without --force, since its record in \(folder) \
                cannot be written: \(error.reason)
                """
        }
    }

    private func add(_ line: String, holding _: borrowing LockFile) throws(FileError) {
        let text = (lines + [line]).suffix(Self.limit).map { $0 + "\n" }.joined()
        try RegularFile.replace(file, with: Array(text.utf8), by: file + ".tmp", permissions: 0o600, isDurable: false)
    }

    /// Commands that end at the same time add their lines one after the other.
    private func takeLock() throws(FileError) -> LockFile {
        let path = file + ".lock"
        do throws(LockFile.Refusal) {
            return try LockFile.waiting(for: path)
        } catch {
            switch error {
            case .failed(let failure): throw failure
            case .heldBy: throw FileError(operation: .lock, path: path, code: EBUSY)
            }
        }
    }

    private static func line(_ state: FileIdentity, _ command: String) -> String { "\(command) \(state.text)" }

    private var lines: [String] {
        guard let bytes = try? Files.read(file, limit: 1 << 20) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// Why a command may not write to a place of the user's choice; the description says what to do.
package enum OutputError: Error, Equatable, CustomStringConvertible {
    case isInput(path: String, input: String)
    /// An open file, such as standard output, is one that is read.
    case goesIntoInput(name: String, input: String)
    /// There is a file that the command did not write, or that has changed since. The command is `nil` if it replaces none of its own either.
    case exists(path: String, command: String?)
    /// There is a link to a missing file.
    case isBrokenLink(path: String, target: String)
    case cannotCreate(path: String, reason: String)

    package var description: String {
        switch self {
        case .isInput(let path, let input):
            "Cannot create '\(path)': this would replace '\(input)', which the output is made from. Choose another place."
        case .goesIntoInput(let name, let input):
            "Cannot write to \(name): it goes into '\(input)', which the output is made from. Send it to another file."
        case .exists(let path, nil): "Cannot create '\(path)': the file exists. Choose another name, or replace the file with --force."
        case .exists(let path, let command?):
            """
            Cannot create '\(path)': the file exists, and 'binaural \(command)' did not write it, or it has changed since. Choose another \
            place, or replace the file with --force.
            """
        case .isBrokenLink(let path, let target):
            "Cannot create '\(path)': it is a link to '\(target)', which is missing. Choose another place, or create that file with --force."
        case .cannotCreate(let path, let reason): "Cannot create '\(path)': \(reason). Choose another place."
        }
    }
}
