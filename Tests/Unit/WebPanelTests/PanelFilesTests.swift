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
                try Data(contentsOf: URL(filePath: folder + "/" + name)) == PanelFiles.source(name).map { Data($0) },
                "\(name)")
        }
    }

    @Test("Each is found with its type, and nothing else is")
    func found() {
        #expect(PanelFiles.file(at: "/")?.type.hasPrefix("text/html") == true)
        #expect(PanelFiles.file(at: "/app.js")?.type.hasPrefix("text/javascript") == true)
        for path in ["", "/nothing.js", "/../index.html", "/%69ndex.html", "//index.html"] { #expect(PanelFiles.file(at: path) == nil) }
        // Files that are joined to others are not served by themselves.
        let served = PanelFiles.names.filter { PanelFiles.file(at: "/" + $0) != nil }
        #expect(
            served.sorted() == [
                "app.css", "app.js", "icon-192.png", "icon-512.png", "icon-full.png", "icon.svg", "index.html", "panel.webmanifest",
            ])
    }

    @Test("The page loads nothing from elsewhere, and has no script or style in the HTML")
    func selfContained() throws {
        for name in PanelFiles.names where !name.hasPrefix("icon") {
            let text = try #require(PanelFiles.text(name))
            #expect(!text.contains("http://"), "\(name)")
            #expect(!text.contains("https://"), "\(name)")
            #expect(!text.contains("//cdn"), "\(name)")
        }
        let page = try #require(PanelFiles.text("index.html"))
        #expect(!page.contains("style="))
        #expect(!page.contains("onclick"))
        #expect(page.components(separatedBy: "<script").count == 3)
        // The script that is put into the page is the one that the browser is allowed to run.
        let served = String(decoding: try #require(PanelFiles.file(at: "/")).bytes, as: UTF8.self)
        let script = try #require(served.firstMatch(of: /<script>((?s).*?)<\/script>/)).1
        #expect(script.contains("location.reload()"))
        let hash = Data(SHA256.digest(Array(script.utf8))).base64EncodedString()
        #expect(PanelFiles.headers.contains { $0.0 == "Content-Security-Policy" && $0.1.contains("script-src 'self' 'sha256-\(hash)';") })
    }
}
