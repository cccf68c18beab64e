import Patches

/// A preference, which applies to all sessions: its possible values, its default and its purpose.
///
/// A class, so that declarations of the same kind can be distinguished; a preference's name is that of the property that holds it.
package final class Preference<Value: PreferenceValue>: DeclaredPreference {
    let defaultValue: Value
    let kind: PreferenceKind
    let summary: String
    let takesEffect: PreferenceEffect

    var stored: StoredPreference { defaultValue.stored }

    private init(_ defaultValue: Value, _ kind: PreferenceKind, _ summary: String, _ takesEffect: PreferenceEffect) {
        self.defaultValue = defaultValue
        self.kind = kind
        self.summary = summary
        self.takesEffect = takesEffect
    }

    convenience init(_ defaultValue: Value, in range: ClosedRange<Double>, _ unit: Unit, _ summary: String) where Value == Double {
        self.init(defaultValue, .number(range, unit), summary, .atOnce)
    }

    convenience init(
        _ defaultValue: Value, in range: ClosedRange<Double>, _ unit: Unit, _ takesEffect: PreferenceEffect, _ summary: String
    ) where Value == Double {
        self.init(defaultValue, .number(range, unit), summary, takesEffect)
    }

    convenience init(_ defaultValue: Value, in range: ClosedRange<Int>, _ takesEffect: PreferenceEffect, _ summary: String)
    where Value == Int {
        self.init(defaultValue, .wholeNumber(range), summary, takesEffect)
    }

    convenience init(_ defaultValue: Value, in range: ClosedRange<Double>, _ unit: Unit, upTo limit: Int, _ summary: String)
    where Value == [Double] {
        self.init(defaultValue, .numbers(range, unit, limit: limit), summary, .atOnce)
    }

    convenience init(_ defaultValue: Value, _ content: PreferenceText, _ takesEffect: PreferenceEffect, _ summary: String)
    where Value == String {
        self.init(defaultValue, .text(content), summary, takesEffect)
    }

    /// A list that is empty by default.
    convenience init(upTo limit: Int, _ content: PreferenceText, _ takesEffect: PreferenceEffect, _ summary: String)
    where Value == TextList {
        self.init(TextList(texts: []), .texts(content, limit: limit), summary, takesEffect)
    }

    convenience init(_ defaultValue: Value, _ summary: String)
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        self.init(defaultValue, .atOnce, summary)
    }

    convenience init(_ defaultValue: Value, _ takesEffect: PreferenceEffect, _ summary: String)
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        self.init(defaultValue, .choice(Value.allCases.map(\.rawValue)), summary, takesEffect)
    }
}

/// A preference of any type.
protocol DeclaredPreference: AnyObject, Sendable {
    var kind: PreferenceKind { get }
    var stored: StoredPreference { get }
    var summary: String { get }
    var takesEffect: PreferenceEffect { get }
}

/// The time at which a new value takes effect.
package enum PreferenceEffect: Equatable, Sendable {
    case atOnce
    /// The value takes effect at the next start of the program. Remotes need the role admin to set such a preference.
    case atStart
}

/// The possible values, for files, OSC and the docs.
package enum PreferenceKind: Equatable, Sendable {
    case number(ClosedRange<Double>, Unit)
    case wholeNumber(ClosedRange<Int>)
    /// A list of at least one number.
    case numbers(ClosedRange<Double>, Unit, limit: Int)
    case choice([String])
    case text(PreferenceText)
    /// A list of texts, which may be empty.
    case texts(PreferenceText, limit: Int)
}

/// A value in the form used by files and front ends.
package enum StoredPreference: Equatable, Sendable {
    case number(Double)
    case numbers([Double])
    case text(String)
    case texts([String])
}

/// A type that a preference can have.
package protocol PreferenceValue: Equatable, Sendable {
    /// Reads a stored value; `nil` if it is of another kind.
    init?(_ stored: StoredPreference)
    var stored: StoredPreference { get }
}

extension Double: PreferenceValue {
    package init?(_ stored: StoredPreference) {
        guard case .number(let number) = stored else { return nil }
        self = number
    }

    package var stored: StoredPreference { .number(self) }
}

extension Int: PreferenceValue {
    package init?(_ stored: StoredPreference) {
        guard case .number(let number) = stored else { return nil }
        self.init(exactly: number)
    }

    package var stored: StoredPreference { .number(Double(self)) }
}

extension [Double]: PreferenceValue {
    package init?(_ stored: StoredPreference) {
        guard case .numbers(let numbers) = stored else { return nil }
        self = numbers
    }

    package var stored: StoredPreference { .numbers(self) }
}

extension String: PreferenceValue {
    package init?(_ stored: StoredPreference) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }

    package var stored: StoredPreference { .text(self) }
}

/// A list of texts.
package struct TextList: PreferenceValue {
    package var texts: [String]

    package init(texts: [String]) { self.texts = texts }

    package init?(_ stored: StoredPreference) {
        guard case .texts(let texts) = stored else { return nil }
        self.texts = texts
    }

    package var stored: StoredPreference { .texts(texts) }
}

extension PreferenceValue where Self: RawRepresentable, RawValue == String {
    package init?(_ stored: StoredPreference) {
        guard case .text(let text) = stored else { return nil }
        self.init(rawValue: text)
    }

    package var stored: StoredPreference { .text(rawValue) }
}
