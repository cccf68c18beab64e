import Glibc

/// A client on a raw socket, which sends only what the test says. Every wait ends after a minute.
final class SocketClient {
    let descriptor: Int32
    private var input: [UInt8] = []

    /// - Returns: `nil` if the connection is not accepted.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Requests a WebSocket; returns the status of the answer, 0 for none.
    func upgrade() -> Int {
        send(
            Array(
                """
                GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
                """.utf8))
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let byte = read(1)?.first else { return 0 }
            head.append(byte)
        }
        return Int(String(decoding: head, as: UTF8.self).split(separator: " ")[1]) ?? 0
    }

    /// The next frame; `nil` when the connection is over.
    func frame() -> (first: UInt8, payload: [UInt8])? {
        guard let head = read(2), let payload = read(Int(head[1] & 0x7F)) else { return nil }
        return (head[0], payload)
    }

    /// A frame as a client sends it, masked.
    func send(_ first: UInt8, _ payload: [UInt8] = []) {
        send([first, 0x80 | UInt8(payload.count), 1, 2, 3, 4] + payload.enumerated().map { $1 ^ [1, 2, 3, 4][$0 % 4] })
    }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    private func read(_ count: Int) -> [UInt8]? {
        while input.count < count {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let got = recv(descriptor, &buffer, buffer.count, 0)
            guard got > 0 else { return nil }
            input += buffer[..<got]
        }
        defer { input.removeFirst(count) }
        return Array(input.prefix(count))
    }
}
