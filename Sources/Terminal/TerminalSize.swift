import Foundation

enum TerminalSize {
    /// The width of the terminal at a descriptor in columns; 80 if unknown.
    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) : 80
    }
}
