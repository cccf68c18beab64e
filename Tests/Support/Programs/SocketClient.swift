import Glibc

/// A client on a raw socket, which sends only what the test says. Every wait ends after a minute.
package final class SocketClient {
    package let descriptor: Int32
    private var input: [UInt8] = []

    /// - Parameters:
    ///   - source: The client's own address; the system chooses one by default.
    ///   - sourcePort: Its own port at that address, which may have connections to other ports already; 0 lets the system choose.
    /// - Returns: `nil` if the connection is not accepted.
    package init?(port: UInt16, host: UInt32 = 0x7F00_0001, source: UInt32? = nil, sourcePort: UInt16 = 0) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: Int(Patience.limit.timeInterval), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if let source {
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
            guard Self.call(bind, descriptor, source, sourcePort) == 0 else { return nil }
        }
        guard Self.call(connect, descriptor, host, port) == 0 else { return nil }
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ host: UInt32, _ port: UInt16
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// An address of this machine in a network; `nil` if it has none. No packet is sent.
    package static let networkAddress: UInt32? = {
        let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(9).bigEndian
        address.sin_addr.s_addr = UInt32(0xC000_0263).bigEndian
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(probe, $0, size) == 0 ? getsockname(probe, $0, &size) : -1
            }
        }
        let found = UInt32(bigEndian: address.sin_addr.s_addr)
        return code == 0 && found >> 24 != 127 ? found : nil
    }()

    /// The client's own port.
    package var localPort: UInt16 {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return code == 0 ? UInt16(bigEndian: address.sin_port) : 0
    }

    deinit { close(descriptor) }

    /// Requests a WebSocket; returns the status of the answer, 0 for none.
    ///
    /// - Parameter more: A further header line.
    package func upgrade(_ path: String = "/", host: String = "localhost", more: String = "X: y") -> Int {
        send(
            Array(
                """
                GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\(more)\r\n\
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
    package func frame() -> (first: UInt8, payload: [UInt8])? {
        guard let head = read(2), head[1] < 127 else { return nil }
        var length = Int(head[1])
        if length == 126 {
            guard let long = read(2) else { return nil }
            length = Int(long[0]) << 8 | Int(long[1])
            guard length > 125 else { return nil }
        }
        guard let payload = read(length) else { return nil }
        return (head[0], payload)
    }

    /// Sends a frame as a client does, masked.
    package func send(_ first: UInt8, _ payload: [UInt8] = []) { send(Self.frame(first, payload)) }

    /// A masked frame of less than 65,536 bytes.
    package static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count < 126 ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        return [first, 0x80 | length[0]] + length.dropFirst() + [1, 2, 3, 4] + payload.enumerated().map { $1 ^ [1, 2, 3, 4][$0 % 4] }
    }

    package func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Says that nothing more will be sent.
    package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Whatever arrives up to the end of the connection, as text.
    package func everything() -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = recv(descriptor, &buffer, buffer.count, 0)
            guard got > 0 else { return String(decoding: input, as: UTF8.self) }
            input += buffer[..<got]
        }
    }

    /// Returns the text that has arrived since the last call, or arrives next; `nil` at the end of the connection.
    package func part() -> String? {
        if input.isEmpty {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let got = recv(descriptor, &buffer, buffer.count, 0)
            guard got > 0 else { return nil }
            input += buffer[..<got]
        }
        defer { input = [] }
        return String(decoding: input, as: UTF8.self)
    }

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
