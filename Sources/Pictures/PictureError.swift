import Foundation

/// Why a picture could not be made.
package enum PictureError: Error, Equatable {
    /// The extension of the file is not that of a known format.
    case unknownFormat(path: String)
    case cannotCreate(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case cannotDraw(reason: String)
    /// The process that should draw has failed.
    case drawingFailed(message: String)
}

extension PictureError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownFormat(let path): "Cannot tell the format of '\(path)': use a name ending in .svg or .png."
        case .cannotCreate(let path, let reason): "Cannot create '\(path)': \(reason)."
        case .cannotWrite(let path, let reason): "Cannot write '\(path)': \(reason). No partial file was kept."
        case .cannotDraw(let reason): "Cannot draw: \(reason)."
        case .drawingFailed(let message): message
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
