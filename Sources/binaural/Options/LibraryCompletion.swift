import ArgumentParser
import Library

/// The shell completions of arguments that name patches and sessions: names of the library, and files and folders.
struct LibraryCompletion {
    private let kinds: [Library.Kind]
    /// The endings of the files that are offered.
    private let endings: [String]

    /// - Parameter files: endings without the dot.
    static func of(_ kinds: Library.Kind..., files: [String]) -> CompletionKind {
        let completion = LibraryCompletion(kinds: kinds, endings: files.map { "." + $0 })
        return .custom { _, _, beginning in completion.candidates(beginning) }
    }

    private func candidates(_ beginning: String) -> [String] {
        var candidates: [String] = []
        let isOfSequences = !endings.contains(".yaml")
        for entry in kinds.flatMap(Library(places: .current).list) where !entry.isHidden && entry.name.hasPrefix(beginning) {
            if isOfSequences, !Library.holdsSequence(entry.path) { continue }
            if !candidates.contains(entry.name) { candidates.append(entry.name) }
        }
        return (candidates + PathCompletion(endings: endings).candidates(beginning)).map(ShellWord.quoted)
    }
}

/// Words that a completion offers.
enum ShellWord {
    /// A name as the shell's completion script takes it; the shell quotes what it inserts. In zsh, a colon begins a description.
    static func quoted(_ name: String) -> String {
        switch CompletionShell.requesting {
        // `compgen -W` removes these quotes.
        case .bash: escaped(name)
        case .zsh: name.replacing(":", with: "\\:")
        default: name
        }
    }

    private static func escaped(_ text: String) -> String {
        String(text.flatMap { $0.isLetter || $0.isNumber || "-_.,+@%/~".contains($0) ? [$0] : ["\\", $0] })
    }
}
