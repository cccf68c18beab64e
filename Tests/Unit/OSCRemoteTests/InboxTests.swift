import OSC
import Testing

@testable import OSCRemote

@Suite struct InboxTests {
    private func entry(_ port: UInt16, _ byte: UInt8, count: Int = 1) -> Inbox.Entry {
        .init(bytes: [UInt8](repeating: byte, count: count), source: .udp(Endpoint(host: .loopback, port: port)), arrived: nil)
    }

    @Test("Senders take turns, and the packets of each keep their order")
    func turns() {
        var inbox = Inbox()
        for byte in UInt8(0)..<4 { inbox.add(entry(1, byte)) }
        inbox.add(entry(2, 100))
        inbox.add(entry(3, 200))
        inbox.add(entry(3, 201))
        var order: [UInt8] = []
        while let next = inbox.next() { order.append(next.bytes[0]) }
        #expect(order == [0, 100, 200, 1, 201, 2, 3])
        #expect(inbox.isEmpty)
    }

    @Test("A sender that waits has no turn, and afterwards its packets come in order")
    func waiting() {
        var inbox = Inbox()
        for byte in UInt8(0)..<3 { inbox.add(entry(1, byte)) }
        for byte in UInt8(100)..<102 { inbox.add(entry(2, byte)) }
        let waits = { (sender: PeerAddress) in sender == .udp(Endpoint(host: .loopback, port: 1)) }
        #expect(inbox.next()?.bytes == [0])
        var order: [UInt8] = []
        while let next = inbox.next(except: waits) { order.append(next.bytes[0]) }
        #expect(order == [100, 101])
        #expect(!inbox.isEmpty)
        #expect(!inbox.hasAny(except: waits))
        inbox.add(entry(3, 200))
        #expect(inbox.hasAny(except: waits))
        #expect(inbox.next(except: waits)?.bytes == [200])
        #expect(inbox.next()?.bytes == [1])
        #expect(inbox.next()?.bytes == [2])
    }

    @Test("A sender that sends too much loses packets, and no other sender does")
    func crowding() {
        var inbox = Inbox()
        for _ in 0..<10_000 { inbox.add(entry(1, 7)) }
        inbox.add(entry(2, 8))
        #expect(inbox.droppedCount == 10_000 - Inbox.packetsPerSender)
        #expect(inbox.next()?.bytes == [7])
        #expect(inbox.next()?.bytes == [8])
    }

    @Test("A sender's queue has room again after some of it was answered, any number of times")
    func refilling() {
        var inbox = Inbox()
        for round in 0..<5000 {
            inbox.add(entry(1, UInt8(truncatingIfNeeded: 2 * round)))
            inbox.add(entry(1, UInt8(truncatingIfNeeded: 2 * round + 1)))
            for _ in 0..<2 where round >= 250 { #expect(inbox.next() != nil) }
        }
        #expect(inbox.droppedCount == 0)
        var count = 0
        while inbox.next() != nil { count += 1 }
        #expect(count == 500)
    }

    @Test("A packet that was taken is not kept in memory, even if its sender always has another one waiting")
    func released() {
        var inbox = Inbox()
        inbox.add(entry(1, 0, count: 60_000))
        for _ in 0..<2000 {
            inbox.add(entry(1, 0, count: 60_000))
            #expect(inbox.next() != nil)
            #expect(inbox.lines.values.flatMap(\.entries).compactMap { $0 }.count == 1)
        }
    }

    @Test(
        "Any number of senders together use no more memory than the limit, with large packets and small ones", arguments: [1, 60, 65_000])
    func memory(count: Int) {
        var inbox = Inbox()
        for _ in 0..<(count < 1000 ? Inbox.packetsPerSender : 1) {
            for port in UInt16(1)..<1000 { inbox.add(entry(port, 1, count: count)) }
        }
        var size = 0
        while let next = inbox.next() { size += next.size }
        #expect(size <= Inbox.capacity)
        #expect(size > Inbox.capacity - 66_000)
        #expect(entry(1, 1, count: count).size > count + MemoryLayout<Inbox.Entry>.size)
    }
}
