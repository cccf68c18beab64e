import Foundation
import TestSupport
import Testing

@Suite("The pages of the libraries")
struct LibraryPageTests {
    /// The names of the public functions and initialisers of a module, without their arguments.
    private func functions(of module: String) throws -> Set<String> {
        let folder = PackageRoot.file("Sources/\(module)")
        var found: Set<String> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
            /// The types around a line, with their indentation.
            var types: [(indentation: Int, name: Substring)] = []
            for line in try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n") {
                let indentation = line.prefix { $0 == " " }.count
                if line.dropFirst(indentation) == "}" { types.removeAll { $0.indentation == indentation } }
                let head = /^ *(?:(?:public|package|private|fileprivate|final|indirect) )*(?:struct|class|enum|protocol|extension) (\w+)/
                if let type = try head.firstMatch(in: line), line.hasSuffix("{") { types.append((indentation, type.1)) }
                let function = /^ *public (?:(?:static|mutating|consuming) )*(?:func (\w+)|(init))[?<(]/
                guard let match = try function.firstMatch(in: line), let name = match.1 ?? match.2 else { continue }
                let owners = types.filter { $0.indentation < indentation }.map { "\($0.name)." }
                found.insert(owners.joined() + name)
            }
        }
        return found
    }

    @Test(
        "Every public function is on the page of its library, with whether it may be called by several threads, and in a cycle",
        arguments: ["RealTime", "JACK", "OSC"])
    func safety(module: String) throws {
        let page = try String(contentsOfFile: PackageRoot.file("Sources/\(module)/\(module).docc/\(module).md"), encoding: .utf8)
        let rows = page.matches(of: /(?m)^\| `([\w.]+)\([^`]*` \| (?:yes|no)[^|]* \| (?:yes|no)[^|]* \|$/)
        #expect(Set(rows.map { String($0.1) }) == (try functions(of: module)))
    }
}
