import OSCRemote
import Performance
import Testing

@testable import Application

@Suite("Limits of the system")
struct SystemLimitsTests {
    @Test("usual limits are enough")
    func enough() throws {
        try SystemLimits.requireFiles(64)
        try SystemLimits.requireAddressSpace(1 << 30)
        #expect(SystemLimits.haveMemory())
    }

    @Test("too few files that may be opened are refused, with the limit to raise")
    func files() {
        let error = #expect(throws: ApplicationError.self) { try SystemLimits.requireFiles(.max) }
        #expect(error?.reason == .unavailable)
        #expect(error?.description.contains("(ulimit -n 1024)") == true)
    }

    @Test("too little address space is refused, with the limit to raise")
    func memory() {
        let error = #expect(throws: ApplicationError.self) { try SystemLimits.requireAddressSpace(1 << 60) }
        #expect(error?.reason == .unavailable)
        #expect(error?.description.contains("(ulimit -v unlimited)") == true)
        #expect(!SystemLimits.haveMemory(1 << 60))
    }

    @Test("a start or change that lacks memory is reported with the limit to raise")
    func notices() {
        for notice in [MemoryShortage.Notice.waiting, .paused] {
            #expect(SystemLimits.sentence(about: notice).contains("raise ulimit -v"))
        }
    }

    @Test("a peer gets the whole sentence by which a command without memory is refused")
    func refusal() {
        #expect(Sentence.fitting(SystemLimits.tooLittleMemory) == SystemLimits.tooLittleMemory)
    }
}
