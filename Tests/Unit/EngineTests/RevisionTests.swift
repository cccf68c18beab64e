import Testing

@testable import Engine

@Suite("Revisions")
struct RevisionTests {
    @Test("If one change comes too late, later ones wait until all are back, and are then sent again together")
    func lateChanges() {
        var revisions = Revisions<[EngineFrame]>([])
        func change(_ content: inout [EngineFrame], _ frame: EngineFrame) { content.append(frame) }
        revisions.add(serial: 1, atFrame: 0, earliest: 100, apply: change)
        revisions.didSend(serial: 1)
        revisions.add(serial: 2, atFrame: 0, earliest: 200, apply: change)
        revisions.didSend(serial: 2)
        #expect(revisions.latest == [100, 200])
        #expect(revisions.validFrom == 100)
        let isFirstTheLast = revisions.didMiss(serial: 1)
        #expect(!isFirstTheLast)
        #expect(revisions.hasMissed)
        revisions.add(serial: 3, atFrame: 7000, earliest: 300, apply: change)
        let isSecondTheLast = revisions.didMiss(serial: 2)
        #expect(isSecondTheLast)
        #expect(!revisions.hasMissed)
        #expect(revisions.stranded == 3)
        revisions.remake(earliest: 500)
        #expect(revisions.latest == [500, 500, 7000])
        #expect(revisions.validFrom == 500)
        revisions.didSend(serial: 3)
        #expect(revisions.stranded == nil)
        let landed = revisions.didLand(serial: 3)
        #expect(landed == [1, 2, 3])
        #expect(revisions.landed == [500, 500, 7000])
        #expect(revisions.validFrom == .max)
    }

    @Test("A change that was applied is not repeated if a later one comes too late")
    func partlyLanded() {
        var revisions = Revisions(0)
        revisions.add(serial: 1, atFrame: 0, earliest: 10) { content, _ in content += 1 }
        revisions.didSend(serial: 1)
        revisions.add(serial: 2, atFrame: 0, earliest: 20) { content, _ in content += 10 }
        revisions.didSend(serial: 2)
        let landed = revisions.didLand(serial: 1)
        #expect(landed == [1])
        let isLast = revisions.didMiss(serial: 2)
        #expect(isLast)
        revisions.remake(earliest: 50)
        #expect(revisions.latest == 11)
        #expect(revisions.validFrom == 50)
    }

    @Test("A change that is applied although an earlier one came too late ends the waiting, and the waiting ones are sent")
    func landedAfterMiss() {
        var revisions = Revisions(0)
        for serial in 1...3 as ClosedRange<UInt64> {
            revisions.add(serial: serial, atFrame: 0, earliest: EngineFrame(Int64(serial) * 10)) { content, _ in content += 1 }
            revisions.didSend(serial: serial)
        }
        _ = revisions.didLand(serial: 1)
        let isLast = revisions.didMiss(serial: 2)
        #expect(!isLast)
        #expect(revisions.hasMissed)
        revisions.add(serial: 4, atFrame: 0, earliest: 40) { content, _ in content += 1 }
        let landed = revisions.didLand(serial: 3)
        #expect(landed == [2, 3])
        #expect(!revisions.hasMissed)
        #expect(revisions.stranded == 4)
        revisions.remake(earliest: 50)
        #expect(revisions.latest == 4)
    }

    @Test("Reports about messages that are not in flight change nothing")
    func unknownSerials() {
        var revisions = Revisions(0)
        revisions.add(serial: 1, atFrame: 0, earliest: 10) { content, _ in content += 1 }
        revisions.didSend(serial: 1)
        let landed = revisions.didLand(serial: 7)
        let isLast = revisions.didMiss(serial: 7)
        #expect(landed.isEmpty)
        #expect(!isLast)
        #expect(revisions.inFlight == 1)
        #expect(revisions.landed == 0)
    }
}
