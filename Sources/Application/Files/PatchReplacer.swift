import Dispatch
import Foundation
import Library
import OperatingSystem
import PatchFiles
import Patches
import Playback

/// Takes up patches of the queue whose files were saved again: the current one is crossfaded, at the same position, and others are used at
/// their next start.
///
/// Files are read on another queue.
@MainActor final class PatchReplacer {
    private let watchedPatches: WatchedPatches
    private let keeper: SessionKeeper
    private let artwork: ArtworkDrawing
    private let host: PlayerHost
    private(set) var reloader: PatchReloader?
    private var followed: PatchReloader.Scope?
    private var lastLook = -Double.infinity
    /// References of patches that could not be read again.
    private var failing: Set<String> = []

    /// Seconds between checks of the queue.
    private static let lookInterval = 0.25

    init(_ watchedPatches: WatchedPatches, _ keeper: SessionKeeper, _ artwork: ArtworkDrawing, _ host: PlayerHost) {
        (self.watchedPatches, self.keeper, self.artwork, self.host) = (watchedPatches, keeper, artwork, host)
    }

    func tick() {
        let now = host.time.seconds
        guard watchedPatches != .off, now - lastLook >= Self.lookInterval else { return }
        lastLook = now
        let (items, folder) = (host.player.state.items, keeper.folder)
        if let followed, followed.folder == folder, items.lazy.map(\.reference).elementsEqual(followed.references) { return }
        let scope = PatchReloader.Scope(references: items.map(\.reference), folder: folder)
        followed = scope
        let reloader = self.reloader ?? makeReloader()
        self.reloader = reloader
        reloader.follow(scope)
    }

    private func makeReloader() -> PatchReloader {
        PatchReloader(keeper.library, watchesNames: watchedPatches == .all, time: host.time) { [weak self] outcome in
            guard let self else { return }
            host.enter { self.receive(outcome) }
        }
    }

    private func receive(_ outcome: PatchReloader.Outcome) {
        switch outcome {
        // Another session may have been opened meanwhile.
        case .read(let scope, let patch):
            guard scope.folder == keeper.folder else { break }
            let begin = host.time.seconds
            takeUp(patch, scope.references)
            // A large patch takes time to compile: at most a fifth of the control thread's.
            reloader?.rest(seconds: 4 * (host.time.seconds - begin))
        case .failed(let scope, let path, let error):
            if scope.folder == keeper.folder { report(error, about: scope.references, path: path) }
        // Asking reports the shortage, unless that has been done.
        case .lacksMemory: _ = host.performance.shortage.hasRoom()
        case .cannotWatch(let reason):
            host.notify(
                notice: "Changes to patch files will not be noticed: \(reason.reason). "
                    + "Close other programs that watch files, or raise fs.inotify.max_user_watches.")
        }
    }

    /// Replaces the patch of every item with one of these references.
    private func takeUp(_ patch: Patch, _ references: [String]) {
        var isChanged = false
        var spoken: String?
        host.player.sender = nil
        for index in host.player.state.items.indices where references.contains(host.player.state.items[index].reference) {
            let item = host.player.state.items[index]
            let restored = item.patch == nil ? keeper.restoredItem(item, with: patch) : nil
            let rereading = host.player.replacePatch(ofItem: index, with: patch, restored: restored, at: host.performance.moment)
            guard let rereading else { continue }
            isChanged = true
            artwork.forget(item: item.id)
            if index == host.player.state.currentIndex || item.patch == nil { spoken = rereading.sentence(about: Self.name(of: item)) }
        }
        let wasFailing = !failing.isDisjoint(with: references)
        failing.subtract(references)
        if isChanged { host.settle() }
        if let spoken {
            host.notify(notice: spoken)
        } else if wasFailing, let reference = references.first {
            host.notify(notice: "'\(Self.name(ofReference: reference))' can be read again\(isChanged ? "" : ", and has not changed").")
        }
    }

    private func report(_ error: LibraryError, about references: [String], path: String) {
        let items = host.player.state.items.filter { references.contains($0.reference) }
        // An item without a patch has nothing that could continue to play.
        guard let item = items.first(where: { $0.patch != nil }) ?? items.first else { return }
        failing.formUnion(references)
        let remedy = item.patch == nil ? "" : " The version read before stays in use."
        let name = Self.name(of: item)
        if error.isAboutMissingFile {
            return host.notify(notice: "The file of '\(name)' is gone: \(path).\(remedy)")
        }
        host.notify(PatchFault(sentence: "'\(name)' was saved again, but cannot be read.\(remedy)", remedy: remedy, error: error))
    }

    /// The name of a patch in notices: that of its file.
    private static func name(of item: QueueItem) -> String { name(ofReference: item.reference) }

    private static func name(ofReference reference: String) -> String { (reference as NSString).lastPathComponent }
}

/// The patches that are read again when they are saved.
package enum WatchedPatches: Sendable {
    case off
    /// Patches given by path.
    case paths
    /// Patches of the library too.
    case all
}

/// A patch that was saved with a mistake, or replaced by something else.
private struct PatchFault: QuotesFiles {
    let sentence: String
    let remedy: String
    let error: LibraryError

    var description: String { "\(sentence)\n\(error)" }
    /// The place comes first, since long notices are cut.
    var wordsForPeers: String { error.wordsForPeers + remedy }
}

extension Rereading {
    /// - Parameter name: the name of the patch.
    fileprivate func sentence(about name: String) -> String {
        var text = "'\(name)' was read again."
        if startsAgain { text += " It is now shorter than the current position, so it restarts." }
        let fates = [(course.kept, "kept"), (course.dropped, "dropped"), (course.contained, "now in the file")].filter { $0.0 > 0 }
        if !fates.isEmpty { text += " Chapter changes: \(fates.map { "\($0) \($1)" }.joined(separator: ", "))." }
        if keptEdits > 0 { text += " \(keptEdits) live \(keptEdits == 1 ? "edit still applies" : "edits still apply")." }
        if !waitingLayers.isEmpty {
            text +=
                " Live changes to \(waitingLayers.joined(separator: ", ")) are kept until the patch has those layers and parameters again."
        }
        return text
    }
}
