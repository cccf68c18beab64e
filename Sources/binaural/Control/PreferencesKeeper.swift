import Dispatch
import Foundation
import Library
import Patches
import Playback
import Studio

/// Keeps the preferences on disk: each assignment is written at once, or as soon as the one before it is.
///
/// Belongs to the control actor; what waits for the disk runs on a queue of its own.
final class PreferencesKeeper {
    let preferences: Preferences
    private var file: PreferencesFile
    private var isSaving = false
    /// Something was assigned while it was being saved, or could not be saved.
    private var isWaiting = false
    /// After a failure: not before then again.
    private var notBefore = 0.0
    private let disk = DispatchQueue(label: "binaural.preferences")

    private static let retryInterval = 10.0

    init(_ values: PreferenceValues, file: PreferencesFile) {
        preferences = Preferences(values)
        self.file = file
    }

    /// Another file takes the place of this one, with all that it says: where there is none yet it begins as a copy of the one at `other`.
    /// What was assigned before is kept in the old one; where that fails it is told, as at the end of the program.
    func exchange(for file: PreferencesFile, beginningAs other: String, _ control: isolated Control) {
        let (old, assigned) = (self.file, isWaiting || isSaving ? preferences.assigned : PreferenceValues())
        let (saved, loaded) = disk.sync {
            let saved = Result { () throws(PreferencesError) in if assigned != PreferenceValues() { try old.save(assigned) } }
            return (saved, file.load(beginningAs: other))
        }
        if case .failure(let error) = saved { control.tell(error) }
        (self.file, isSaving, isWaiting, notBefore) = (file, false, false, 0)
        preferences.replace(with: loaded.values)
        if let notice = loaded.notice { control.tell(notice) }
    }

    /// Puts the preferences to use, now and whenever one of them is assigned, and begins to save what is.
    func begin(_ control: Control, _ center: RemoteCommandCenter, _ performance: Performance) {
        preferences.follow { [unowned preferences] in
            center.adopt(preferences.values)
        }
        preferences.follow { [unowned preferences] in performance.shortFade = preferences.shortFade }
        preferences.follow { [unowned preferences, unowned control] in
            performance.crossfade = preferences.crossfade
            control.assumeIsolated { $0.performance.prepareNext($0.player.state) }
        }
        preferences.follow { [unowned preferences, unowned control] in
            guard preferences.assigned != PreferenceValues() else { return }
            control.assumeIsolated { $0.preferencesKeeper.save($0) }
        }
    }

    func tick(_ control: isolated Control) {
        if isWaiting, ProcessInfo.processInfo.systemUptime >= notBefore { save(control) }
    }

    private func save(_ control: isolated Control) {
        isWaiting = isSaving
        guard !isSaving else { return }
        isSaving = true
        let (file, assigned) = (file, preferences.assigned)
        disk.async { [weak control] in
            let result = Result { () throws(PreferencesError) in try file.save(assigned) }
            guard let control else { return }
            control.executor.queue.async {
                control.assumeIsolated { $0.preferencesKeeper.saved(result, in: file, $0) }
            }
        }
    }

    private func saved(_ result: Result<Void, PreferencesError>, in file: PreferencesFile, _ control: isolated Control) {
        // Another one may have taken its place meanwhile.
        guard file === self.file else { return }
        isSaving = false
        guard case .failure(let error) = result else { return }
        isWaiting = true
        notBefore = ProcessInfo.processInfo.systemUptime + Self.retryInterval
        if control.notice != error.wordsForPeers { control.tell(error) }
    }

    /// Writes what is not yet on disk.
    func close(_ control: isolated Control) async throws(PreferencesError) {
        let (file, assigned) = (file, isWaiting || isSaving ? preferences.assigned : PreferenceValues())
        let result: Result<Void, PreferencesError> = await withCheckedContinuation { continuation in
            disk.async {
                continuation.resume(
                    returning: Result { () throws(PreferencesError) in
                        if assigned != PreferenceValues() { try file.save(assigned) }
                    })
            }
        }
        try result.get()
    }
}
