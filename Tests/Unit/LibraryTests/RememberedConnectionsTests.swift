import Library
import Testing

/// The ports that a session remembers, for how long, and those that it reports as missing.
@Suite("Remembered connections")
struct RememberedConnectionsTests {
    private let today = Day(number: 20_000)

    private func day(_ offset: Int) -> Day { Day(number: today.number + offset) }

    private func remembered(_ ports: (other: String, seen: Int?)...) -> RememberedConnections {
        RememberedConnections(
            ports.map { port in
                var connection = Session.SavedConnection(port: "out_left", other: port.other)
                connection.seen = port.seen.map(day)
                return connection
            })
    }

    @Test("A port is forgotten when it has not been seen for more than 30 days, not before")
    func forgotten() {
        var memory = remembered(("old:1", -31), ("recent:1", -30), ("there:1", -400))
        memory.see(["there:1"], on: today)
        #expect(memory.age(on: today).map(\.other) == ["old:1"])
        #expect(memory.saved?.map(\.other) == ["recent:1", "there:1"])
        #expect(memory.age(on: day(1)).map(\.other) == ["recent:1"])
        #expect(memory.age(on: day(300)).isEmpty, "it is there all the time")
        #expect(memory.saved?.map(\.seen) == [day(300)])
    }

    @Test("Nothing is forgotten while it is unknown which ports exist")
    func unknown() {
        var memory = remembered(("old:1", -31))
        #expect(memory.age(on: today).isEmpty)
        memory.see(["old:1"], on: today)
        memory.see(nil, on: day(1))
        #expect(memory.age(on: day(100)).isEmpty)
        #expect(memory.saved?.first?.seen == today)
        #expect(memory.forget(nil).isEmpty)
        #expect(memory.forget("old:1").map(\.other) == ["old:1"])
    }

    @Test("A port of an older version's file, or seen in the future, counts as seen today")
    func undated() {
        var memory = remembered(("a:1", nil), ("b:1", 5000))
        memory.see([], on: today)
        #expect(memory.saved?.map(\.seen) == [today, today])
        #expect(memory.age(on: day(30)).isEmpty)
        #expect(memory.age(on: day(31)).count == 2)
        #expect(memory.saved == [], "an empty list, not an unknown one")
    }

    @Test("The last sighting of a port is kept when others are connected")
    func learnt() {
        var memory = remembered(("a:1", -9))
        memory.learn([("out_left", "a:1"), ("out_right", "b:1")], on: today)
        #expect(memory.saved?.map(\.seen) == [day(-9), today])
        memory.learn([], on: today)
        #expect(memory.saved == [])
    }

    @Test("A missing port is reported once, and again only after it has been seen")
    func reported() {
        var memory = remembered(("a:1", -1), ("b:1", -1))
        #expect(memory.takeUnreported(["a:1", "b:1", "forgotten:1"]) == ["a:1", "b:1"])
        var restarted = RememberedConnections(memory.saved)
        #expect(restarted.takeUnreported(["a:1", "b:1"]).isEmpty)
        restarted.see(["b:1"], on: today)
        #expect(restarted.takeUnreported(["a:1", "b:1"]) == ["b:1"])
    }

    @Test("On request the missing ports are forgotten, or one of them, but none that exists")
    func onRequest() {
        var memory = remembered(("a:1", -1), ("b:1", -1), ("c:1", -1))
        memory.see(["a:1"], on: today)
        #expect(memory.forget("a:1").isEmpty)
        #expect(memory.forget("nobody:1").isEmpty)
        #expect(memory.forget("c:1").map(\.other) == ["c:1"])
        #expect(memory.forget(nil).map(\.other) == ["b:1"])
        #expect(memory.saved?.map(\.other) == ["a:1"])
    }

    @Test(
        "A day is read as it is written",
        arguments: [("1970-01-01", 0), ("2026-11-23", 20_780), ("2024-02-29", 19_782), ("9999-12-31", 2_932_896)])
    func days(text: String, number: Int) {
        #expect(Day(text)?.number == number)
        #expect(Day(number: number).text == text)
    }

    @Test(
        "Text that is not a day is refused",
        arguments: [
            "", "2026", "2026-11-31", "2023-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "1969-12-31", "0000-00-00", "20261123",
            "2026-11-23T10:00", " 2026-11-23", "２０２６-11-23", "-026-11-23", "99999-01-01",
        ])
    func noDays(text: String) { #expect(Day(text) == nil) }
}
