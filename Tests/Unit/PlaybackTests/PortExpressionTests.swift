import Playback
import Testing

@Suite("Expressions for the names of ports")
struct PortExpressionTests {
    @Test(
        "usual expressions are accepted",
        arguments: [
            "system:playback_.*", "a|b", "(left|right)_[0-9]{1,3}", "[]{1000}]", "[^]{999}[:alpha:]{999}]x{2}", #"\{999}"#, "x{2}y{3}z{4}",
            "é+",
        ])
    func accepted(_ text: String) {
        #expect(PortExpression.fault(in: text) == nil)
        #expect(PreferenceText.connection.accepts(text))
    }

    /// Compiling the first ones would take gigabytes and minutes.
    @Test(
        "one that would take much memory or time is refused without being compiled, and so is one with a mistake",
        arguments: [
            ("((((x{1,200}){1,200}){1,200}){1,200}){1,200}", "multiply"), ("(x{32767}){32767}", "multiply"), ("x{17}{17}", "multiply"),
            ("x{9999999999999999999999}", "multiply"), (#"(.*)(.*)\2\1"#, "refers back"), (String(repeating: "x", count: 1025), "1024"),
            ("", "empty"),
            ("(", "("), ("a\0b", "zero"), ("x{300,", "multiply"),
        ])
    func refused(_ text: String, _ reason: String) {
        #expect(PortExpression.fault(in: text)?.contains(reason) == true, "\(PortExpression.fault(in: text) ?? "none")")
        #expect(!PreferenceText.connection.accepts(text))
    }
}
