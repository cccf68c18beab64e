import Bus
import Foundation
import Glibc
import TestSupport
import Testing

/// Against a genuine dbus-daemon.
@Suite("A message bus", .ownThread) struct BusTests {
    private static let path = "/com/example/echo"
    private static let interface = "com.example.Echo"

    /// Answers `Echo` with what it got, and `Fail` with an error.
    private func echo(on bus: MessageBus, named name: String = "com.example.echo") async throws -> BusClient {
        let client = BusClient(bus)
        client.on {
            $0.serve(Self.path, includingChildren: true) { call in
                switch (call.member, try? call.arguments()) {
                case ("Echo", let values?): call.reply(values)
                case ("Where", _): call.reply([.path(call.path), .string(call.sender)])
                case ("Bad", _): call.reply([.path("not a path")])
                case ("Drop", _): break
                default: call.fail(BusError("UnknownMethod", "there is no \(call.member)"))
                }
            }
        }
        let owned = client.own(name)
        try #require(await owned.wait { $0 == [name] ? true : nil } == true)
        return client
    }

    private func method(_ member: String, _ values: [BusValue] = [], below: String = "") -> BusMethod {
        BusMethod("com.example.echo", Self.path + below, Self.interface, member, values)
    }

    @Test("Values of every type arrive as they were sent")
    func values() async throws {
        let bus = try await MessageBus()
        let server = try await echo(on: bus)
        let client = BusClient(bus)
        try #require(await client.isConnected())
        let values: [BusValue] = [
            .byte(255), .bool(true), .bool(false), .int16(-3), .uint16(65535), .int32(.min), .uint32(.max), .int64(.min), .uint64(.max),
            .double(-0.25), .string("Größe 😴"), .string(""), .path("/a/b_20c"), .signature("a{sv}"),
            .strings(["a", "b"]), .strings([]), .paths([]), .array(of: "(sx)", [.structure([.string("x"), .int64(1)])]),
            .dictionary(["one": .int32(1), "list": .strings(["x"]), "deep": .variant(.variant(.double(2)))]), .variant(.strings(["v"])),
        ]
        #expect(await client.call(method("Echo", values)) == .success(values))
        withExtendedLifetime(server) {}
    }

    @Test("Texts that libsystemd refuses are repaired, and values that cannot be sent are an error for the caller")
    func hostileTexts() async throws {
        let bus = try await MessageBus()
        let server = try await echo(on: bus)
        let client = BusClient(bus)
        try #require(await client.isConnected())
        let refused = [0x0, 0xFFFE, 0xFDD0, 0x1FFFF].compactMap { Unicode.Scalar($0 as UInt32).map(Character.init) }
        try #require(refused.count == 4)
        let hostile = "a\(refused[0])b\(refused[1])c\(refused[2])d\(refused[3])"
        #expect(await client.call(method("Echo", [.string(hostile)])) == .success([.string("a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}")]))
        guard case .failure(let error) = await client.call(method("Echo", [.path("no path")])) else {
            Issue.record("an invalid path was sent")
            return
        }
        #expect(error.message.contains("no path"))
        for member in ["Bad", "Drop"] {
            guard case .failure(let error) = await client.call(method(member)) else {
                Issue.record("\(member) was answered")
                continue
            }
            #expect(error.name == "org.freedesktop.DBus.Error.Failed")
        }
        #expect(
            await client.call(method("Nothing"))
                == .failure(BusError("UnknownMethod", "there is no Nothing")))
        withExtendedLifetime(server) {}
    }

    @Test("Any text is an element of an object path, and different texts are different elements")
    func paths() {
        #expect(objectPathElement("deep-sleep") == "deep_2dsleep")
        #expect(objectPathElement("ä_1") == "_c3_a4_5f1")
        #expect(objectPathElement("") == "_")
    }

    @Test("Objects below a path are served, other objects are an error, and gdbus finds the way to them")
    func objects() async throws {
        let bus = try await MessageBus()
        let server = try await echo(on: bus)
        let client = BusClient(bus)
        try #require(await client.isConnected())
        guard case .success(let values) = await client.call(method("Where", below: "/child")) else {
            Issue.record("the child is not served")
            return
        }
        #expect(values.first == .path(Self.path + "/child"))
        guard case .failure(let error) = await client.call(BusMethod("com.example.echo", "/other", Self.interface, "Echo")) else {
            Issue.record("another object is served")
            return
        }
        #expect(error.name.hasPrefix("org.freedesktop.DBus.Error.Unknown"))
        let tree = try await bus.run(
            "gdbus", ["introspect", "--session", "-d", "com.example.echo", "-o", "/com"], package: "libglib2.0-bin")
        #expect(tree.output.contains("node example"))
        #expect(
            await client.call(BusMethod("com.example.echo", Self.path, "org.freedesktop.DBus.Peer", "Ping")) == .success([]))
        withExtendedLifetime(server) {}
    }

    @Test("If a name is taken, the next free one in the list is used")
    func names() async throws {
        let bus = try await MessageBus()
        let (first, second, third) = (BusClient(bus), BusClient(bus), BusClient(bus))
        let names = ["com.example.a", "com.example.b"]
        for (client, expected) in [(first, "com.example.a"), (second, "com.example.b"), (third, nil)] as [(BusClient, String?)] {
            try #require(await client.isConnected())
            let owned = client.own(names[0], names[1])
            #expect(await owned.wait { $0.first } == .some(expected))
        }
    }

    @Test("Signals come from the owner of the name only, until the listening stops")
    func signals() async throws {
        let bus = try await MessageBus()
        let server = try await echo(on: bus)
        let (client, impostor) = (BusClient(bus), BusClient(bus))
        try #require(await client.isConnected())
        try #require(await impostor.isConnected())
        let heard = WatchedState<[BusValue]>([])
        let owners = WatchedState<[Bool]>([])
        let listening = client.on {
            $0.listen(to: BusMatch(sender: "com.example.echo", interface: Self.interface)) { signal in
                heard.update { $0 += signal.arguments }
            }
        }
        _ = client.on { $0.watch("com.example.echo") { owner in owners.update { $0.append(owner != nil) } } }
        #expect(await owners.wait { $0 == [true] ? true : nil } == true)
        func emit(_ client: BusClient, _ text: String) {
            client.on { $0.emit(BusSignal(Self.path, Self.interface, "Heard", [.string(text)])) }
        }
        emit(server, "one")
        emit(impostor, "false")
        _ = await impostor.call(.ofDaemon("GetId"))
        emit(server, "two")
        #expect(await heard.wait { $0.count >= 2 ? $0 : nil } == [.string("one"), .string("two")])
        client.on { $0.stop(listening) }
        _ = await client.call(.ofDaemon("GetId"))
        emit(server, "three")
        _ = await server.call(.ofDaemon("GetId"))
        _ = await client.call(.ofDaemon("GetId"))
        #expect(heard.value == [.string("one"), .string("two")])
        server.on { $0.close() }
        #expect(await owners.wait { $0 == [true, false] ? true : nil } == true)
    }

    @Test("A bus that is killed fails what was asked; when it is back, names, objects and matches are back")
    func restarted() async throws {
        let bus = try await MessageBus()
        let server = try await echo(on: bus)
        let client = BusClient(bus)
        try #require(await client.isConnected())
        let heard = WatchedState<[BusValue]>([])
        _ = client.on {
            $0.listen(to: BusMatch(sender: "com.example.echo", interface: Self.interface)) { signal in
                heard.update { $0 += signal.arguments }
            }
        }
        let held = WatchedState<[HeldCall]>([])
        server.on {
            $0.serve(Self.path) { call in
                let call = HeldCall(call: call)
                held.update { $0.append(call) }
            }
        }
        let pending = Task { await client.call(BusMethod("com.example.echo", Self.path, Self.interface, "Never")) }
        #expect(await held.wait { $0.isEmpty ? nil : true } == true)
        try await bus.kill()
        guard case .failure = await pending.value else {
            Issue.record("answered by a dead bus")
            return
        }
        #expect(await client.events.wait { $0.count == 2 ? true : nil } == true)
        #expect(await client.call(.ofDaemon("GetId")) == .failure(.disconnected))
        try await bus.start()
        #expect(await client.isConnected(times: 2))
        #expect(await server.isConnected(times: 2))
        server.on { $0.serve(Self.path) { $0.reply([.string("again")]) } }
        let owner = WatchedState<[Bool]>([])
        _ = client.on { $0.watch("com.example.echo") { name in owner.update { $0.append(name != nil) } } }
        #expect(await owner.wait { $0.last == true ? true : nil } == true)
        #expect(await client.call(method("Echo")) == .success([.string("again")]))
        server.on { $0.emit(BusSignal(Self.path, Self.interface, "Heard", [.string("back")])) }
        #expect(await heard.wait { $0.isEmpty ? nil : $0 } == [.string("back")])
    }

    @Test("Where there is no bus, that is reported once, and a bus that comes later is found")
    func absent() async throws {
        let bus = try await MessageBus()
        try await bus.kill()
        let client = BusClient(bus)
        #expect(await client.events.wait { $0.first } != .connected)
        #expect(await client.call(.ofDaemon("GetId")) == .failure(.disconnected))
        try await bus.start()
        #expect(await client.isConnected())
        #expect(client.events.value.count == 2)
        let broken = BusClient(.at("nonsense"))
        #expect(await broken.events.wait { $0.first } != nil)
        // Where each attempt to connect can be seen: at the third one, two have failed.
        let listener = Listener(queueLength: 8)
        let refused = BusClient(.at(listener.address))
        for _ in 0..<3 { #expect(await eventually { listener.hangUp() }) }
        #expect(refused.events.value.count == 1)
        listener.close()
    }

    @Test("A bus that hangs delays nothing, and with too much waiting for it counts as lost")
    func hanging() async throws {
        let bus = try await MessageBus()
        let client = BusClient(bus)
        try #require(await client.isConnected())
        bus.hold(true)
        let long = String(repeating: "x", count: 20_000)
        for _ in 0..<5000 { client.on { $0.emit(BusSignal(Self.path, Self.interface, "Heard", [.string(long)])) } }
        #expect(await client.events.wait { $0.contains { $0 != .connected } ? true : nil } == true)
        bus.hold(false)
        #expect(await client.isConnected(times: 2))
    }

    /// Sends calls that take this long, all at once.
    ///
    /// - Returns: How many were handled while other work on the queue waited: the median, since this thread may be late at times.
    private func crowd(of count: Int, microseconds: UInt32) async throws -> Int {
        let bus = try await MessageBus()
        let server = BusClient(bus)
        let (handled, answered) = (WatchedState(0), WatchedState(0))
        // The first call waits until all have been sent.
        let start = DispatchSemaphore(value: 0)
        server.on {
            $0.serve(Self.path) { call in
                if handled.value == 0 { start.wait() }
                usleep(microseconds)
                handled.update { $0 += 1 }
                call.reply()
            }
        }
        let owned = server.own("com.example.echo")
        try #require(await owned.wait { $0.first } == .some("com.example.echo"))
        let client = BusClient(bus)
        try #require(await client.isConnected())
        for _ in 0..<count {
            client.on {
                $0.call(method("Call"), within: Patience.limit.timeInterval) { if case .success = $0 { answered.update { $0 += 1 } } }
            }
        }
        var waits: [Int] = []
        start.signal()
        repeat {
            let before = handled.value
            waits.append(server.on { _ in handled.value } - before)
        } while handled.value < count * 7 / 8
        #expect(await answered.wait { $0 == count ? true : nil } == true, "\(answered.value) of \(count) answers")
        return try #require(waits.sorted().dropFirst(waits.count / 2).first)
    }

    /// Up to three sources take turns with other work, after the one that has begun.
    private static let turns = 4

    @Test("While one client sends calls without pause, other work on the queue gets its turn, and every call is answered")
    func flood() async throws {
        // A turn has 16 messages.
        #expect(try await crowd(of: 10_000, microseconds: 0) <= Self.turns * 16)
    }

    @Test("Calls that take long end the turn, so that other work waits for few of them")
    func longCalls() async throws { #expect(try await crowd(of: 400, microseconds: 5000) <= Self.turns) }

    @Test("A bus that does not read counts as lost when 16 MB wait for it, however few messages that are")
    func largeMessages() async throws {
        let bus = try await MessageBus()
        let client = BusClient(bus)
        try #require(await client.isConnected())
        let long = String(repeating: "x", count: 200_000)
        func emit(_ count: Int) {
            for _ in 0..<count { client.on { $0.emit(BusSignal(Self.path, Self.interface, "Heard", [.string(long)])) } }
        }
        // Messages that were read do not count.
        for _ in 0..<5 {
            emit(50)
            _ = await client.call(.ofDaemon("GetId"))
        }
        bus.hold(true)
        emit(60)
        #expect(client.events.value == [.connected])
        // The kernel takes some megabytes of these.
        emit(160)
        #expect(await client.events.wait { $0.count > 1 ? true : nil } == true)
        bus.hold(false)
        #expect(await client.isConnected(times: 2))
    }

    @Test("If the first address of a bus refuses the connection after a while, the next one is used")
    func secondAddress() async throws {
        let bus = try await MessageBus()
        // A listener whose queue is full leaves a connection undecided, until it is closed.
        let listener = Listener(queueLength: 0)
        let crowd = (0..<4).map { _ in listener.caller() }
        let client = BusClient(.at("\(listener.address);\(bus.address)"))
        for descriptor in crowd { close(descriptor) }
        listener.close()
        #expect(await client.isConnected())
        // The refusal does not count as a loss: nothing was reported before.
        #expect(client.events.value == [.connected])
        guard case .success = await client.call(.ofDaemon("GetId")) else {
            Issue.record("the bus does not answer")
            return
        }
    }

    @Test("A message of very many values or with a very long text is refused, and the next one is read")
    func manyValues() async throws {
        let bus = try await MessageBus()
        let server = BusClient(bus)
        server.on {
            $0.serve(Self.path) { call in
                do throws(BusError) { call.reply([.int32(Int32(try call.arguments().count))]) } catch { call.fail(error) }
            }
        }
        let owned = server.own("com.example.echo")
        #expect(await owned.wait { $0.first } == .some("com.example.echo"))
        let client = BusClient(bus)
        try #require(await client.isConnected())
        let many = BusValue.array(of: "y", [BusValue](repeating: .byte(1), count: 1_000_000))
        let long = BusValue.string(String(repeating: "x", count: 65_537))
        for value in [many, long] {
            guard case .failure(let error) = await client.call(method("Count", [value])) else {
                Issue.record("it was read")
                return
            }
            #expect(error.name == "org.freedesktop.DBus.Error.LimitsExceeded")
        }
        #expect(await client.call(method("Count", [.byte(1), .byte(2)])) == .success([.int32(2)]))
    }

    @Test("A file descriptor that another program sends stays open as long as it is kept")
    func descriptors() async throws {
        let bus = try await MessageBus()
        let server = try await echo(on: bus)
        let client = BusClient(bus)
        try #require(await client.isConnected())
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let answer = await client.call(method("Echo", [.descriptor(BusDescriptor(ends[1]))]))
        guard case .success(let values) = answer, case .descriptor(var kept)? = values.first else {
            Issue.record("no descriptor came: \(answer)")
            return
        }
        #expect(write(kept.number, "x", 1) == 1)
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(ends[0], &bytes, 8) == 1)
        kept = BusDescriptor(dup(0))
        _ = kept
        close(ends[0])
        withExtendedLifetime(server) {}
    }
}

/// A listening TCP socket on a port of its own, where there is no bus.
private struct Listener {
    private let descriptor: Int32
    private let place: sockaddr_in

    /// - Parameter queueLength: How many connections may wait to be accepted.
    init(queueLength: Int32) {
        let descriptor = Self.socket()
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        Self.call(bind, descriptor, &place)
        listen(descriptor, queueLength)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &place) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        (self.descriptor, self.place) = (descriptor, place)
    }

    var address: String { "tcp:host=127.0.0.1,port=\(UInt16(bigEndian: place.sin_port))" }

    /// A connection that is or waits to be accepted.
    func caller() -> Int32 {
        var place = place
        let caller = Self.socket()
        Self.call(connect, caller, &place)
        return caller
    }

    /// Ends a connection that waits; false if there is none.
    func hangUp() -> Bool {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { return false }
        Glibc.close(accepted)
        return true
    }

    func close() { Glibc.close(descriptor) }

    private static func socket() -> Int32 {
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ place: inout sockaddr_in
    ) {
        withUnsafePointer(to: &place) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

// SAFETY: kept only.
private struct HeldCall: @unchecked Sendable {
    let call: BusCall
}
