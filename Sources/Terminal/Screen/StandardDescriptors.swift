import Foundation

/// Standard input, output and error, which the program that starts this one may have closed.
package enum StandardDescriptors {
    /// Opens `/dev/null` as each of them that is closed. Otherwise the next file or socket would get its number, and what is printed would be
    /// written there. Call it before anything is opened. dup2(2)
    ///
    /// - Parameter numbers: The descriptors to look at.
    package static func openClosed(_ numbers: ClosedRange<Int32> = STDIN_FILENO...STDERR_FILENO) {
        for number in numbers where fcntl(number, F_GETFD) < 0 {
            let null = open("/dev/null", O_RDWR)
            guard null >= 0, null != number else { continue }
            dup2(null, number)
            close(null)
        }
    }
}
