import Foundation
import Library

/// A patch or session that the command line names, as another program on this machine finds it.
package struct NamedSound: Equatable, Sendable {
    /// A name of the library, or an absolute path.
    package let reference: String
    package let title: String
    package let isSession: Bool

    /// Reads patches and sessions, so that every fault is reported before anything is asked for.
    ///
    /// - Parameters:
    ///   - items: by name or by path.
    ///   - mayBeSession: Whether a single session stays one; otherwise sessions are their patches.
    ///   - warn: gets a line for everything that is not played as written.
    /// - Throws: `LibraryError` for missing and faulty files, with all their faults.
    package static func all(
        _ items: [String], mayBeSession: Bool, in library: Library = Library(places: .current), warn: (String) -> Void
    ) throws -> [NamedSound] {
        try items.flatMap { argument in
            if let entry = library.session(argument) {
                let session = NamedSound(reference: reference(to: entry), title: entry.name, isSession: true)
                let template = try library.loadTemplate(entry)
                if mayBeSession, items.count == 1 { return [session] }
                return template.items.map { item in
                    NamedSound(reference: item.patch, title: (item.patch as NSString).lastPathComponent, isSession: false)
                }
            }
            let loaded = try library.loadPatchBesideSessions(argument)
            for remark in loaded.remarks { warn(remark.warning) }
            return [NamedSound(reference: reference(to: loaded.entry), title: loaded.patch.details.title, isSession: false)]
        }
    }

    /// The other program may have another working folder.
    private static func reference(to entry: Library.Entry) -> String {
        switch entry.origin {
        case .path, .workingFolder: URL(fileURLWithPath: entry.path).standardizedFileURL.path
        default: entry.name
        }
    }
}
