import Dispatch
import Library
import OperatingSystem
import PatchFiles
import Playback
import Performance

/// Saves the preferences: each assignment is written at once, or as soon as the previous write has ended.
///
/// Disk access runs on a queue of its own.
@MainActor final class PreferencesKeeper {
    let preferences: Preferences
    private let host: PlayerHost
    private var file: PreferencesFile
    private var isSaving = false
    /// Whether something was assigned during a save, or could not be saved.
    private var isWaiting = false
    /// The earliest time of the next attempt after a failure.
    private var notBefore = 0.0
    let disk = DispatchQueue(label: "binaural.preferences")

    private static let retryInterval = 10.0

    init(_ values: PreferenceValues, file: PreferencesFile, _ host: PlayerHost) {
        self.host = host
        preferences = Preferences(values)
        self.file = file
    }

    /// The values of a file, for ``exchange(for:_:)``.
    struct Read: Sendable {
        let values: PreferenceValues
        let notice: PreferencesNotice?
    }

    /// Reads another file; if that does not exist yet, it is created as a copy of the one at `other`. Others are served meanwhile.
    func read(_ file: PreferencesFile, beginningAs other: String) async -> Read {
        await withCheckedContinuation { continuation in
            disk.async {
                let loaded = file.load(beginningAs: other)
                continuation.resume(returning: Read(values: loaded.values, notice: loaded.notice))
            }
        }
    }

    /// Replaces the file and all values by those of another one. Earlier assignments are saved to the old file; a failure to do so is reported,
    /// as at the end of the program.
    func exchange(for file: PreferencesFile, _ loaded: Read) {
        let (old, assigned) = (self.file, isWaiting || isSaving ? preferences.assigned : PreferenceValues())
        disk.async { [weak host] in
            guard assigned != PreferenceValues() else { return }
            do throws(PreferencesError) { try old.save(assigned) } catch {
                host?.enter { host?.notify(error) }
            }
        }
        (self.file, isSaving, isWaiting, notBefore) = (file, false, false, 0)
        preferences.replace(with: loaded.values)
        if let notice = loaded.notice { host.notify(notice) }
    }

    /// Applies the preferences, now and whenever one is assigned, and starts saving assignments.
    func begin() {
        let (center, performance) = (host.center, host.performance)
        preferences.follow { [unowned preferences] in
            center.adopt(preferences.values)
        }
        preferences.follow { [unowned preferences] in performance.shortFade = preferences.shortFade }
        preferences.follow { [unowned preferences, unowned host] in
            performance.crossfade = preferences.crossfade
            performance.prepareNext(host.player.state)
        }
        preferences.follow { [unowned preferences, weak self] in
            guard preferences.assigned != PreferenceValues() else { return }
            self?.save()
        }
    }

    func tick() {
        if isWaiting, host.time.seconds >= notBefore { save() }
    }

    private func save() {
        isWaiting = isSaving
        guard !isSaving else { return }
        isSaving = true
        let (file, assigned) = (file, preferences.assigned)
        disk.async { [weak self] in
            let result = Result { () throws(PreferencesError) in try file.save(assigned) }
            guard let self else { return }
            host.enter { self.saved(result, in: file) }
        }
    }

    private func saved(_ result: Result<Void, PreferencesError>, in file: PreferencesFile) {
        // The file may have been replaced meanwhile.
        guard file === self.file else { return }
        isSaving = false
        guard case .failure(let error) = result else { return }
        isWaiting = true
        notBefore = host.time.seconds + Self.retryInterval
        if host.frontEnds.notice != error.wordsForPeers { host.notify(error) }
    }

    /// Writes what is not saved yet.
    func close() async throws(PreferencesError) {
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
