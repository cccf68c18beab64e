import Foundation
import TestSupport
import Testing

@testable import WebPanel

@Suite("The files of the page") struct PanelFilesTests {
    @Test("The program has the files of the folder Web as they are; otherwise run scripts/embed-web")
    func current() throws {
        let folder = PackageRoot.file("Sources/WebPanel/Web")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(names) == Set(WebFiles.all.keys))
        for name in names { #expect(try WebFiles.all[name] == String(contentsOfFile: folder + "/" + name, encoding: .utf8), "\(name)") }
    }

    @Test("Each is found with its type, and nothing else is")
    func found() {
        #expect(PanelFiles.file(at: "/")?.type.hasPrefix("text/html") == true)
        #expect(PanelFiles.file(at: "/app.js")?.type.hasPrefix("text/javascript") == true)
        for path in ["", "/nothing.js", "/../index.html", "/%69ndex.html", "//index.html"] { #expect(PanelFiles.file(at: path) == nil) }
        for name in WebFiles.all.keys { #expect(PanelFiles.file(at: "/" + name) != nil, "\(name)") }
    }

    @Test("The page loads nothing from elsewhere, and has no script or style in the HTML")
    func selfContained() throws {
        for (name, text) in WebFiles.all where name != "icon.svg" {
            #expect(!text.contains("http://"), "\(name)")
            #expect(!text.contains("https://"), "\(name)")
            #expect(!text.contains("//cdn"), "\(name)")
        }
        let page = try #require(WebFiles.all["index.html"])
        #expect(!page.contains("style="))
        #expect(!page.contains("onclick"))
        #expect(page.components(separatedBy: "<script").count == 3)
    }
}
