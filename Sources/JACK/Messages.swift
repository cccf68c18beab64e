// Any thread that calls JACK, and those of JACK itself: the library speaks on whichever it is.
import CJACK
import Synchronization

/// What the library itself has to say, which it would otherwise write to standard error.
package enum LibraryMessage: Sendable, Equatable {
    case error(String)
    case information(String)
}

private let receiver = Mutex<(@Sendable (LibraryMessage) -> Void)?>(nil)

/// Takes the library's messages away from standard error and hands them to `receive`, on a thread of JACK's; nil drops them.
/// One receiver a process, as in the library. jack_set_error_function, jack_set_info_function
package func receiveMessages(_ receive: (@Sendable (LibraryMessage) -> Void)?) {
    receiver.withLock { $0 = receive }
    jack_set_error_function(receiveError)
    jack_set_info_function(receiveInformation)
}

private func receiveError(_ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    let message = LibraryMessage.error(String(cString: text))
    receiver.withLock { $0 }?(message)
}

private func receiveInformation(_ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    let message = LibraryMessage.information(String(cString: text))
    receiver.withLock { $0 }?(message)
}
