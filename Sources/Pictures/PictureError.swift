import Foundation

/// Why a picture could not be made.
package enum PictureError: Error, Equatable {
    /// The extension of the file is not that of a known format.
    case unknownFormat(path: String)
    case cannotCreate(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case cannotDraw(reason: String)
}

extension PictureError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownFormat(let path): "SVG and PNG are what is drawn: give --output a name that ends in .svg or .png, not '\(path)'."
        case .cannotCreate(let path, let reason): "Cannot create '\(path)': \(reason)."
        case .cannotWrite(let path, let reason): "Cannot write '\(path)': \(reason); nothing is left of it."
        case .cannotDraw(let reason): "Cannot draw: \(reason)."
        }
    }
}

/// The file format of a picture.
package enum PictureFormat: String, CaseIterable, Sendable {
    case svg, png

    /// The format of a file by its extension.
    package init(path: String) throws(PictureError) {
        guard let format = PictureFormat(rawValue: URL(filePath: path).pathExtension.lowercased()) else {
            throw .unknownFormat(path: path)
        }
        self = format
    }
}
