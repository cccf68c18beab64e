import Dispatch
import Library
import Patches
import Playback

/// Saves patches in the user's folder of the library. Disk access runs on a queue of its own.
@MainActor final class PatchSaver {
    let disk = DispatchQueue(label: "binaural.saved-patches")
    private let library: Library
    private let host: PlayerHost
    private var waitingCount = 0

    /// Maximum number of saves that wait for each other: each holds a patch.
    private static let limit = 16

    init(_ library: Library, _ host: PlayerHost) { (self.library, self.host) = (library, host) }

    func save(
        _ patch: Patch, from reference: String, as name: String, overwrites: Bool,
        answer: @escaping @MainActor (CommandResult) -> Void
    ) {
        guard waitingCount < Self.limit else {
            return answer(CommandResult(.busy, by: "item", "\(Self.limit) patches are still being saved: try again."))
        }
        waitingCount += 1
        disk.async { [library, weak self] in
            let result = Result { () throws(LibraryError) in try library.savePatch(patch, from: reference, as: name, overwrites: overwrites)
            }
            guard let self else { return }
            host.enter { self.saved(result, answer) }
        }
    }

    private func saved(_ result: Result<String, LibraryError>, _ answer: (CommandResult) -> Void) {
        waitingCount -= 1
        switch result {
        case .success(let path):
            host.notify(notice: "The patch is saved in \(path).")
            answer(CommandResult(.success, by: "item"))
        case .failure(let error): answer(CommandResult(error.status, by: "item", error.wordsForPeers))
        }
        host.settle()
    }
}

extension LibraryError {
    fileprivate var status: CommandStatus {
        switch self {
        case .notAName, .reservedName: .badArguments
        case .nameTaken: .busy
        default: .commandFailed
        }
    }
}
