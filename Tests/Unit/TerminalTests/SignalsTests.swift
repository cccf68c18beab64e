import Testing

@testable import Terminal

@Suite("Signals")
struct SignalsTests {
    @Test("SIGINTs close together are one request to end, so that the program can save; a later one ends it at once")
    func interrupts() {
        var interrupts = Interrupts()
        #expect(
            [10, 10, 10.1, 10.49, 10.5, 11].map { interrupts.meaning(at: $0) } == [
                .request, .repetition, .repetition, .repetition, .order, .order,
            ])
    }
}
