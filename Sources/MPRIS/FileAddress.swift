/// Files as addresses: `file:///home/me/a%20b.yaml`. RFC 8089
enum FileAddress {
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

    /// The absolute path of a file on this machine; `nil` if it is anything else.
    static func path(_ address: String) -> String? {
        guard address.prefix(7).lowercased() == "file://" else { return nil }
        var rest = address.dropFirst(7)
        if rest.hasPrefix("localhost/") { rest = rest.dropFirst(9) }
        guard rest.hasPrefix("/"), rest.utf8.count <= 4096 else { return nil }
        var bytes: [UInt8] = []
        var encoded = Array(rest.utf8)[...]
        while let byte = encoded.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(validating: encoded.prefix(2), as: UTF8.self), digits.utf8.count == 2,
                digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16), value != 0
            else {
                return nil
            }
            bytes.append(value)
            encoded = encoded.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
