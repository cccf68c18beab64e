import Foundation
import Library
import Patches
import Studio

/// A session that belongs to a session manager: where it lies, and under which names it plays.
struct ManagedSession {
    let link: SessionManagerLink
    let folder: String
    let displayName: String
    let clientID: String

    /// Seconds. A manager that was there when it started us answers at once.
    private static let patience = 5.0

    var file: String { folder + "/session.yaml" }

    /// - Throws: `ProgramError` for a folder or a name that cannot be one.
    init(link: SessionManagerLink, folder: String, displayName: String, clientID: String) throws(ProgramError) {
        guard folder.hasPrefix("/"), Self.isName(clientID) else {
            throw ProgramError(.usage, "An absolute path and a name for JACK are needed, not '\(folder)' and '\(clientID)'.")
        }
        (self.link, self.folder, self.displayName, self.clientID) = (link, folder, displayName, clientID)
    }

    /// Announces the program to the manager that NSM_URL names and waits until a session is to be opened; `nil` where there is no manager, or
    /// none that answers.
    ///
    /// - Throws: `ProgramError` when it does not want us.
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
            // From now on it may take its time.
            case .welcome: limit = 86_400
            case .refusal(let code, let text):
                throw ProgramError(.unavailable, "The session manager refuses this program (\(code)): \(text)")
            case .open(let path, let displayName, let clientID):
                do throws(ProgramError) {
                    return try ManagedSession(link: link, folder: path, displayName: displayName, clientID: clientID)
                } catch {
                    // It can still be put right.
                    link.refuse(error)
                }
            case .save, .sessionIsLoaded: continue
            }
        }
        notice("NSM_URL is \(url), where no session manager answers: playing without one.")
        return nil
    }

    /// What went wrong before the session was open.
    func tell(_ error: any Error) {
        guard !link.hasOpened else { return }
        link.refuse(error)
    }

    /// JACK numbers a name that is taken; the manager's user is to know it.
    func tell(clientName: String) {
        guard clientName != clientID else { return }
        link.tell(.text("The name \(clientID) is taken in JACK: this is \(clientName).", importance: 2))
    }

    /// Whether JACK and the name of a file can have it.
    private static func isName(_ clientID: String) -> Bool {
        !clientID.isEmpty && clientID.utf8.count <= 63 && !clientID.hasPrefix(".")
            && clientID.unicodeScalars.allSatisfy { $0.value > 0x1F && $0 != ":" && $0 != "/" && $0.value != 0x7F }
    }

    /// Makes the folder, if it is not there.
    func makeFolder() throws(ProgramError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw ProgramError(.cannotCreate, "Cannot make the folder \(folder): \(error.localizedDescription)")
        }
    }

    /// Whatever the program keeps, it keeps there: nothing of it lies elsewhere.
    var places: Places {
        var own = Places.current
        own.stateHome = folder
        own.configHome = folder
        return own
    }
}

extension SessionManagerLink {
    /// The session cannot be opened: answers why, in the protocol's terms.
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
    /// A session manager's session has to be saved; one that cannot be is given back.
    func requireSaving() throws(ProgramError) {
        guard let reason = store.readOnlyReason else { return }
        store.close()
        throw ProgramError(isNewer ? .badFile : .cannotCreate, "\(store.file) cannot be written: \(reason).")
    }
}
