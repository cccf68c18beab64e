import ArgumentParser
import Foundation
import Library
import OSCRemote
import RemoteClient

/// The shell completions of `binaural ctl`: addresses from the table, for the layers of the running instance if it answers at once, and the
/// names that an argument can have.
struct CtlCompletion {
    /// The words before the one being completed, beginning with the program's name.
    private let words: [String]
    private let beginning: String

    /// Seconds to wait for the instance after the user has pressed Tab.
    private static let patience = 0.15
    private static let optionsWithValue = ["--client", "--to", "--wait"]

    /// - Parameter index: the index in `words` of the word being completed; `beginning` is its part before the cursor.
    init(words: [String], index: Int, beginning: String) {
        self.words = Array(words.prefix(index))
        self.beginning = beginning
    }

    static let ofAddress = CompletionKind.custom { CtlCompletion(words: $0, index: $1, beginning: $2).addresses }
    static let ofArgument = CompletionKind.custom { CtlCompletion(words: $0, index: $1, beginning: $2).arguments }

    private var addresses: [String] {
        let root = beginning.hasPrefix("/") ? OSCAddress.root + "/" : ""
        let isAboutLayers = ["layer/", "touch/layer/"].map { root + $0 }.contains { layers in
            beginning.count > root.count && (layers.hasPrefix(beginning) || beginning.hasPrefix(layers))
        }
        let kinds = isAboutLayers ? names?.layerKinds : nil
        let all = AddressTable.standard.addresses(
            withLayers: kinds?.map { $0.possibleParameters.map(\.parameter) }, named: kinds?.isEmpty == false ? names?.layerNames ?? [] : []
        )
        return AddressCompletion.candidates(for: beginning, among: all.map { .init(root + $0.path, $0.row.summary) }).map(\.shellText)
    }

    private var arguments: [String] {
        let given = positionals
        guard let address = given.first else { return [] }
        if address == "describe" { return addresses }
        let root = OSCAddress.root + "/"
        let path = address.hasPrefix(root) ? String(address.dropFirst(root.count)) : address
        guard let row = AddressTable.standard.row(at: path), row.inputs.indices.contains(given.count - 1) else { return [] }
        switch row.inputs[given.count - 1].kind {
        case .choice(let names): return names.filter { $0.hasPrefix(beginning) }
        case .flag: return ["on", "off"].filter { $0.hasPrefix(beginning) }
        default: break
        }
        return given.count == 1 ? names(for: row.path).filter { $0.hasPrefix(beginning) }.map(ShellWord.quoted) : []
    }

    /// The possible first arguments of an address that takes a name.
    private func names(for path: String) -> [String] {
        switch path {
        case "session/load", "session/save", "preferences/startSession": self.names?.listed("session") ?? library(.sessions)
        case "preset/load", "preset/save", "preset/remove": self.names?.listed("preset") ?? []
        case "chapter/select": self.names?.listed("chapter", nameAt: 2) ?? []
        case "play", "queue/play": library(.sessions) + library(.patches) + files
        case "queue/add": library(.patches) + files
        case "patch/save": library(.patches)
        case "subscribe", "unsubscribe": Topic.Group.allCases.map(\.form).filter { !$0.contains("/") }
        default: []
        }
    }

    private var files: [String] { PathCompletion(endings: [".yaml", ".yml", ".sbg", ".sbxseq"]).candidates(beginning) }

    private func library(_ kind: Library.Kind) -> [String] {
        Library(places: .current).list(kind).filter { !$0.isHidden }.map(\.name)
    }

    /// The address and the words after it, without the options.
    private var positionals: [String] {
        var rest = words.drop { $0 != "ctl" }.dropFirst()
        var positionals: [String] = []
        while let word = rest.popFirst() {
            if Self.optionsWithValue.contains(word) {
                _ = rest.popFirst()
            } else if !word.hasPrefix("--") {
                positionals.append(word)
            }
        }
        return positionals
    }

    /// The names in the instance that the options name. Host names are not looked up, since that may take long.
    private var names: InstanceNames? {
        let to = option("--to")
        let address = to == nil ? try? RunningInstance.find(client: option("--client")).address : to.flatMap(RunningInstance.address)
        return address.flatMap { InstanceNames(at: $0, wait: Self.patience) }
    }

    private func option(_ name: String) -> String? {
        if let joined = words.last(where: { $0.hasPrefix(name + "=") }) { return String(joined.dropFirst(name.count + 1)) }
        guard let place = words.lastIndex(of: name), words.indices.contains(place + 1) else { return nil }
        return words[place + 1]
    }
}

extension AddressCompletion.Candidate {
    /// The candidate in the shell's format: zsh and fish show a summary after it, bash has none.
    fileprivate var shellText: String {
        if summary.isEmpty { return text }
        switch CompletionShell.requesting {
        case .zsh: return "\(text):\(summary)"
        case .fish: return "\(text)\t\(summary)"
        default: return text
        }
    }
}
