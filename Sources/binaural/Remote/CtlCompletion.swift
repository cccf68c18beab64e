import ArgumentParser
import Foundation
import Library
import OSC
import OSCRemote
import Patches

/// What a shell offers behind `binaural ctl`: addresses from the table, for the layers of the running instance if it answers at once,
/// and the names that an argument may have.
struct CtlCompletion {
    /// The words before the one that is completed, from the program's name on.
    private let words: [String]
    private let beginning: String

    /// A user who has pressed Tab waits no longer than this, in seconds.
    private static let patience = 0.15
    private static let optionsWithValue = ["--client", "--to", "--wait"]

    /// - Parameter index: of the word in `words` that is completed, of which `beginning` stands before the cursor.
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

    /// What the first argument of an address may be, where that is a name of something there is.
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

    /// The names that the instance answers a `NAME/list` with; `nil` when it does not answer in time.
    private func listed(_ name: String) -> [String]? {
        guard let address, let channel = try? InstanceChannel(to: address) else { return nil }
        var names: [String] = []
        var conversation = Conversation(Message(Conversation.root + name + "/list"))
        let outcome = conversation.hold(over: channel, wait: Self.patience) { answer in
            guard answer.address == Conversation.root + name + "/item", case .string(let name)? = answer.arguments.dropFirst().first else {
                return
            }
            names.append(name)
        }
        return outcome == .done ? names : nil
    }

    /// A name as it has to stand on a line, for bash, which takes it as it is; the others see to that themselves.
    private func shellWord(_ name: String) -> String {
        guard CompletionShell.requesting == .bash else { return name }
        // The words go through `compgen -W`, which takes one level of quotes away.
        return escaped(escaped(name))
    }

    private func escaped(_ text: String) -> String {
        String(text.flatMap { $0.isLetter || $0.isNumber || "-_.,+@%".contains($0) ? [$0] : ["\\", $0] })
    }

    /// The address and what stands behind it, without the options.
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

    /// `nil` when nobody answers in time.
    private func layerKinds() -> [LayerKind]? {
        guard let address, let channel = try? InstanceChannel(to: address) else { return nil }
        var kinds: [Int: LayerKind] = [:]
        var conversation = Conversation(Message(Conversation.root + "layer/*/kind"))
        let outcome = conversation.hold(over: channel, wait: Self.patience) { answer in
            let parts = answer.address.split(separator: "/")
            guard parts.count == 4, let number = Int(parts[2]), case .string(let name)? = answer.arguments.first else { return }
            kinds[number] = LayerKind(rawValue: name)
        }
        switch outcome {
        case .done: return (1...max(1, kinds.count)).map { kinds[$0] ?? .binaural }
        // Nothing is there that has a kind: the queue is empty.
        case .refused(let refusals) where refusals.first?.code == 404: return []
        case .refused, .silence, .nobodyThere: return nil
        }
    }

    /// Of the instance that the options name. A host's name is not looked up: that may take long.
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
    /// As the asking shell takes it: zsh and fish show what stands behind it, bash knows no such thing.
    fileprivate var shellText: String {
        if summary.isEmpty { return text }
        switch CompletionShell.requesting {
        case .zsh: return "\(text):\(summary)"
        case .fish: return "\(text)\t\(summary)"
        default: return text
        }
    }
}
