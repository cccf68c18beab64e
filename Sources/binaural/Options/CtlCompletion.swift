import ArgumentParser
import Foundation
import Library
import OSC
import OSCRemote
import Patches
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
        let root = beginning.hasPrefix("/") ? AddressTable.root + "/" : ""
        let layers = root + "layer/"
        let isAboutLayers = beginning.count > root.count && (layers.hasPrefix(beginning) || beginning.hasPrefix(layers))
        let all = AddressTable.standard.addresses(withLayers: isAboutLayers ? layerKinds() : nil)
        return AddressCompletion.candidates(for: beginning, among: all.map { .init(root + $0.path, $0.row.summary) }).map(\.shellText)
    }

    private var arguments: [String] {
        let given = positionals
        guard let address = given.first else { return [] }
        if address == "describe" { return addresses }
        let root = AddressTable.root + "/"
        let path = address.hasPrefix(root) ? String(address.dropFirst(root.count)) : address
        guard let row = AddressTable.standard.row(at: path), row.inputs.indices.contains(given.count - 1) else { return [] }
        if case .choice(let names) = row.inputs[given.count - 1].kind { return names.filter { $0.hasPrefix(beginning) } }
        return given.count == 1 ? names(for: row.path).filter { $0.hasPrefix(beginning) }.map(shellWord) : []
    }

    /// The possible first arguments of an address that takes a name.
    private func names(for path: String) -> [String] {
        switch path {
        case "session/load", "session/save", "preferences/startSession": listed("session") ?? library(.sessions)
        case "preset/load", "preset/save", "preset/remove": listed("preset") ?? []
        case "queue/add": library(.patches)
        case "subscribe", "unsubscribe": Topic.Group.allCases.map(\.form).filter { !$0.contains("/") }
        default: []
        }
    }

    private func library(_ kind: Library.Kind) -> [String] {
        Library(places: .current).list(kind).filter { !$0.isHidden }.map(\.name)
    }

    /// The names in the instance's answer to `NAME/list`; `nil` if it does not answer in time.
    private func listed(_ name: String) -> [String]? {
        guard let address, let channel = try? InstanceChannel(to: address) else { return nil }
        var names: [String] = []
        var conversation = Conversation(OSCMessage(Conversation.root + name + "/list"))
        let outcome = conversation.hold(over: channel, wait: Self.patience) { answer in
            guard answer.address == Conversation.root + name + "/item", case .string(let name)? = answer.arguments.dropFirst().first else {
                return
            }
            names.append(name)
        }
        return outcome == .done ? names : nil
    }

    /// A name quoted for bash, which inserts it unchanged; other shells quote it themselves.
    private func shellWord(_ name: String) -> String {
        guard CompletionShell.requesting == .bash else { return name }
        // `compgen -W` removes one level of quotes.
        return escaped(escaped(name))
    }

    private func escaped(_ text: String) -> String {
        String(text.flatMap { $0.isLetter || $0.isNumber || "-_.,+@%".contains($0) ? [$0] : ["\\", $0] })
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

    /// The kinds of the layers; `nil` if nobody answers in time.
    private func layerKinds() -> [LayerKind]? {
        guard let address, let channel = try? InstanceChannel(to: address) else { return nil }
        var kinds: [Int: LayerKind] = [:]
        var conversation = Conversation(OSCMessage(Conversation.root + "layer/*/kind"))
        let outcome = conversation.hold(over: channel, wait: Self.patience) { answer in
            let parts = answer.address.split(separator: "/")
            guard parts.count == 4, let number = Int(parts[2]), case .string(let name)? = answer.arguments.first else { return }
            kinds[number] = LayerKind(rawValue: name)
        }
        switch outcome {
        case .done: return (1...max(1, kinds.count)).map { kinds[$0] ?? .binaural }
        // 404 means that there is no layer, since the queue is empty.
        case .refused(let refusals) where refusals.first?.code == 404: return []
        case .refused, .silence, .nobodyThere: return nil
        }
    }

    /// The address of the instance that the options name. Host names are not looked up, since that may take long.
    private var address: PeerAddress? {
        if let to = option("--to") { return RunningInstance.address(to) }
        return try? RunningInstance.find(client: option("--client")).address
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
