import Foundation
import TestSupport
import Testing

@testable import WebPanel

@Suite("The files of the page") struct PanelFilesTests {
    @Test("The program has the files of the folder Web as they are; otherwise list them in CPanelFiles")
    func current() throws {
        let folder = PackageRoot.file("Sources/WebPanel/Web")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.sorted() == PanelFiles.names.sorted())
        for name in names {
            #expect(
                try Data(contentsOf: URL(filePath: folder + "/" + name)) == PanelFiles.file(at: "/" + name).map { Data($0.bytes) },
                "\(name)")
        }
    }

    @Test("Each is found with its type, and nothing else is")
    func found() {
        #expect(PanelFiles.file(at: "/")?.type.hasPrefix("text/html") == true)
        #expect(PanelFiles.file(at: "/app.js")?.type.hasPrefix("text/javascript") == true)
        for path in ["", "/nothing.js", "/../index.html", "/%69ndex.html", "//index.html"] { #expect(PanelFiles.file(at: path) == nil) }
        for name in PanelFiles.names { #expect(PanelFiles.file(at: "/" + name) != nil, "\(name)") }
    }

    @Test("The page loads nothing from elsewhere, and has no script or style in the HTML")
    func selfContained() {
        func text(_ name: String) -> String { String(decoding: PanelFiles.file(at: "/" + name)?.bytes ?? [], as: UTF8.self) }
        for name in PanelFiles.names where name != "icon.svg" {
            let text = text(name)
            #expect(!text.contains("http://"), "\(name)")
            #expect(!text.contains("https://"), "\(name)")
            #expect(!text.contains("//cdn"), "\(name)")
        }
        let page = text("index.html")
        #expect(!page.contains("style="))
        #expect(!page.contains("onclick"))
        #expect(page.components(separatedBy: "<script").count == 3)
    }
}
