/// The values of all preferences: what was chosen, and for the rest what was declared. Read by property, such as `values.shortFade`.
@dynamicMemberLookup
package struct PreferenceValues: Equatable, Sendable {
    /// By name, only what somebody has chosen.
    package private(set) var chosen: [String: StoredPreference] = [:]

    package init() {}

    package subscript<Value>(dynamicMember path: KeyPath<PreferenceDeclarations, Preference<Value>>) -> Value {
        get {
            let declaration = PreferenceDescription.declarations[keyPath: path]
            return chosen[PreferenceDescription.name(of: declaration)].flatMap(Value.init) ?? declaration.defaultValue
        }
        set { chosen[PreferenceDescription.name(of: PreferenceDescription.declarations[keyPath: path])] = newValue.stored }
    }

    /// By name, for those that know no types. A name that nobody has declared must not come here.
    package subscript(name name: String) -> StoredPreference {
        get { chosen[name] ?? PreferenceDescription.named(name)?.defaultValue ?? .text("") }
        set { chosen[name] = newValue }
    }

    /// With what `other` has chosen on top.
    package func merging(_ other: PreferenceValues) -> PreferenceValues {
        var merged = self
        merged.chosen.merge(other.chosen) { $1 }
        return merged
    }
}

/// A declaration with its name.
package struct PreferenceDescription: Sendable {
    package let name: String
    package let kind: PreferenceKind
    package let defaultValue: StoredPreference
    /// A sentence.
    package let summary: String
    package let takesEffect: PreferenceEffect

    /// All, in the order of their declaration.
    package static let all: [PreferenceDescription] = named.map { name, declaration in
        PreferenceDescription(
            name: name, kind: declaration.kind, defaultValue: declaration.stored, summary: declaration.summary,
            takesEffect: declaration.takesEffect)
    }

    package static func named(_ name: String) -> PreferenceDescription? { all.first { $0.name == name } }

    static let declarations = PreferenceDeclarations()

    private static let named: [(name: String, declaration: any DeclaredPreference)] =
        Mirror(reflecting: declarations).children.compactMap { child in
            guard let name = child.label, let declaration = child.value as? any DeclaredPreference else { return nil }
            return (name, declaration)
        }

    private static let names = Dictionary(uniqueKeysWithValues: named.map { (ObjectIdentifier($0.declaration), $0.name) })

    static func name(of declaration: any DeclaredPreference) -> String {
        // Every declaration is a property of the one value that the names were taken from.
        names[ObjectIdentifier(declaration)].unsafelyUnwrapped
    }
}
