import Foundation
import Library
import PatchFiles
import Patches
import OperatingSystem

/// A session of a session manager: its folder and its names.
package struct ManagedSession {
    package let link: any SessionManagerPort
    let folder: String
    let displayName: String
    package let clientID: String
    /// The user's own folders.
    let own: Places

    /// Seconds to wait for the manager's answer. A manager that has started this program answers at once.
    private static let patience = 5.0

    package var file: String { folder + "/session.yaml" }

    /// - Throws: `ApplicationError` for an invalid folder or name.
    init(
        link: any SessionManagerPort, folder: String, displayName: String, clientID: String, own: Places = .current
    ) throws(ApplicationError) {
        guard folder.hasPrefix("/"), clientID.isClientName else {
            throw ApplicationError(.usage, "Expected an absolute path and a JACK client name, not '\(folder)' and '\(clientID)'.")
        }
        (self.link, self.folder, self.displayName, self.clientID, self.own) = (link, folder, displayName, clientID, own)
    }

    /// Announces the program to the manager named by NSM_URL and waits for the session to open; `nil` if there is no manager, or none that
    /// answers.
    ///
    /// - Throws: `ApplicationError` if the manager refuses the program.
    package static func await(environment: [String: String], notice: (String) -> Void) throws -> ManagedSession? {
        guard let url = environment["NSM_URL"], !url.isEmpty else { return nil }
        let link: SessionManagerLink
        do throws(SessionManagerLink.Fault) { link = try SessionManagerLink(url: url) } catch { throw ApplicationError(.usage, "\(error)") }
        link.notify(
            .announcement(
                name: "Binaural", capabilities: ":switch:dirty:progress:message:", program: CommandLine.arguments[0], pid: getpid()))
        var limit = patience
        while let request = link.wait(seconds: limit) {
            switch request {
            // From now on, the manager may take its time.
            case .welcome: limit = 86_400
            case .refusal(let code, let text):
                throw ApplicationError(.unavailable, "The session manager refused this program (\(code)): \(text)")
            case .open(let path, let displayName, let clientID):
                do throws(ApplicationError) {
                    return try ManagedSession(link: link, folder: path, displayName: displayName, clientID: clientID)
                } catch {
                    // The manager may send a valid request later.
                    link.refuse(error)
                }
            case .save, .sessionIsLoaded: continue
            }
        }
        notice("No session manager answers at \(url) (NSM_URL): playing without one.")
        return nil
    }

    /// Reports an error to the manager, if the session is not open yet.
    package func notify(_ error: any Error) {
        guard !link.hasOpened else { return }
        link.refuse(error)
    }

    /// Notifies the manager's user if JACK has assigned another name, since the requested one was taken.
    func notify(clientName: String) {
        guard clientName != clientID else { return }
        link.notify(.text("The JACK client name \(clientID) is in use: this instance is \(clientName).", importance: 2))
    }

    /// Creates the folder if it is missing.
    func makeFolder() throws(ApplicationError) {
        do throws(FileError) { try Folder.make(folder) } catch { throw ApplicationError(.cannotCreate, "\(error)") }
    }

    /// The places of this session: everything that the program saves is in the session's folder.
    var places: Places {
        var places = own
        places.stateHome = folder
        places.configHome = folder
        return places
    }
}

extension SessionStore.Opened {
    /// Throws, and closes the session, if it cannot be saved: a session manager's session must be writable.
    func requireSaving() throws(ApplicationError) {
        guard let reason = store.readOnlyReason else { return }
        store.close()
        throw ApplicationError(isKept ? .badFile : .cannotCreate, "\(store.file) cannot be written: \(reason).")
    }
}
