import Foundation
import Library
import POSIX
import PatchFiles
import Playback

/// Replaces the open session by another one.
extension SessionKeeper {
    /// Replaces this session by one of the library. This one is saved first; if that fails, it stays open. Others are served while the disk is
    /// busy, and until then this session is the open one.
    ///
    /// One session is opened at a time; of many requests in a row only the newest is carried out, a little later.
    ///
    /// - Parameter file: the session's file if it is not in the library; its changes are saved under `name`. A session of that name that
    ///   plays something else is not opened in its place.
    func load(_ name: String, from file: SessionFile? = nil, into control: Control, answer: @escaping @MainActor (CommandResult) -> Void) {
        let now = control.time.seconds
        guard !loads.mustWait(at: now) else {
            guard file == nil else {
                return answer(CommandResult(.busy, by: "application", "Another session is being opened: try again in a moment."))
            }
            return loads.wait(for: name, answer)
        }
        guard name != status.name else {
            update(from: control.player.state)
            return answer(file?.refusal(of: session, in: store) ?? CommandResult(.success, by: "application"))
        }
        // It may have waited since it was asked for.
        guard SystemLimits.haveMemory() else {
            return answer(CommandResult(.commandFailed, by: "application", SystemLimits.tooLittleMemory))
        }
        loads.begin(at: now)
        Task {
            let result = await SessionExchange(keeper: self).change(to: name, from: file, control)
            loads.end(at: control.time.seconds)
            answer(result)
            control.settle()
        }
    }

    /// Runs `work` after all disk access before it: the session to open may be one that is being closed, which is locked until then. Control
    /// serves others meanwhile.
    func onDisk<Value: Sendable>(_ control: Control, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            disk.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// Installs a session in place of the one that was left; if it has no connections of its own, it keeps the present ones.
    ///
    /// - Parameter plays: Whether it plays; `nil` means as it was left.
    func take(_ prepared: PreparedSession, name: String, plays: Bool? = nil, _ control: Control) {
        control.notify(.willRestore)
        let opened = prepared.opened
        store = opened.store
        session = opened.session
        saved = opened.session
        requested = RequestedSession(opened)
        isNew = opened.isNew
        if let own = session.connections { connections.replace(with: own) }
        looked = nil
        status.isDirty = false
        lookForUnrequestedChanges()
        // Pending writes of the previous session are complete or do not concern this one.
        (isSaving, notBefore) = (false, 0)
        trouble = SavingTrouble()
        savedPosition = opened.position
        status.name = name
        var state = restoredState(prepared.queue, upTo: control.player.state.hearing.highestMasterGain)
        if let plays { state.playback = plays ? .playing : .stopped }
        control.player.restore(state, position: restoredPosition, at: control.performance.moment)
        control.notify(.didRestore)
        for notice in opened.notices { control.notify(notice) }
        UnreadableItems.report(control)
        control.midi.reportLostControllers(control)
        control.settle()
    }
}
