import PatchFiles
import Application
import AudioFiles
import Library
import OSC
import Patches
import Pictures
import OperatingSystem
import RemoteClient
import Rendering
import Terminal

/// The program's exit statuses, as in sysexits.h.
enum ExitStatus: Int32, Error {
    case success = 0
    /// The running instance answered `ctl` with an error.
    case refused = 1
    case usage = 64
    case badFile = 65
    case noSuchFile = 66
    /// There is no JACK server, nobody answers, or the port is taken.
    case unavailable = 69
    /// An internal error.
    case software = 70
    case cannotCreate = 73
    case inputOutput = 74
    case sessionInUse = 75
}

extension ExitStatus {
    /// The status for an error of a module; `nil` for any other error.
    init?(describing error: any Error) {
        switch error {
        case let error as ApplicationError: self.init(error.reason)
        case let error as RemoteClientError: self.init(error.reason)
        case let error as RenderError: self.init(error.reason)
        case let error as LibraryError: self.init(error)
        case let error as SessionStoreError: self.init(error)
        case let error as AudioFileError: self.init(error)
        case let error as PictureError: self.init(error)
        case is OutputError: self = .cannotCreate
        case is Diagnostics: self = .badFile
        case is SocketError, is SignalsError: self = .unavailable
        default: return nil
        }
    }

    private init(_ reason: ApplicationError.Reason) {
        self =
            switch reason {
            case .usage: .usage
            case .badFile: .badFile
            case .noSuchFile: .noSuchFile
            case .unavailable: .unavailable
            case .cannotCreate: .cannotCreate
            case .sessionInUse: .sessionInUse
            }
    }

    private init(_ reason: RemoteClientError.Reason) {
        self =
            switch reason {
            case .usage: .usage
            case .unavailable: .unavailable
            case .refused: .refused
            }
    }

    private init(_ reason: RenderError.Reason) {
        self =
            switch reason {
            case .usage: .usage
            case .badFile: .badFile
            case .noSuchFile: .noSuchFile
            }
    }

    private init(_ error: LibraryError) {
        self =
            switch error {
            case .notFound, .sessionForPatch, .onlyFile, .noFile: .noSuchFile
            case .notAName, .reservedName: .usage
            case .nameTaken, .tooLarge, .noFolder: .cannotCreate
            case .unreadable(let error), .cannotWrite(let error): Self(error.operation)
            case .faulty, .noSessionNamed: .badFile
            }
    }

    private init(_ error: SessionStoreError) {
        self =
            switch error {
            case .inUse: .sessionInUse
            case .newerFormat, .notText: .badFile
            case .unreadable(let error), .cannotWrite(let error), .folderGone(let error), .notDurable(let error): Self(error.operation)
            case .readOnly, .tooLarge: .cannotCreate
            }
    }

    private init(_ operation: FileError.Operation) {
        self =
            switch operation {
            case .read: .noSuchFile
            case .create, .rename, .makeFolder, .lock: .cannotCreate
            case .write, .sync: .inputOutput
            }
    }

    private init(_ error: AudioFileError) {
        self =
            switch error {
            case .cannotCreate: .cannotCreate
            case .cannotEncode, .formatMissing: .unavailable
            case .diskFull, .cannotWrite, .cannotStream, .readerGone: .inputOutput
            }
    }

    init(_ error: PictureError) {
        self =
            switch error {
            case .unknownFormat: .usage
            case .cannotCreate: .cannotCreate
            case .cannotWrite: .inputOutput
            case .cannotDraw, .drawingFailed: .software
            }
    }
}
