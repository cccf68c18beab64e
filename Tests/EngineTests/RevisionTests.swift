import Testing

@testable import Engine

@Suite("Revisions")
struct RevisionTests {
    @Test("If one change comes too late, later ones wait until all are back, and are then sent again together")
    func lateChanges() {
        var revisions = Revisions<[EngineFrame]>([])
        func change(_ content: inout [EngineFrame], _ frame: EngineFrame) { content.append(frame) }
        revisions.add(serial: 1, atFrame: 0, earliest: 100, apply: change)
        revisions.sent()
        revisions.add(serial: 2, atFrame: 0, earliest: 200, apply: change)
        revisions.sent()
        #expect(revisions.latest == [100, 200])
        #expect(revisions.validFrom == 100)
        let answer1 = revisions.didMiss()
        #expect(!answer1)
        #expect(revisions.hasMissed)
        revisions.add(serial: 3, atFrame: 7000, earliest: 300, apply: change)
        let answer2 = revisions.didMiss()
        #expect(answer2)
        #expect(!revisions.hasMissed)
        revisions.remake(earliest: 500)
        #expect(revisions.latest == [500, 500, 7000])
        #expect(revisions.validFrom == 500)
        revisions.sent()
        let answer3 = revisions.didLand(serial: 3, content: revisions.latest)
        #expect(answer3 == [1, 2, 3])
        #expect(revisions.landed == [500, 500, 7000])
        #expect(revisions.validFrom == .max)
    }

    @Test("A change that was applied is not repeated if a later one comes too late")
    func partlyLanded() {
        var revisions = Revisions(0)
        revisions.add(serial: 1, atFrame: 0, earliest: 10) { content, _ in content += 1 }
        let first = revisions.latest
        revisions.sent()
        revisions.add(serial: 2, atFrame: 0, earliest: 20) { content, _ in content += 10 }
        revisions.sent()
        let answer4 = revisions.didLand(serial: 1, content: first)
        #expect(answer4 == [1])
        let answer5 = revisions.didMiss()
        #expect(answer5)
        revisions.remake(earliest: 50)
        #expect(revisions.latest == 11)
        #expect(revisions.validFrom == 50)
    }

    @Test("A change that is applied although an earlier one came too late ends the waiting, and the waiting ones are sent")
    func landedAfterMiss() {
        var revisions = Revisions(0)
        for serial in 1...3 as ClosedRange<UInt64> {
            revisions.add(serial: serial, atFrame: 0, earliest: EngineFrame(Int64(serial) * 10)) { content, _ in content += 1 }
            revisions.sent()
        }
        _ = revisions.didLand(serial: 1, content: 1)
        let isOver = revisions.didMiss()
        #expect(!isOver && revisions.hasMissed)
        revisions.add(serial: 4, atFrame: 0, earliest: 40) { content, _ in content += 1 }
        let landed = revisions.didLand(serial: 3, content: 3)
        #expect(landed == [2, 3])
        #expect(!revisions.hasMissed)
        #expect(revisions.isStranded)
        revisions.remake(earliest: 50)
        #expect(revisions.latest == 4)
    }
}
