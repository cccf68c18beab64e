import ArgumentParser
import AudioFiles
import Foundation
import Library
import OSC
import PatchFiles
import Pictures

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

/// An error that ends the program: an exit status for scripts and a sentence with the remedy for people.
struct ProgramError: Error, Equatable {
    let status: Int32
    let sentence: String

    init(_ status: ExitStatus, _ sentence: String) {
        self.status = status.rawValue
        self.sentence = sentence
    }

    /// Work that was cancelled by a signal; the status is the one used by shells.
    init(signal: Int32, _ sentence: String) {
        status = 128 + signal
        self.sentence = sentence
    }
}

/// Reads errors of the argument parser. They carry the command that they are about.
private struct Usage: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "binaural")
}

/// The one place where an error becomes a line on standard error and an exit status.
enum ErrorReport {
    /// Writes the error's message, and returns its exit status.
    static func show(_ error: any Error) -> Int32 {
        let (status, text) = describe(error)
        if error.tellsItsPlace {
            write(lines: text)
        } else if !text.isEmpty {
            write(text)
        }
        return status
    }

    /// Writes `binaural: error: …` on standard error.
    static func write(_ sentence: String) {
        write(lines: "binaural: error: \(sentence)")
    }

    /// Writes lines that begin with their own subject, such as `file:line:column: …`, on standard error.
    static func write(lines: String) {
        FileHandle.standardError.write(Data((lines + "\n").utf8))
    }

    static func describe(_ error: any Error) -> (status: Int32, text: String) {
        switch error {
        case let error as ProgramError:
            return (error.status, error.sentence)
        case let status as ExitStatus:
            return (status.rawValue, "")
        case let code as ExitCode:
            return (code.rawValue, "")
        case let error as LibraryError:
            return (error.exitCode, "\(error)")
        case let error as SessionStoreError:
            return (error.exitCode, "\(error)")
        case let error as AudioFileError:
            switch error {
            case .cannotCreate: return (ExitStatus.cannotCreate.rawValue, "\(error)")
            case .formatMissing: return (ExitStatus.unavailable.rawValue, "\(error)")
            case .diskFull, .cannotWrite: return (ExitStatus.inputOutput.rawValue, "\(error)")
            }
        case let error as PictureError:
            switch error {
            case .unknownFormat: return (ExitStatus.usage.rawValue, "\(error)")
            case .cannotCreate: return (ExitStatus.cannotCreate.rawValue, "\(error) Choose another place with -o.")
            case .cannotWrite: return (ExitStatus.inputOutput.rawValue, "\(error) Check the disk, or choose another place with -o.")
            case .cannotDraw: return (ExitStatus.software.rawValue, "\(error)")
            }
        case let error as Diagnostics:
            return (ExitStatus.badFile.rawValue, "\(error)")
        case let error as SocketError:
            return (ExitStatus.unavailable.rawValue, "\(error)")
        default:
            guard Usage.exitCode(for: error) == .validationFailure else { return (ExitStatus.software.rawValue, "\(error)") }
            let message = Usage.fullMessage(for: error)
            return (ExitStatus.usage.rawValue, message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message)
        }
    }
}

extension Error {
    /// Whether the message begins with `file:line:column:`, for editors that jump there.
    var tellsItsPlace: Bool {
        if case .faulty? = self as? LibraryError { return true }
        return self is Diagnostics
    }
}
