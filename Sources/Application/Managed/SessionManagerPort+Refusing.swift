import PatchFiles
import Library
import Patches
import OperatingSystem

extension SessionManagerPort {
    /// Reports to the manager that the session cannot be opened, and why.
    func refuse(_ error: any Error) {
        let text = (error as? any QuotesFiles)?.wordsForPeers ?? "\(error)"
        notify(.openFailed(SessionManagerNotice.Failure(error), text))
    }
}

extension SessionManagerNotice.Failure {
    /// The protocol's code for an error that kept a session from being opened.
    fileprivate init(_ error: any Error) {
        self =
            switch error {
            case is UnsavedSession: .unsavedChanges
            case let error as ApplicationError: Self(error.reason)
            case let error as SessionStoreError: Self(error)
            case let error as LibraryError: Self(error)
            case is Diagnostics: .badProject
            default: .general
            }
    }

    private init(_ reason: ApplicationError.Reason) {
        self =
            switch reason {
            case .badFile, .noSuchFile: .badProject
            case .unavailable, .sessionInUse: .notNow
            case .cannotCreate: .cannotCreate
            case .usage: .general
            }
    }

    private init(_ error: SessionStoreError) {
        self =
            switch error {
            case .inUse: .notNow
            case .newerFormat, .notText: .badProject
            case .unreadable(let error), .cannotWrite(let error), .folderGone(let error), .notDurable(let error): Self(error.operation)
            case .readOnly, .tooLarge: .cannotCreate
            }
    }

    private init(_ error: LibraryError) {
        self =
            switch error {
            case .notFound, .sessionForPatch, .onlyFile, .noFile, .faulty, .noSessionNamed: .badProject
            case .unreadable(let error), .cannotWrite(let error): Self(error.operation)
            case .notAName, .reservedName, .nameTaken, .tooLarge, .noFolder: .general
            }
    }

    private init(_ operation: FileError.Operation) {
        self =
            switch operation {
            case .read, .write, .sync: .badProject
            case .create, .rename, .makeFolder, .lock: .cannotCreate
            }
    }
}
