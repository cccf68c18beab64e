import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite("Folders of the program")
struct FolderTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    @Test("a folder is made with its missing parents, for the user alone, and one that exists is left as it is")
    func made() throws {
        try OperatingSystem.Folder.make(place.file("a/b/c"))
        for folder in ["a", "a/b", "a/b/c"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: place.file(folder))
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        chmod(place.file("a/b"), 0o755)
        try OperatingSystem.Folder.make(place.file("a/b"))
        #expect(try FileManager.default.attributesOfItem(atPath: place.file("a/b"))[.posixPermissions] as? Int == 0o755)
    }

    @Test("a folder inside a file is refused in words of the program, with the path")
    func refused() throws {
        try place.write("text", to: "file")
        let path = place.file("file/folder")
        let error = #expect(throws: FileError.self) { try OperatingSystem.Folder.make(path) }
        #expect(error?.description == "Cannot make the folder \(path): Not a directory.")
    }
}
