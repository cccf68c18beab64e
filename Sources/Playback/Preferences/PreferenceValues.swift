/// The values of all preferences: the chosen ones, and defaults for the rest. Read by property, such as `values.shortFade`.
@dynamicMemberLookup
package struct PreferenceValues: Equatable, Sendable {
    /// The chosen values by name; preferences at their default are missing.
    package private(set) var chosen: [String: StoredPreference] = [:]

    package init() {}

    package subscript<Value>(dynamicMember path: KeyPath<PreferenceDeclarations, Preference<Value>>) -> Value {
        get {
            let declaration = PreferenceDescription.declarations[keyPath: path]
            return chosen[PreferenceDescription.name(of: declaration)].flatMap(Value.init) ?? declaration.defaultValue
        }
        set { chosen[PreferenceDescription.name(of: PreferenceDescription.declarations[keyPath: path])] = newValue.stored }
    }

    /// Access by name, for callers without type information. The name must be a declared one.
    package subscript(name name: String) -> StoredPreference {
        get { chosen[name] ?? PreferenceDescription.named(name)?.defaultValue ?? .text("") }
        set { chosen[name] = newValue }
    }

    /// These values, overridden by those that `other` has chosen.
    package func merging(_ other: PreferenceValues) -> PreferenceValues {
        var merged = self
        merged.chosen.merge(other.chosen) { $1 }
        return merged
    }
}

/// A preference's declaration with its name.
package struct PreferenceDescription: Sendable {
    package let name: String
    package let kind: PreferenceKind
    package let defaultValue: StoredPreference
    /// A sentence about its purpose.
    package let summary: String
    package let takesEffect: PreferenceEffect

    /// All preferences in the order of their declaration.
    package static let all: [PreferenceDescription] = named.map { name, declaration in
        PreferenceDescription(
            name: name, kind: declaration.kind, defaultValue: declaration.stored, summary: declaration.summary,
            takesEffect: declaration.takesEffect)
    }

    package static func named(_ name: String) -> PreferenceDescription? { all.first { $0.name == name } }

    static let declarations = PreferenceDeclarations()

    private static let named = named(in: declarations)

    private static func named(in group: Any) -> [(name: String, declaration: any DeclaredPreference)] {
        Mirror(reflecting: group).children.flatMap { child in
            guard let name = child.label, let declaration = child.value as? any DeclaredPreference else { return named(in: child.value) }
            return [(name, declaration)]
        }
    }

    private static let names = Dictionary(uniqueKeysWithValues: named.map { (ObjectIdentifier($0.declaration), $0.name) })

    static func name(of declaration: any DeclaredPreference) -> String {
        // Every declaration is a property of the value that the names were taken from.
        names[ObjectIdentifier(declaration)].unsafelyUnwrapped
    }
}
