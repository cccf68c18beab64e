import Patches

/// A YAML document as this program sees it: text, lists and mappings, each with its place. Numbers are parsed where they are expected.
package struct YAMLTree: Sendable {
    package typealias Place = Diagnostic.Place

    package struct Pair: Sendable {
        package var key: String
        package var keyPlace: Place
        package var value: YAMLTree

        package init(_ key: String, _ value: YAMLTree, keyPlace: Place = Place(line: 0, column: 0)) {
            self.key = key
            self.value = value
            self.keyPlace = keyPlace
        }
    }

    package enum Content: Sendable {
        case scalar(String, isQuoted: Bool)
        case list([YAMLTree])
        case mapping([Pair])
    }

    package var content: Content
    /// 0:0 if it was not read from a file.
    package var place: Place
    /// Whether it is written on one line: `{a: 1}`, `[1, 2]`.
    package var isFlow: Bool

    package init(_ content: Content, place: Place = Place(line: 0, column: 0), isFlow: Bool = false) {
        self.content = content
        self.place = place
        self.isFlow = isFlow
    }
}

extension YAMLTree {
    /// Text that is written without quotes if it reads back the same.
    package static func text(_ text: String) -> YAMLTree {
        YAMLTree(.scalar(text, isQuoted: false))
    }

    package static func number(_ number: Double) -> YAMLTree {
        text(NumberText.string(from: number))
    }

    package static func list(_ items: [YAMLTree], flow: Bool = false) -> YAMLTree {
        YAMLTree(.list(items), isFlow: flow)
    }

    package static func mapping(_ pairs: [Pair], flow: Bool = false) -> YAMLTree {
        YAMLTree(.mapping(pairs), isFlow: flow)
    }

    /// Whether it is empty or null where a value is expected.
    package var isNull: Bool {
        if case .scalar(let text, isQuoted: false) = content { return text.isEmpty || text == "~" || text == "null" }
        return false
    }
}

/// Trees are equal if their contents are; places and style are ignored.
extension YAMLTree: Equatable {
    package static func == (a: YAMLTree, b: YAMLTree) -> Bool {
        switch (a.content, b.content) {
        case (.scalar(let x, _), .scalar(let y, _)): x == y && a.isNull == b.isNull
        case (.list(let x), .list(let y)): x == y
        case (.mapping(let x), .mapping(let y)): x == y
        default: false
        }
    }
}

extension YAMLTree.Pair: Equatable {
    package static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.value == b.value }
}
