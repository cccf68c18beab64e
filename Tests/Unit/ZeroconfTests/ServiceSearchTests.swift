import Bus
import Dispatch
import TestSupport
import Testing
import Zeroconf

@Suite("Searching for services") struct ServiceSearchTests {
    private typealias Outcome = Result<[FoundService], ServiceSearch.Fault>

    /// Seconds after which a search ends by itself: later than a test waits for what should end it.
    private static let patient = 2 * Patience.limit.timeInterval
    /// Seconds for a search that nothing else ends: enough to find what is there.
    private static let brief = 5.0

    /// - Returns: `nil` if the search does not end.
    private func search(
        _ types: [String] = ["_osc._udp", "_oscjson._tcp"], on address: BusAddress, within limit: Double = Self.patient
    ) async -> Outcome? {
        let queue = DispatchQueue(label: "test.search")
        let outcome = WatchedState<Outcome?>(nil)
        let parts = queue.sync {
            let bus = Bus(address, on: queue)
            let search = ServiceSearch(for: types, on: bus, queue: queue, within: limit) { result in outcome.update { $0 = result } }
            search.start()
            bus.start()
            return Parts(bus: bus, search: search)
        }
        let found = await outcome.wait { $0 }
        queue.sync { parts.bus.close() }
        return found
    }

    // SAFETY: used on the queue only.
    private struct Parts: @unchecked Sendable {
        let bus: Bus
        let search: ServiceSearch
    }

    private func answer(_ name: String, _ type: String, address: String = "192.168.1.20", port: UInt16 = 7830, text: [String] = [])
        -> [BusValue]
    {
        let records = text.map { BusValue.array(of: "y", $0.utf8.map(BusValue.byte)) }
        return [
            .int32(2), .int32(0), .string(name), .string(type), .string("local"), .string("studio.local"), .int32(0), .string(address),
            .uint16(port), .array(of: "ay", records), .uint32(0),
        ]
    }

    @Test("Services of all types are found, with their addresses, ports and text")
    func found() async throws {
        let bus = try await MessageBus()
        var rules = FakeAvahi.Rules()
        rules.others = [
            answer("one", "_osc._udp", text: ["app=binaural", "note=a=b", "flag", "=x", ""]),
            answer("one", "_oscjson._tcp", address: "fe80::1", port: 7880), answer("printer", "_ipp._tcp"),
        ]
        let avahi = await FakeAvahi(on: .at(bus.address), rules)
        let services = try #require(try await search(on: .at(bus.address))?.get())
        #expect(
            Set(services) == [
                FoundService(
                    name: "one", type: "_osc._udp", host: "studio.local", address: "192.168.1.20", port: 7830,
                    text: ["app": "binaural", "note": "a=b", "flag": ""]),
                FoundService(name: "one", type: "_oscjson._tcp", host: "studio.local", address: "fe80::1%2", port: 7880, text: [:]),
            ])
        withExtendedLifetime(avahi) {}
    }

    @Test("A search that finds nothing ends, and so does one that Avahi does not end")
    func nothing() async throws {
        let bus = try await MessageBus()
        let avahi = await FakeAvahi(on: .at(bus.address))
        #expect(await search(on: .at(bus.address)) == .success([]))
        withExtendedLifetime(avahi) {}
        // Another bus, since the first daemon gives up its name there only when its connection has been closed.
        let other = try await MessageBus()
        var rules = FakeAvahi.Rules()
        rules.endsSearches = false
        rules.others = [answer("one", "_osc._udp")]
        let endless = await FakeAvahi(on: .at(other.address), rules)
        #expect(try await search(on: .at(other.address), within: Self.brief)?.get().map(\.name) == ["one"])
        withExtendedLifetime(endless) {}
    }

    @Test("At most a thousand services are looked up")
    func crowd() async throws {
        let bus = try await MessageBus()
        var rules = FakeAvahi.Rules()
        rules.others = (0..<1200).map { answer("machine \($0)", "_osc._udp") }
        let avahi = await FakeAvahi(on: .at(bus.address), rules)
        #expect(try await search(on: .at(bus.address))?.get().count == 1000)
        withExtendedLifetime(avahi) {}
    }

    @Test("Without Avahi, and without a bus, the search ends with the reason")
    func absent() async throws {
        let bus = try await MessageBus()
        #expect(await search(on: .at(bus.address)) == .failure(.noDaemon))
        guard case .failure(.noBus(let reason))? = await search(on: .at("unix:path=/nonexistent/bus")) else {
            Issue.record("a bus was found")
            return
        }
        #expect(!reason.isEmpty)
    }
}
