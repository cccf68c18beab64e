import Testing

@testable import Application

@Suite("Failures of saving")
struct SavingTroubleTests {
    @Test("a folder that vanishes and comes back is two changes, however often both files are tried meanwhile")
    func onceEach() {
        var trouble = SavingTrouble()
        #expect(trouble.wrote(.session, successfully: true) == nil)
        #expect(trouble.wrote(.position, successfully: false) == .begins)
        for _ in 0..<5 {
            #expect(trouble.wrote(.session, successfully: false) == nil)
            #expect(trouble.wrote(.position, successfully: false) == nil)
        }
        #expect(trouble.wrote(.position, successfully: true) == nil)
        #expect(trouble.wrote(.position, successfully: true) == nil)
        #expect(trouble.wrote(.session, successfully: true) == .ends)
        #expect(trouble.wrote(.session, successfully: true) == nil)
        #expect(trouble.wrote(.session, successfully: false) == .begins)
    }
}
