/// Joins the modules of the page, and its styles, into one file each: over a slow network the number of files costs more than their bytes.
///
/// A script that is to run before everything else is put into the page, so that no failed request keeps it away.
///
/// It knows the few forms of imports and exports that the page's files have, which `JoinedFilesTests` check, and leaves out comments and
/// indentation. A browser can load the files one by one as well.
enum JoinedFiles {
    /// A module with all that it imports, each in front of those that import it.
    ///
    /// - Parameter source: Finds the text of a file by its name.
    static func modules(from name: String, _ source: (String) -> String?) -> String {
        var (joined, known) = ("", Set<String>())
        func add(_ name: String) {
            guard known.insert(name).inserted, let text = source(name) else { return }
            var (body, exports): ([String], [String]) = ([], [])
            for line in lines(text) {
                if let parts = imported(line) {
                    add(parts.module)
                    body.append("const {\(parts.names.replacing(" as ", with: ": "))} = \(variable(parts.module));")
                } else if line.hasPrefix("export ") {
                    let declaration = line.dropFirst("export ".count)
                    // The name follows the words `function`, `class` or `const`, and perhaps `async`.
                    exports +=
                        declaration.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
                        .first { !["async", "function", "class", "const"].contains($0) }.map { [String($0)] } ?? []
                    body.append(String(declaration))
                } else {
                    body.append(String(line))
                }
            }
            // A function keeps the names of a module from those of others.
            body.append("return { \(exports.joined(separator: ", ")) };")
            joined += "const \(variable(name)) = (() => {\n\(body.joined(separator: "\n"))\n})();\n"
        }
        add(name)
        return joined
    }

    /// A style sheet with all that it imports in their places.
    static func styles(from name: String, _ source: (String) -> String?) -> String {
        let start = "@import \""
        return lines(source(name) ?? "").map { line in
            guard line.hasPrefix(start) else { return line + "\n" }
            return styles(from: String(line.dropFirst(start.count).prefix { $0 != "\"" }), source)
        }.joined()
    }

    /// A page with the text of a script in place of the reference to it.
    static func page(_ page: String, with script: String, named name: String) -> String {
        page.replacing("<script src=\"\(name)\"></script>", with: "<script>\(script)</script>")
    }

    /// A script, or a style sheet, without indentation, empty lines, and comments that begin a line.
    static func short(_ text: String) -> String { lines(text).joined(separator: "\n") }

    /// The lines of a text without indentation, empty lines, and comments that begin a line.
    private static func lines(_ text: String) -> [Substring] {
        var isComment = false
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { line in
            if line.hasPrefix("/*") { isComment = true }
            defer { if isComment, line.hasSuffix("*/") { isComment = false } }
            return !isComment && !line.isEmpty && !line.hasPrefix("//")
        }
    }

    /// The names in the braces of `import { … } from "./MODULE";`, and the module.
    private static func imported(_ line: Substring) -> (names: Substring, module: String)? {
        guard line.hasPrefix("import {"), let end = line.firstIndex(of: "}") else { return nil }
        let names = line[..<end].dropFirst("import {".count)
        return (names, String(line[end...].drop { $0 != "/" }.dropFirst().prefix { $0 != "\"" }))
    }

    /// The variable that has what a module exports: `time_js` of `time.js`.
    private static func variable(_ module: String) -> String { String(module.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
}
