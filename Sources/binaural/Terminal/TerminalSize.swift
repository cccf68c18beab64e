import Foundation

enum TerminalSize {
    /// Columns of the terminal behind a descriptor; 80 when it does not say.
    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) : 80
    }
}
