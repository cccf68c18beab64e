import Foundation
import TestSupport
import Testing

@testable import Terminal

@Suite("Texts for standard error", .ownThread)
struct TextQueueTests {
    /// A pipe that is closed at the end.
    private final class Pipe {
        private(set) var ends: [Int32] = [-1, -1]

        init() { pipe(&ends) }

        deinit { for end in ends { close(end) } }

        /// Fills it, so that a writer waits for a reader; returns the bytes in it.
        func fill() -> Int {
            _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
            let page = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
            var count = 0
            while case let written = write(ends[1], page, page.count), written > 0 { count += written }
            _ = fcntl(ends[1], F_SETFL, 0)
            return count
        }

        func text(until end: String) -> String {
            var text = ""
            var bytes = [UInt8](repeating: 0, count: 4096)
            while !text.hasSuffix(end), case let count = read(ends[0], &bytes, bytes.count), count > 0 {
                text += String(decoding: bytes[..<count], as: UTF8.self)
            }
            return text
        }
    }

    @Test("texts are written in order")
    func order() {
        let pipe = Pipe()
        let texts = TextQueue(to: pipe.ends[1])
        for number in 1...100 { texts.add("line \(number)\n") }
        texts.wait(atMost: nil)
        #expect(texts.isIdle)
        #expect(pipe.text(until: "line 100\n") == (1...100).map { "line \($0)\n" }.joined())
    }

    @Test("texts for a descriptor that takes nothing, or is closed, are dropped")
    func refused() throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        for descriptor in [full, -1] {
            let texts = TextQueue(to: descriptor)
            texts.add("line\n")
            texts.wait(atMost: nil)
            #expect(texts.isIdle)
        }
    }

    @Test("nobody waits for a reader that has stopped; the newest lines are kept, and the others counted")
    func unread() {
        let pipe = Pipe()
        let filling = pipe.fill()
        let texts = TextQueue(to: pipe.ends[1])
        texts.add("first\n")
        // The writer has taken it, and waits.
        while texts.waitingCount > 0 { sched_yield() }
        for number in 1...1000 { texts.add("line \(number)\n") }
        texts.wait(atMost: .nanoseconds(0))
        #expect(!texts.isIdle)
        let text = pipe.text(until: "line 1000\n").dropFirst(filling)
        #expect(text.hasPrefix("first\nbinaural: warning: nobody read what is written here, so that 800 messages are missing.\nline 801\n"))
    }

    @Test("a descriptor that another program has set not to wait gets all of it")
    func nonBlocking() {
        let pipe = Pipe()
        let filling = pipe.fill()
        _ = fcntl(pipe.ends[1], F_SETFL, O_NONBLOCK)
        let texts = TextQueue(to: pipe.ends[1])
        texts.add("line\n")
        #expect(pipe.text(until: "line\n").count == filling + 5)
    }
}

@Suite("Standard descriptors")
struct StandardDescriptorsTests {
    @Test("those that are closed become /dev/null, and the others stay")
    func closed() throws {
        // Numbers that nothing here uses, in place of 0 to 2.
        let numbers: ClosedRange<Int32> = 300...302
        defer { for number in numbers { close(number) } }
        let zero = open("/dev/zero", O_RDONLY)
        #expect(dup2(zero, 301) == 301)
        close(zero)
        StandardDescriptors.openClosed(numbers)
        let files = try numbers.map { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        #expect(files == ["/dev/null", "/dev/zero", "/dev/null"])
    }
}
