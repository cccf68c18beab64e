import Engine
import Foundation
import Library
import Patches
import Playback

/// A patch to render, with the edits of a session.
package struct RenderItem {
    package let title: String
    /// The title of the session that it is from; empty for a patch on its own.
    let session: String
    let patch: Patch
    let edits: [LiveEdit]
    let muted: Set<Int>
    /// Master gain in dB.
    let masterGain: Double
    /// Seconds from the start.
    var bookmarks: [Double] = []
    /// The paths of all files that it is made from.
    package let files: [String]

    func plan(sampleRate: Int) -> Plan {
        PlanCompiler.compile(patch, edits: edits, muted: muted, sampleRate: Double(sampleRate))
    }

    /// A patch on its own, without a session.
    private init(_ patch: Patch, from file: String, in library: Library) {
        self.init(
            title: patch.details.title, session: "", patch: patch, edits: [], muted: [], masterGain: 0,
            files: OutputRecord.inputs(of: patch, from: file, in: library))
    }

    init(title: String, session: String, patch: Patch, edits: [LiveEdit], muted: Set<Int>, masterGain: Double, files: [String]) {
        (self.title, self.session, self.patch, self.files) = (title, session, patch, files)
        (self.edits, self.muted, self.masterGain) = (edits, muted, masterGain)
    }

    /// The same item with another course of its patch.
    private func with(_ patch: Patch) -> RenderItem {
        RenderItem(title: title, session: session, patch: patch, edits: edits, muted: muted, masterGain: masterGain, files: files)
    }

    /// The album that it belongs to: the patch's own, or else its session; empty for neither.
    var album: String { patch.details.album.isEmpty ? session : patch.details.album }

    /// The items that command-line arguments name: patches, and the queues of sessions as saved, in their listed order.
    ///
    /// - Parameter warn: gets a line for everything that is not rendered as written.
    /// - Throws: `LibraryError` for missing and faulty files, `RenderError` for such an item of a session.
    package static func items(_ arguments: [String], in library: Library, warn: (String) -> Void) throws -> [RenderItem] {
        try arguments.flatMap { argument in
            if let entry = library.session(argument) {
                return try items(of: try library.loadTemplate(entry), named: argument, from: entry.path, in: library, warn)
            }
            let loaded = try library.loadPatchBesideSessions(argument)
            for remark in loaded.remarks { warn(remark.warning) }
            try requireSounds(of: loaded.patch, warn)
            return [RenderItem(loaded.patch, from: loaded.entry.path, in: library)]
        }
    }

    /// Throws if a sound file is missing or unreadable, since a rendered file must be complete. Layers of inputs and keys only cause
    /// a warning.
    private static func requireSounds(of patch: Patch, _ warn: (String) -> Void) throws {
        for layer in patch.layers {
            let source: String? =
                switch layer.kind {
                case .input: "JACK's inputs"
                case .keys: "notes from MIDI"
                default: nil
                }
            guard let source else { continue }
            warn("\(patch.details.title): warning: layer `\(layer.name)` plays \(source), and is silent in a file")
        }
        if let fault = SoundFault.all(in: patch).first { throw RenderError(fault) }
    }

    private static func items(
        of session: Session, named name: String, from file: String, in library: Library, _ warn: (String) -> Void
    ) throws -> [RenderItem] {
        guard !session.items.isEmpty else { throw RenderError(.badFile, "The session '\(name)' has an empty queue.") }
        let title = session.title.isEmpty ? URL(filePath: name).deletingPathExtension().lastPathComponent : session.title
        return try session.queue(library, relativeTo: nil).map { item in
            guard let patch = item.patchAsHeard else {
                // The library's error is used, since the item's own problem is worded for remote clients.
                do throws(LibraryError) { _ = try library.loadPatch(item.reference) } catch {
                    throw RenderError(.noSuchFile, "'\(item.reference)' of the session '\(name)' cannot be rendered: \(error)")
                }
                throw RenderError(.noSuchFile, "'\(item.reference)' of the session '\(name)' cannot be rendered: \(item.problem)")
            }
            try requireSounds(of: patch, warn)
            let rate = patch.playableRate(session.rate)
            var rendered = RenderItem(
                title: item.title, session: title, patch: patch.timeline(at: rate), edits: item.edits.map { $0.timeline(at: rate) },
                muted: item.mutedLayers, masterGain: session.masterGain,
                files: [file]
                    + OutputRecord.inputs(
                        of: patch, from: (try? library.find(.patches, item.reference))?.path ?? file, in: library))
            rendered.bookmarks = item.bookmarks.map { $0 / rate }
            return rendered
        }
    }
}

extension RenderItem {
    /// Warnings about everything that will not be heard as the patch has it, one line each.
    package func warnings(sampleRate: Int, ceiling: Double) -> [String] {
        let fading = FadingWarnings.words(for: patch, edits: edits, sampleRate: sampleRate).map { "\(title): warning: \($0)" }
        let budget = LevelBudget(of: patch, edits: edits)
        guard let reduction = budget.reduction(ceiling: ceiling) else { return fading }
        return fading + [
            """
            \(title): warning: the ceiling of \(NumberText.string(from: ceiling)) dBFS was exceeded: the layers together reach \
            \(LevelBudget.text(budget.peak)) dBFS at \(DurationText.string(from: budget.position)), and are played \
            \(LevelBudget.text(reduction)) dB softer
            """
        ]
    }

    /// An endless item made to end after this many seconds, with the fade that every item of a queue has.
    func ending(after seconds: Double?) -> RenderItem {
        guard patch.duration == nil || patch.loops, let seconds else { return self }
        var patch = patch
        (patch.duration, patch.loops) = (seconds, false)
        return with(patch)
    }

    /// The item without end and without fades, to be cut anywhere.
    var endless: RenderItem {
        var patch = patch
        (patch.duration, patch.loops, patch.fade) = (nil, false, nil)
        return with(patch)
    }
}
