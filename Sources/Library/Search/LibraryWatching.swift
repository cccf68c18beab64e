/// Patches that are saved again while they are used.
extension Library {
    /// The absolute paths at which a patch may be found, whether there is a file or not: for a name, which is looked up only if `names` is set,
    /// one in each folder of the library, so that a patch which takes precedence is noticed.
    package func watchablePaths(ofPatch reference: String, relativeTo folder: String?, names: Bool) -> [String] {
        if Self.isPath(reference) { return [Paths.absolute(reference, in: folder ?? places.workingFolder)] }
        guard names, reference.isPlainName else { return [] }
        return paths(.patches, plainName: reference).map { Paths.absolute($0.path, in: places.workingFolder) }
    }

    /// Whether a reference is a path: with a `/` or an extension.
    package static func isPath(_ reference: String) -> Bool { reference.contains("/") || Paths.withoutExtension(reference) != reference }
}
