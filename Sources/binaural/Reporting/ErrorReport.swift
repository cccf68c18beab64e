import Application
import ArgumentParser
import Foundation
import Library
import OSC
import PatchFiles
import Patches
import Pictures
import Terminal

/// An error that ends the program: an exit status for scripts and a sentence with the remedy for people.
struct ProgramError: Error, Equatable, CustomStringConvertible {
    let status: Int32
    let description: String

    init(_ status: ExitStatus, _ sentence: String) {
        self.status = status.rawValue
        description = sentence
    }

    /// Work that was cancelled by a signal; the status is the one used by shells.
    init(signal: Int32, _ sentence: String) {
        status = 128 + signal
        description = sentence
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
        if error.namesItsPlace {
            StandardError.write(lines: text)
        } else if !text.isEmpty {
            write(text)
        }
        return status
    }

    /// Writes `binaural: error: …` on standard error.
    static func write(_ sentence: String) {
        StandardError.write(lines: "binaural: error: \(sentence)")
    }

    /// The error's exit status and message.
    static func describe(_ error: any Error) -> (status: Int32, text: String) {
        switch error {
        case let error as ProgramError: (error.status, error.description)
        case let status as ExitStatus: (status.rawValue, "")
        case let error as PictureError: (ExitStatus(error).rawValue, "\(error)" + remedy(for: error))
        default:
            if let status = ExitStatus(describing: error) { (status.rawValue, "\(error)") } else { usage(error) }
        }
    }

    /// The remedy for a picture that cannot be written; empty if the error has one.
    private static func remedy(for error: PictureError) -> String {
        switch error {
        case .cannotCreate: " Choose another place with -o."
        case .cannotWrite: " Check the disk, or choose another place with -o."
        case .unknownFormat, .cannotDraw, .drawingFailed: ""
        }
    }

    /// Describes an error of the argument parser; any other is an internal one.
    private static func usage(_ error: any Error) -> (status: Int32, text: String) {
        guard Usage.exitCode(for: error) == .validationFailure else { return (ExitStatus.software.rawValue, "\(error)") }
        let message = Usage.fullMessage(for: error)
        return (ExitStatus.usage.rawValue, message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message)
    }
}

extension Error {
    /// Whether the message begins with `file:line:column:`, for editors that jump there.
    var namesItsPlace: Bool {
        if case .faulty? = self as? LibraryError { return true }
        if case .notText? = self as? SessionStoreError { return true }
        return self is Diagnostics
    }
}
