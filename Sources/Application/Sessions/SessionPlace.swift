import Foundation
import Library
import Patches
import OperatingSystem

/// The session that `--session` names.
enum SessionPlace: Equatable {
    /// A session of the library.
    case name(String)
    /// A file: an absolute path.
    case file(String)

    /// The place that the option names; `nil` without one.
    init?(option text: String?, _ library: Library) throws(ApplicationError) {
        guard let text else { return nil }
        self = try SessionPlace(text, library)
    }

    /// - Parameter text: a path if it has a `/` or ends in `.yaml` or `.yml`, a name otherwise.
    /// - Throws: `ApplicationError` for an invalid name, a folder that does not exist, and a file that holds a patch.
    init(_ text: String, _ library: Library) throws(ApplicationError) {
        guard text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml") else {
            guard text.isSessionName else {
                throw ApplicationError(
                    .usage, "--session takes the name of a session, or the path of a file (with a / or ending in .yaml), not '\(text)'.")
            }
            self = .name(text)
            return
        }
        guard !text.hasSuffix("/") else {
            throw ApplicationError(.usage, "--session takes the path of a file, not a folder: add a name, as in '\(text)session.yaml'.")
        }
        let url = URL(
            fileURLWithPath: text, relativeTo: URL(fileURLWithPath: library.places.workingFolder, isDirectory: true)
        ).standardizedFileURL
        let folder = url.deletingLastPathComponent().path
        guard (try? FileKind.at(folder)) == .folder else {
            throw ApplicationError(
                .cannotCreate, "There is no folder \(folder) for the session: create it, or choose another place with --session.")
        }
        if !Library.holdsSession(url.path), (try? library.loadPatch(url.path)) != nil {
            throw ApplicationError(
                .badFile, "\(text) is a patch, not a session. To play it, and save the session elsewhere, use 'binaural play \(text)'.")
        }
        self = .file(url.path)
    }
}
