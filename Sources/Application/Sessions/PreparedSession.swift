import Foundation
import Library
import Playback

/// A session that was read from disk, with its patches, so that it can be installed without waiting for the disk.
struct PreparedSession: Sendable {
    let opened: SessionStore.Opened
    let queue: [QueueItem]

    init(_ opened: SessionStore.Opened, _ library: Library) {
        self.opened = opened
        queue = opened.session.queue(library, relativeTo: (opened.store.file as NSString).deletingLastPathComponent)
    }
}
