import TestSupport
import Testing

@testable import WebPanel

@Suite("The page's files, joined") struct JoinedFilesTests {
    @Test("A module comes once, before those that import it, with the names that it exports and without comments and indentation")
    func modules() {
        let sources = [
            "app.js":
                "// The page.\nimport { Fader } from \"./faders.js\";\nimport { clock as time } from \"./time-of-day.js\";\n\nnew Fader(time);\n",
            "faders.js":
                "import { clock } from \"./time-of-day.js\";\n/** Moves. */\nexport class Fader {\n  /**\n   * @param x\n   */\n"
                + "  at() { return clock; }\n}\n",
            "time-of-day.js": "export const clock = 1;\nexport function span() {}\nexport async function later$1() {}\n",
        ]
        #expect(
            JoinedFiles.modules(from: "app.js") { sources[$0] } == """
                const time_of_day_js = (() => {
                const clock = 1;
                function span() {}
                async function later$1() {}
                return { clock, span, later$1 };
                })();
                const faders_js = (() => {
                const { clock } = time_of_day_js;
                class Fader {
                at() { return clock; }
                }
                return { Fader };
                })();
                const app_js = (() => {
                const { Fader } = faders_js;
                const { clock: time } = time_of_day_js;
                new Fader(time);
                return {  };
                })();

                """)
    }

    @Test("A style sheet has those that it imports in their places")
    func styles() {
        let sources = [
            "app.css": "/* All. */\n@import \"one.css\";\n@import \"two.css\";\nb { top: 0 }\n", "one.css": "i {\n  left: 0;\n}\n",
        ]
        #expect(JoinedFiles.styles(from: "app.css") { sources[$0] } == "i {\nleft: 0;\n}\nb { top: 0 }\n")
    }

    @Test("The page's files have only forms that can be joined, and each of them is joined")
    func forms() throws {
        let sources = Dictionary(uniqueKeysWithValues: PanelFiles.names.compactMap { name in PanelFiles.text(name).map { (name, $0) } })
        func joined(_ name: String) throws -> String {
            String(decoding: try #require(PanelFiles.file(at: "/" + name)).bytes, as: UTF8.self)
        }
        let (modules, styles) = (try joined("app.js"), try joined("app.css"))
        for (name, text) in sources where name.hasSuffix(".js") && name != "start.js" {
            #expect(modules.contains("const \(name.replacing(/[.-]/, with: "_")) = (() => {\n"), "\(name)")
            for line in text.split(separator: "\n") {
                // The indentation of a text of several lines would be lost.
                #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(name): \(line)")
                if line.hasPrefix("import") {
                    #expect(line.wholeMatch(of: /import \{ [\w$, ]+ \} from "\.\/[a-z-]+\.js";/) != nil, "\(name): \(line)")
                }
                if line.hasPrefix("export") {
                    #expect(line.prefixMatch(of: /export (async )?(class|function|const) [\w$]+/) != nil, "\(name): \(line)")
                }
            }
            #expect(!text.contains("import(") && !text.contains("import.meta") && !text.contains("\nawait"), "\(name)")
        }
        for (name, text) in sources where name.hasSuffix(".css") && name != "app.css" {
            let rule = try #require(text.split(separator: "\n").first { $0.hasSuffix("{") && !$0.hasPrefix(" ") })
            #expect(styles.contains(rule), "\(name)")
        }
        #expect(!styles.contains("@import") && !styles.contains("/*"))
    }
}
