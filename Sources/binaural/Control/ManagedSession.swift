import Foundation
import Library
import Patches
import Studio

/// A session of a session manager: its folder and its names.
struct ManagedSession {
    let link: SessionManagerLink
    let folder: String
    let displayName: String
    let clientID: String

    /// Seconds to wait for the manager's answer. A manager that has started this program answers at once.
    private static let patience = 5.0

    var file: String { folder + "/session.yaml" }

    /// - Throws: `ProgramError` for an invalid folder or name.
    init(link: SessionManagerLink, folder: String, displayName: String, clientID: String) throws(ProgramError) {
        guard folder.hasPrefix("/"), Self.isName(clientID) else {
            throw ProgramError(.usage, "Expected an absolute path and a JACK client name, not '\(folder)' and '\(clientID)'.")
        }
        (self.link, self.folder, self.displayName, self.clientID) = (link, folder, displayName, clientID)
    }

    /// Announces the program to the manager named by NSM_URL and waits for the session to open; `nil` if there is no manager, or none that
    /// answers.
    ///
    /// - Throws: `ProgramError` if the manager refuses the program.
    static func await(environment: [String: String], notice: (String) -> Void) throws -> ManagedSession? {
        guard let url = environment["NSM_URL"], !url.isEmpty else { return nil }
        let link: SessionManagerLink
        do throws(SessionManagerLink.Fault) { link = try SessionManagerLink(url: url) } catch { throw ProgramError(.usage, "\(error)") }
        link.tell(
            .announcement(
                name: "Binaural", capabilities: ":switch:dirty:progress:message:", program: CommandLine.arguments[0], pid: getpid()))
        var limit = patience
        while let request = link.wait(seconds: limit) {
            switch request {
            // From now on, the manager may take its time.
            case .welcome: limit = 86_400
            case .refusal(let code, let text):
                throw ProgramError(.unavailable, "The session manager refused this program (\(code)): \(text)")
            case .open(let path, let displayName, let clientID):
                do throws(ProgramError) {
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
    func tell(_ error: any Error) {
        guard !link.hasOpened else { return }
        link.refuse(error)
    }

    /// Tells the manager's user if JACK has assigned another name, since the requested one was taken.
    func tell(clientName: String) {
        guard clientName != clientID else { return }
        link.tell(.text("The JACK client name \(clientID) is in use: this instance is \(clientName).", importance: 2))
    }

    /// Whether the name is valid both for a JACK client and for a file.
    private static func isName(_ clientID: String) -> Bool {
        !clientID.isEmpty && clientID.utf8.count <= 63 && !clientID.hasPrefix(".")
            && clientID.unicodeScalars.allSatisfy { $0.value > 0x1F && $0 != ":" && $0 != "/" && $0.value != 0x7F }
    }

    /// Creates the folder if it is missing.
    func makeFolder() throws(ProgramError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw ProgramError(.cannotCreate, "Cannot create the folder \(folder): \(error.localizedDescription)")
        }
    }

    /// The places of this session: everything that the program saves is in the session's folder.
    var places: Places {
        var own = Places.current
        own.stateHome = folder
        own.configHome = folder
        return own
    }
}

extension SessionManagerLink {
    /// Reports to the manager that the session cannot be opened, and why.
    func refuse(_ error: any Error) {
        var (status, text) = ErrorReport.describe(error)
        if let error = error as? any QuotesFiles { text = error.wordsForPeers }
        let failure: SessionManagerNotice.Failure =
            switch ExitStatus(rawValue: status) {
            case _ where error is SessionKeeper.UnsavedSession: .unsavedChanges
            case .cannotCreate: .cannotCreate
            case .badFile, .noSuchFile, .inputOutput: .badProject
            case .unavailable, .sessionInUse: .notNow
            default: .general
            }
        tell(.openFailed(failure, text))
    }
}

extension SessionStore.Opened {
    /// Throws, and closes the session, if it cannot be saved: a session manager's session must be writable.
    func requireSaving() throws(ProgramError) {
        guard let reason = store.readOnlyReason else { return }
        store.close()
        throw ProgramError(isNewer ? .badFile : .cannotCreate, "\(store.file) cannot be written: \(reason).")
    }
}
