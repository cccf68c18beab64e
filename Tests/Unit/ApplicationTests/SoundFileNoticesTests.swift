import Engine
import Testing

@testable import Application

@Suite("Notices about sound files")
struct SoundFileNoticesTests {
    @Test("A fault that is met again within ten seconds, as after a stall of the server, is reported once; another one at once")
    func once() {
        var watch = SoundFileNotices()
        func words(_ sentence: String, at seconds: Double) -> [String] {
            watch.words(for: [.failed(SoundFailure(sentence))], at: seconds)
        }
        #expect(words("There is no rain.", at: 100) == ["There is no rain. Its layer is silent; the others play."])
        #expect(words("There is no rain.", at: 101).isEmpty)
        #expect(words("There is no surf.", at: 102).count == 1)
        #expect(words("There is no rain.", at: 110).count == 1)
    }

    @Test("Gaps of a file are added up, and reported every ten seconds at most")
    func gaps() {
        var watch = SoundFileNotices()
        func words(_ count: UInt64, at seconds: Double) -> [String] {
            watch.words(for: count > 0 ? [.late(path: "rain.wav", count: count)] : [], at: seconds)
        }
        #expect(words(1, at: 100).first?.contains("dropped out: the disk") == true)
        #expect(words(2, at: 101).isEmpty)
        #expect(words(3, at: 105).isEmpty)
        #expect(words(0, at: 110).first?.contains("dropped out 5 times: the disk") == true)
        #expect(words(0, at: 130).isEmpty)
    }
}
