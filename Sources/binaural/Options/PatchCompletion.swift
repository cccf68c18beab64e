import ArgumentParser
import Library

/// The names of patches, for shell completion.
enum PatchCompletion {
    static let ofPatch = CompletionKind.custom { _, _, beginning in
        Library(places: .current).list(.patches).filter { !$0.isHidden && $0.name.hasPrefix(beginning) }.map(\.name)
    }
}
