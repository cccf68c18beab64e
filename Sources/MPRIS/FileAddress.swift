/// Files as addresses: `file:///home/me/a%20b.yaml`, or `file:/home/me/a%20b.yaml`. RFC 8089
enum FileAddress {
    /// Why an address is not that of a file.
    enum Fault: Error {
        /// It is on another machine, or not a file at all.
        case elsewhere
        case tooLong
        /// A percent sign does not begin the code of a character.
        case percentSign
        /// The name of a file would hold a byte 0, as `%00`.
        case zeroByte
    }

    static func of(_ path: String) -> String {
        var address = "file://"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default: address += "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return address
    }

    /// Bytes of the longest address that is read.
    static let limit = 4096

    /// The absolute path of a file on this machine.
    static func path(_ address: String) throws(Fault) -> String {
        guard address.prefix(5).lowercased() == "file:" else { throw .elsewhere }
        var rest = address.dropFirst(5)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            if rest.hasPrefix("localhost/") { rest = rest.dropFirst(9) }
        }
        guard rest.hasPrefix("/") else { throw .elsewhere }
        guard rest.utf8.count <= limit else { throw .tooLong }
        var bytes: [UInt8] = []
        var encoded = Array(rest.utf8)[...]
        while let byte = encoded.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(validating: encoded.prefix(2), as: UTF8.self), digits.utf8.count == 2,
                digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
            else {
                throw .percentSign
            }
            guard value != 0 else { throw .zeroByte }
            bytes.append(value)
            encoded = encoded.dropFirst(2)
        }
        guard let path = String(validating: bytes, as: UTF8.self) else { throw .percentSign }
        return path
    }
}
