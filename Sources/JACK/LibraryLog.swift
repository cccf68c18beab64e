// Any thread that calls JACK, and those of JACK itself: the library logs on whichever thread it runs.
import CJACK
import Synchronization

/// A log message of the library, which it would otherwise write to standard error.
public enum LibraryLog: Sendable, Equatable {
    case error(String)
    case information(String)
}

private let receiver = Mutex<(@Sendable (LibraryLog) -> Void)?>(nil)

/// Redirects the library's log messages from standard error to `receive`, which is called on JACK's threads; `nil` discards them. There is
/// one receiver for the process, as in the library. jack_set_error_function, jack_set_info_function
public func receiveLog(_ receive: (@Sendable (LibraryLog) -> Void)?) {
    receiver.withLock { $0 = receive }
    jack_set_error_function(receiveError)
    jack_set_info_function(receiveInformation)
}

private func receiveError(_ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    let message = LibraryLog.error(String(cString: text))
    receiver.withLock { $0 }?(message)
}

private func receiveInformation(_ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    let message = LibraryLog.information(String(cString: text))
    receiver.withLock { $0 }?(message)
}
