/// The result of a search of the library.
package struct FoundPatches: Equatable, Sendable {
    /// A patch that can be added to the queue by its name.
    package struct Patch: Equatable, Sendable {
        package var name: String
        /// Marked if the patch cannot be played.
        package var title: String
        /// The duration in seconds; `nil` if it is endless, or cannot be played.
        package var duration: Double?
        /// The place where it was found, in words.
        package var origin: String

        package init(name: String, title: String, duration: Double?, origin: String) {
            (self.name, self.title, self.duration, self.origin) = (name, title, duration, origin)
        }
    }

    /// The first ones, sorted by name.
    package var patches: [Patch]
    /// The number of all that match.
    package var count: Int

    /// Maximum number of patches that are listed.
    package static let limit = 200

    package init(_ patches: [Patch], count: Int) { (self.patches, self.count) = (patches, count) }
}
