import Glibc
import NIOCore
import NIOPosix

/// The listening sockets of a server.
enum WebListener {
    private static let loopback = "127.0.0.1"
    private static let everywhere = "0.0.0.0"

    /// Opens sockets for 127.0.0.1 and the addresses, all with one port; `::` does not include IPv4.
    ///
    /// - Parameter isForProxy: Whether only a proxy connects to them.
    static func open(
        _ port: UInt16, _ addresses: [String], _ clients: NIOLoopBound<WebClients>, isForProxy: Bool = false, on loop: any EventLoop,
        backlog: Int
    ) throws(ListenError) -> [any Channel] {
        let addresses = addresses.contains(everywhere) ? addresses : [loopback] + addresses
        var triesLeft = 16
        while true {
            var opened: [any Channel] = []
            do throws(ListenError) {
                for (index, address) in addresses.enumerated() where !addresses[..<index].contains(address) {
                    // An unspecified address includes the others of its kind.
                    if address != everywhere, !address.contains(":"), addresses.contains(everywhere) { continue }
                    if address != "::", address.contains(":"), addresses.contains("::") { continue }
                    let port = opened.first?.localAddress?.port ?? Int(port)
                    opened.append(try bind(address, port, clients, isForProxy, on: loop, backlog: backlog))
                }
                return opened
            } catch {
                for channel in opened { try? channel.close().wait() }
                // A port chosen by the system may be free on one address and taken on another.
                guard port == 0, triesLeft > 0, case .portInUse = error else { throw error }
                triesLeft -= 1
            }
        }
    }

    private static func bind(
        _ text: String, _ port: Int, _ clients: NIOLoopBound<WebClients>, _ isForProxy: Bool, on loop: any EventLoop, backlog: Int
    ) throws(ListenError) -> any Channel {
        // A name would be looked up. An address with a scope needs the resolver, which on a machine without an IPv4 network makes IPv6 addresses
        // of those of IPv4.
        guard isNumeric(text),
            let address = (try? SocketAddress(ipAddress: text, port: port))
                ?? (try? SocketAddress.makeAddressResolvingHost(text, port: port))
        else { throw .invalidAddress(text) }
        var bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: Int32(clamping: backlog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Connections are accepted when the server is started, and not too many at once.
            .serverChannelOption(.autoRead, value: false)
            .serverChannelOption(.maxMessagesPerRead, value: UInt(clamping: backlog))
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Request.maximumHeadSize))
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: HTTPConnection.outputLimit / 2, high: HTTPConnection.outputLimit)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try clients.value.add(channel, isProxied: isForProxy) }
            }
        if address.protocol == .inet6 {
            let only6 = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
            bootstrap = bootstrap.serverChannelOption(only6, value: 1)
        }
        do { return try bootstrap.bind(to: address).wait() } catch {
            let code = (error as? IOError)?.errnoCode ?? EIO
            throw code == EADDRINUSE ? .portInUse(UInt16(clamping: port), address: text) : .failed(call: "bind", address: text, code: code)
        }
    }

    private static func isNumeric(_ text: String) -> Bool {
        var bytes = in6_addr()
        let host = text.split(separator: "%", maxSplits: 1)[0]
        return inet_pton(text.contains(":") ? AF_INET6 : AF_INET, String(host), &bytes) == 1
    }
}
