/// The last two lines of a file that only the program writes: the checksum of the text before them, and YAML's end mark.
enum FileEnding {
    private static let notice = "# checksum: "

    /// The checksum is that of Fowler, Noll and Vo (1991), FNV-1a of 64 bits: any other byte gives another sum.
    static func lines(for text: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return notice + String(repeating: "0", count: 16 - digits.count) + digits + "\n...\n"
    }

    /// Whether a file's checksum is that of another text, as after an edit by hand, or if a bit has changed. Files by hand and of older
    /// versions have none.
    static func isOfAnotherText(in bytes: [UInt8]) -> Bool {
        let end = lines(for: []).utf8.count
        let (text, ending) = (bytes.dropLast(end), bytes.suffix(end))
        return ending.starts(with: notice.utf8) && !ending.elementsEqual(lines(for: text).utf8)
    }
}
