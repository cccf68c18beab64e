import Dispatch
import Foundation
import Library
import Playback
import Studio

/// The session manager: told whether something is unsaved and what there is to say; it has sessions saved and opened.
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

    func notice(_ text: String) { link.tell(.text(text, importance: 2)) }

    func tick(_ snapshot: Snapshot) {}

    func close() { source.cancel() }
}

extension Control {
    /// The session belongs to a session manager from now on.
    func obey(_ managed: ManagedSession) {
        isManaged = true
        surfaces.append(ManagerSurface(managed.link, control: self))
        isOpen(managed)
    }

    private func isOpen(_ managed: ManagedSession) {
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
            guard folder.hasPrefix("/"), ManagedSession.isName(clientID) else {
                return link.tell(
                    .openFailed(.general, "An absolute path and a name for JACK are needed, not '\(folder)' and '\(clientID)'."))
            }
            change(to: ManagedSession(link: link, folder: folder, displayName: displayName, clientID: clientID))
        case .welcome, .refusal, .sessionIsLoaded: break
        }
    }

    /// Another session in place of the one that is open, with its preferences, under another name in JACK; what cannot be opened leaves the one
    /// that is open as it is.
    private func change(to managed: ManagedSession) {
        managed.link.tell(.progress(0))
        do {
            guard let backend, backend.status.condition == .running else {
                throw ProgramError(
                    .unavailable, "JACK is away, and another session needs another client of it. Try again when the server is back.")
            }
            try managed.makeFolder()
            let isOther = try keeper.open(managed.file, name: managed.displayName, into: self)
            guard isOther || backend.status.clientName != managed.clientID else { return isOpen(managed) }
            if isOther {
                preferencesKeeper.exchange(
                    for: PreferencesFile(path: managed.places.preferencesFile), beginningAs: Places.current.preferencesFile, self)
                settle()
            }
            managed.link.tell(.progress(0.5))
            let links = keeper.connections?.map { PortLink(port: $0.port, other: $0.other) }
            let preferences = preferencesKeeper.preferences
            ask({ self.hasReopened($0, for: managed) }) {
                $0.reopen(as: managed.clientID, connections: links, connect: preferences.connectionChoice, answer: $1)
            }
        } catch {
            managed.refuse(error)
        }
    }

    private func hasReopened(_ result: CommandResult, for managed: ManagedSession) {
        guard result.status == .success else {
            return managed.refuse(
                ProgramError(
                    .unavailable, "The session is open, but JACK is not: \(result.message) It plays as soon as the server is back."))
        }
        isOpen(managed)
    }
}

extension Preferences {
    /// What they say about a session that was never connected; a pattern that is none was refused where it was read.
    fileprivate var connectionChoice: ConnectionChoice { (try? ConnectionChoice(argument: self.connect)) ?? .automatic }
}
