import Foundation
import Library

/// The pages of documentation that came with the program.
enum Documentation {
    /// The path of a page, such as `osc.md`, for help texts; its name alone if the documentation is not installed.
    static func page(_ name: String) -> String {
        let paths = Places.current.documentation.map { $0 + "/" + name }
        return paths.first { FileManager.default.fileExists(atPath: $0) } ?? "\(name) of the documentation"
    }
}
