import PatchFiles
import Patches
import Playback

extension Session {
    /// The file format's version.
    package static let format = 1

    /// Parses the session in `text`.
    ///
    /// - Throws: everything that is wrong with it; a fault of ``TextFault/newerFormat(_:supported:)`` means that it is of a newer version that
    ///   this one cannot read.
    package static func parse(_ text: String, file: String) throws(Diagnostics) -> Session {
        try parse(bytes: Array(text.utf8), file: file).session
    }

    /// The result of reading, and remarks on it.
    ///
    /// `isNewer`: it is of a newer format but could be read all the same. `doubts`: unknown keys that resemble a known one; they are kept.
    /// `isAltered`: its checksum is that of another text (``FileEnding``).
    package typealias Parsed = (session: Session, isNewer: Bool, doubts: [Diagnostic], isAltered: Bool)

    /// Parses a session from bytes.
    package static func parse(bytes: [UInt8], file: String) throws(Diagnostics) -> Parsed {
        let source = try YAMLSource(bytes: bytes, file: file)
        let reader = SessionReader(source: source)
        guard let tree = source.tree(expected: "a session: `format: 1` and a `queue:`"), let read = reader.session(tree),
            source.faults.isEmpty
        else {
            throw Diagnostics(source.faults)
        }
        guard reader.isWhole(bytes) else {
            throw Diagnostics([Diagnostic(fault: TextFault.cutShort, file: file, place: .init(line: 0, column: 0), sourceLine: "")])
        }
        return (read.session, read.isNewer, source.doubts, FileEnding.isOfAnotherText(in: bytes))
    }
}

struct SessionReader {
    let source: YAMLSource

    /// Part of the first line of every file that the program writes.
    static let endNotice = "# the last line is ..."

    /// Whether a file is complete: what the program writes ends in `...`, YAML's own end mark; a file written by hand need not.
    func isWhole(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return !text.prefix { !$0.isNewline }.contains(Self.endNotice) || text.hasSuffix("\n...\n")
    }

    func session(_ tree: YAMLTree) -> (session: Session, isNewer: Bool)? {
        guard let fields = Fields(tree, of: "the session", content: "`format`, `title`, `queue` and so on", in: source) else { return nil }
        guard let formatTree = fields.required("format", hint: "write `format: 1` on the first line") else { return nil }
        guard let format = source.number(formatTree, named: "format", in: 1...1e9, unit: .ratio) else { return nil }
        let isNewer = format > Double(Session.format)
        let before = source.faults.count
        let session = session(fields)
        // In a newer format, unknown contents are expected, so only the version is reported.
        if isNewer, source.faults.count > before {
            source.report(.newerFormat(format, supported: Session.format), at: formatTree.place)
        }
        return (session, isNewer)
    }

    private func session(_ fields: Fields) -> Session {
        var session = Session(title: fields.text("title", noun: "a title") ?? "")
        session.kept[""] = fields.otherPairs(than: [
            "format", "title", "queue", "presets", "play", "master", "tuning", "controllers", "connections",
        ])
        if let queue = fields.required("queue", hint: "write `queue: []` for an empty queue; a file without it was cut short") {
            session.items = (source.list(queue, of: "items") ?? []).enumerated().compactMap { item($1, number: $0 + 1) }
        }
        readPresets(fields.list("presets", of: "presets") ?? [], into: &session)
        session.connections = fields.list("connections", of: "connections")?.enumerated().compactMap { connection($1, number: $0 + 1) }
        session.controllers = (fields.list("controllers", of: "controllers") ?? []).enumerated().compactMap {
            controller($1, number: $0 + 1)
        }
        if let play = fields.fields("play", content: "`item`, `state`, `repeat`, `shuffle`, `seed`, `rate`, `transport` and `touch`") {
            self.play(play, of: &session)
        }
        if let master = fields.fields("master", content: "`gain` and `mute`") {
            session.kept["master"] = master.otherPairs(than: ["gain", "mute"])
            session.masterGain = master.number("gain", in: Parameter.off...0, unit: .decibels) ?? 0
            session.isMuted = master.truth("mute") ?? false
        }
        if case .scalar? = fields["tuning"]?.content {
            session.a4 = fields.number("tuning", in: Tuning.range, unit: .hertz) ?? Patch.usualA4
        } else if let tuning = fields.fields("tuning", content: "`a4`") {
            session.kept["tuning"] = tuning.otherPairs(than: ["a4"])
            session.a4 = tuning.number("a4", in: Tuning.range, unit: .hertz) ?? Patch.usualA4
        }
        session.kept = session.kept.filter { !$0.value.isEmpty }
        return session
    }

    private func play(_ fields: Fields, of session: inout Session) {
        session.kept["play"] = fields.otherPairs(than: [
            "item", "state", "repeat", "shuffle", "seed", "first", "order", "rate", "transport", "touch",
        ])
        // An index beyond the queue is ignored: somebody has shortened the queue in the file.
        if let item = fields.wholeNumber("item", in: 1...1_000_000), item <= session.items.count { session.current = Int(item) - 1 }
        session.state = fields.choice("state", noun: "play state") ?? .stopped
        session.repeatMode = fields.choice("repeat", noun: "repeat mode") ?? .off
        session.shuffle = fields.truth("shuffle") ?? false
        if let first = fields.wholeNumber("first", in: 1...1_000_000), first <= session.items.count {
            session.shuffleFirst = Int(first) - 1
        }
        session.shuffleOrder = (fields.list("order", of: "items") ?? []).compactMap {
            source.wholeNumber($0, in: 1...1_000_000).map { Int($0) - 1 }
        }
        session.shuffleSeed = fields.wholeNumber("seed", in: 0...UInt64.max) ?? 0
        session.rate = fields.number("rate", in: PlayerState.rateRange) ?? 1
        session.touch = fields.choice("touch", noun: "touch mode") ?? .latch
        session.transport = fields.choice("transport", noun: "transport mode") ?? TransportMode.none
    }

    private func item(_ tree: YAMLTree, number: Int) -> Session.Item? {
        guard let fields = Fields(tree, of: "item \(number)", content: "`patch`, `rating` and so on", in: source),
            let patch = fields.required("patch", hint: "write the name of a patch, or its path")
        else { return nil }
        var item = Session.Item(patch: source.text(patch, noun: "the name or path of a patch") ?? "")
        item.rating = fields.number("rating", in: 0...5)
        item.liked = fields.truth("liked")
        item.bookmarks = (fields.list("bookmarks", of: "times") ?? []).compactMap { source.duration($0) }
        item.mutedLayers = (fields.list("muted", of: "layers") ?? []).compactMap { source.text($0, noun: "the name of a layer") }
        item.waves = waves(fields)
        for (index, edit) in (fields.list("edits", of: "edits") ?? []).enumerated() {
            guard let fields = Fields(edit, of: "edit \(index + 1)", content: "`at` and `set`", in: source),
                let at = fields.required("at", hint: "write its position, such as `at: 1:30`"), let position = source.duration(at)
            else { continue }
            fields.otherPairs(than: ["at", "set"])
            item.edits += values(fields).map { .init(value: $0, position: position) }
        }
        item.course = CourseReader(source: source).course(fields.list("course", of: "changes") ?? [], values: values)
        item.kept = fields.otherPairs(than: ["patch", "rating", "liked", "bookmarks", "muted", "waves", "edits", "course"])
        return item
    }

    private func readPresets(_ list: [YAMLTree], into session: inout Session) {
        let presets = list.enumerated().compactMap { preset($1, number: $0 + 1) }
        session.presets = presets.map(\.preset)
        // If several presets have the same name, the first one counts.
        session.keptOfPresets = Dictionary(presets.map { ($0.preset.name, $0.kept) }) { first, _ in first }.filter { !$0.value.isEmpty }
    }

    private func preset(_ tree: YAMLTree, number: Int) -> (preset: Preset, kept: [YAMLTree.Pair])? {
        guard let fields = Fields(tree, of: "preset \(number)", content: "`name`, `patch` and `set`", in: source),
            let name = fields.required("name", hint: "write a name"),
            let patch = fields.required("patch", hint: "write the patch it belongs to")
        else { return nil }
        let preset = Preset(
            name: source.text(name, noun: "a name") ?? "", reference: source.text(patch, noun: "the name or path of a patch") ?? "",
            values: values(fields), waves: waves(fields))
        return (preset, fields.otherPairs(than: ["name", "patch", "set", "waves"]))
    }

    private func connection(_ tree: YAMLTree, number: Int) -> Session.SavedConnection? {
        guard let fields = Fields(tree, of: "connection \(number)", content: "`port`, `to` and `seen`", in: source),
            let port = fields.required("port", hint: "write `out_left`, `out_right` or another of the program's ports"),
            let to = fields.required("to", hint: "write the name of a JACK port"),
            let portName = source.text(port, noun: "the name of a port"), let other = source.text(to, noun: "the name of a JACK port")
        else { return nil }
        var connection = Session.SavedConnection(port: portName, other: other)
        if let tree = fields["seen"], let text = source.text(tree, noun: "a day") {
            connection.seen = Day(text)
            if connection.seen == nil { source.report(.unexpected(found: .text(text), expected: .day), at: tree.place) }
        }
        connection.isReported = fields.truth("reported") ?? false
        fields.otherPairs(than: ["port", "to", "seen", "reported"])
        return connection
    }

    private func controller(_ tree: YAMLTree, number: Int) -> ControllerMapping? {
        guard let fields = Fields(tree, of: "controller \(number)", content: "`controller`, `channel` and `moves`", in: source),
            let controller = fields.required("controller", hint: "write its number, 0 to 127"),
            let moves = fields.required("moves", hint: "write an address, such as `layer/1/beat`"),
            let value = source.wholeNumber(controller, in: 0...127), let address = source.text(moves, noun: "an address")
        else { return nil }
        fields.otherPairs(than: ["controller", "channel", "moves"])
        return ControllerMapping(
            controller: Int(value), channel: fields.wholeNumber("channel", in: 1...16).map { Int($0) }, address: address)
    }

    private func waves(_ fields: Fields) -> [String: Waveform] {
        var waves: [String: Waveform] = [:]
        for pair in fields.fields("waves", content: "waveforms, such as `bed: square`")?.pairs ?? [] {
            waves[pair.key] = source.choice(pair.value, noun: "waveform")
        }
        return waves
    }

    /// Parses `set: {bed.beat: 4}`. Parameter names are not checked here; they depend on the patch and may be a newer version's.
    private func values(_ fields: Fields) -> [NamedSetting] {
        guard let set = fields.fields("set", content: "values, such as `bed.beat: 4`") else { return [] }
        return set.pairs.compactMap { pair in
            let parts = pair.key.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                source.report(.badTarget(pair.key), at: pair.keyPlace)
                return nil
            }
            return source.number(pair.value, named: pair.key, in: -1e12...1e12, unit: .ratio)
                .map { .init(layer: String(parts[0]), parameter: String(parts[1]), value: $0) }
        }
    }
}
