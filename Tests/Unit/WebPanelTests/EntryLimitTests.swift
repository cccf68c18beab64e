import Testing

@testable import WebPanel

@Suite("Failed attempts to enter") struct EntryLimitTests {
    /// The limit, whose calls can be expected.
    private final class Limit {
        var value = EntryLimit()
        func admits(_ address: String, at now: Double) -> Bool { value.admits(address, at: now) }
        func isBlocked(_ address: String, at now: Double) -> Bool { value.isBlocked(address, at: now) }
    }

    private let limit = Limit()

    @Test("After five failures an address waits for a minute; another one does not, and a success resets the count")
    func failures() {
        for second in 0..<5 {
            #expect(!limit.isBlocked("a", at: Double(second)))
            limit.value.noteFailure(of: "a", at: Double(second))
        }
        #expect(limit.isBlocked("a", at: 5))
        #expect(limit.isBlocked("a", at: 63.9))
        // Its other requests are answered meanwhile.
        #expect(limit.admits("a", at: 5))
        #expect(!limit.isBlocked("b", at: 5))
        #expect(!limit.isBlocked("a", at: 64.1))
        limit.value.noteFailure(of: "a", at: 64.1)
        #expect(!limit.isBlocked("a", at: 64.1))
        for _ in 0..<4 { limit.value.noteFailure(of: "b", at: 70) }
        limit.value.noteSuccess(of: "b")
        limit.value.noteFailure(of: "b", at: 70)
        #expect(!limit.isBlocked("b", at: 70))
    }

    @Test("An address may send 200 requests at once and 50 a second")
    func rate() {
        #expect((0..<300).count { _ in limit.admits("a", at: 10) } == 200)
        #expect((0..<300).count { _ in limit.admits("a", at: 11) } == 50)
    }

    @Test("However many addresses there are, 256 are remembered, and blocked ones stay blocked")
    func memory() {
        for _ in 0..<5 { limit.value.noteFailure(of: "blocked", at: 0) }
        for number in 0..<10_000 { _ = limit.admits("\(number)", at: Double(number) / 1000) }
        #expect(limit.value.count <= 256)
        #expect(limit.isBlocked("blocked", at: 20))
    }

    @Test("However many addresses fail, a newcomer is admitted and counted; the address whose failure is the oldest is forgotten")
    func crowd() {
        for number in 0..<1000 {
            #expect(limit.admits("\(number)", at: Double(number) / 100))
            for _ in 0..<5 { limit.value.noteFailure(of: "\(number)", at: Double(number) / 100) }
        }
        #expect(limit.admits("newcomer", at: 10))
        for _ in 0..<5 { limit.value.noteFailure(of: "newcomer", at: 10) }
        #expect(limit.isBlocked("newcomer", at: 10))
        #expect(limit.isBlocked("999", at: 10))
        #expect(!limit.isBlocked("0", at: 10))
        // One that fails after it was forgotten.
        limit.value.noteFailure(of: "0", at: 10)
        #expect(limit.value.count == 256)
    }
}
