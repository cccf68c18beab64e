import Dispatch
import Foundation
import Playback
import Studio

/// The session manager: it is sent notices and whether there are unsaved changes, and it requests saving and opening.
final class ManagerSurface: Surface {
    private let link: SessionManagerLink
    private let source: any DispatchSourceRead
    private var isDirty = false

    init(_ link: SessionManagerLink, control: isolated Control) {
        self.link = link
        source = DispatchSource.makeReadSource(fileDescriptor: link.descriptor, queue: control.executor.queue)
        source.setEventHandler { [weak control, link] in
            guard let control else { return }
            while let request = link.next() { control.assumeIsolated { $0.serve(request, link) } }
        }
        source.activate()
    }

    func changed(_ snapshot: Snapshot) {
        guard snapshot.session.isDirty != isDirty else { return }
        isDirty = snapshot.session.isDirty
        link.tell(.isDirty(isDirty))
    }

    func notice(_ notice: Notice) { link.tell(.text(notice.forPeers, importance: 2)) }

    func tick(_ snapshot: Snapshot) {}

    func close() { source.cancel() }
}

extension Control {
    /// Puts the session under control of a session manager.
    ///
    /// - Parameter connect: the value of `--connect`, if it was given.
    func obey(_ managed: ManagedSession, connect: ConnectionChoice?) {
        isManaged = true
        self.connect = connect
        surfaces.append(ManagerSurface(managed.link, control: self))
        // Requests to open another session that came meanwhile are refused.
        isChanging = true
        while let request = managed.link.next() { serve(request, managed.link) }
        isChanging = false
        isOpen(managed)
    }

    func isOpen(_ managed: ManagedSession) {
        if let name = backend?.status.clientName { managed.tell(clientName: name) }
        managed.link.tell(.progress(1))
        managed.link.tell(.opened("Opened."))
    }

    fileprivate func serve(_ request: SessionManagerRequest, _ link: SessionManagerLink) {
        switch request {
        case .save:
            link.tell(.progress(0))
            keeper.save(player.state, as: nil, position: position, control: self) { result in
                guard result.status == .success else { return link.tell(.saveFailed(.general, result.message)) }
                link.tell(.progress(1))
                link.tell(.saved("Saved."))
            }
        case .open(let folder, let displayName, let clientID):
            do throws(ApplicationError) {
                change(to: try ManagedSession(link: link, folder: folder, displayName: displayName, clientID: clientID))
            } catch {
                link.refuse(error)
            }
        case .welcome, .refusal, .sessionIsLoaded: break
        }
    }
}
