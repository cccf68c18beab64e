import PatchFiles
import Patches
import Playback

extension Session {
    /// The session as the text of its file; ``parse(_:file:)`` returns an equal session. Default settings are left out.
    package var yaml: String {
        var pairs: [YAMLTree.Pair] = []
        if !title.isEmpty { pairs.append(.init("title", .string(title))) }
        pairs.append(.init("queue", .list(items.map(\.tree))))
        pairs += section("play", playPairs)
        pairs += section(
            "master", (masterGain == 0 ? [] : [.init("gain", .number(masterGain))]) + (isMuted ? [.init("mute", .text("true"))] : []))
        pairs += section("tuning", a4 == 440 ? [] : [.init("a4", .number(a4))])
        if !presets.isEmpty { pairs.append(.init("presets", .list(presets.map { $0.tree(kept: keptOfPresets[$0.name] ?? []) }))) }
        if !controllers.isEmpty { pairs.append(.init("controllers", .list(controllers.map(\.tree)))) }
        if let connections {
            pairs.append(.init("connections", .list(connections.map(\.tree))))
        }
        pairs += kept[""] ?? []
        let text = "format: \(Self.format) \(SessionReader.endNotice)\n" + YAMLTree.mapping(pairs).yaml
        return text + FileEnding.lines(for: text.utf8)
    }

    private var playPairs: [YAMLTree.Pair] {
        var pairs: [YAMLTree.Pair] = []
        if let current { pairs.append(.init("item", .text("\(current + 1)"))) }
        pairs.append(.init("state", .text(state.rawValue)))
        if repeatMode != .off { pairs.append(.init("repeat", .text(repeatMode.rawValue))) }
        if shuffle { pairs.append(.init("shuffle", .text("true"))) }
        if shuffleSeed != 0 { pairs.append(.init("seed", .text("\(shuffleSeed)"))) }
        if let shuffleFirst { pairs.append(.init("first", .text("\(shuffleFirst + 1)"))) }
        if !shuffleOrder.isEmpty { pairs.append(.init("order", .list(shuffleOrder.map { .text("\($0 + 1)") }, flow: true))) }
        if rate != 1 { pairs.append(.init("rate", .number(rate))) }
        if transport != .none { pairs.append(.init("transport", .text(transport.rawValue))) }
        if touch != .latch { pairs.append(.init("touch", .text(touch.rawValue))) }
        return pairs
    }

    private func section(_ key: String, _ pairs: [YAMLTree.Pair]) -> [YAMLTree.Pair] {
        let all = pairs + (kept[key] ?? [])
        return all.isEmpty ? [] : [.init(key, .mapping(all, flow: (kept[key] ?? []).isEmpty))]
    }
}

extension Session.SavedConnection {
    fileprivate var tree: YAMLTree {
        var pairs = [YAMLTree.Pair("port", .string(port)), .init("to", .string(other))]
        if let seen { pairs.append(.init("seen", .text(seen.text))) }
        if isReported { pairs.append(.init("reported", .text("true"))) }
        return .mapping(pairs, flow: true)
    }
}

extension Session.Item {
    fileprivate var tree: YAMLTree {
        var pairs = [YAMLTree.Pair("patch", .string(patch))]
        if let rating { pairs.append(.init("rating", .number(rating))) }
        if let liked { pairs.append(.init("liked", .text("\(liked)"))) }
        if !bookmarks.isEmpty { pairs.append(.init("bookmarks", .list(bookmarks.map(YAMLTree.time), flow: true))) }
        if !mutedLayers.isEmpty { pairs.append(.init("muted", .list(mutedLayers.map(YAMLTree.string), flow: true))) }
        pairs += waves.pairs
        if !edits.isEmpty {
            let list = edits.map { YAMLTree.mapping([.init("at", .time($0.position)), .init("set", [$0.value].tree)], flow: true) }
            pairs.append(.init("edits", .list(list)))
        }
        if !course.isEmpty { pairs.append(.init("course", course.tree)) }
        return .mapping(pairs + kept)
    }
}

extension Preset {
    fileprivate func tree(kept: [YAMLTree.Pair]) -> YAMLTree {
        .mapping([.init("name", .string(name)), .init("patch", .string(reference)), .init("set", values.tree)] + waves.pairs + kept)
    }
}

extension ControllerMapping {
    fileprivate var tree: YAMLTree {
        var pairs = [YAMLTree.Pair("controller", .text("\(controller)"))]
        if let channel { pairs.append(.init("channel", .text("\(channel)"))) }
        return .mapping(pairs + [.init("moves", .string(address))], flow: true)
    }
}

extension [String: Waveform] {
    fileprivate var pairs: [YAMLTree.Pair] {
        let named = sorted { $0.key < $1.key }.map { YAMLTree.Pair($0.key, .text($0.value.rawValue)) }
        return isEmpty ? [] : [.init("waves", .mapping(named, flow: true))]
    }
}

extension [NamedSetting] {
    fileprivate var tree: YAMLTree {
        .mapping(map { .init("\($0.layer).\($0.parameter)", .number($0.value)) }, flow: true)
    }
}
