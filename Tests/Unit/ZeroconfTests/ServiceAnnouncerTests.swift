import Bus
import TestSupport
import Testing
import Zeroconf

/// Against a daemon with Avahi's interface, on a genuine bus.
@Suite("Announcing services") struct ServiceAnnouncerTests {
    private static let osc = AnnouncedService(
        "_osc._udp", port: 7830, at: .init(family: .ipv4), text: ["txtvers=1", "app=binaural"])
    private static let query = AnnouncedService("_oscjson._tcp", port: 7880, at: .init(interface: 3, family: .ipv6))

    private func entries(_ name: String) -> [FakeAvahi.Entry] {
        [
            .init(interface: -1, family: 0, name: name, type: "_osc._udp", port: 7830, text: ["txtvers=1", "app=binaural"]),
            .init(interface: 3, family: 1, name: name, type: "_oscjson._tcp", port: 7880, text: []),
        ]
    }

    private func announce(on bus: MessageBus, as name: String = "binaural on studio") -> Announcement {
        Announcement([Self.osc, Self.query], as: name, on: .at(bus.address))
    }

    @Test("Services are announced with their name, port, place and text")
    func announced() async throws {
        let bus = try await MessageBus()
        let avahi = await FakeAvahi(on: .at(bus.address))
        let announcement = announce(on: bus)
        #expect(await announcement.reports(.announced(name: "binaural on studio")))
        #expect(await avahi.publishes(entries("binaural on studio")))
    }

    @Test("A name that is taken on this machine or on another one is replaced, until one is free")
    func collisions() async throws {
        let bus = try await MessageBus()
        var rules = FakeAvahi.Rules()
        rules.namesHere = ["studio"]
        rules.namesElsewhere = ["studio #2"]
        let avahi = await FakeAvahi(on: .at(bus.address), rules)
        let announcement = announce(on: bus, as: "studio")
        #expect(await announcement.reports(.announced(name: "studio #2 #2")))
        #expect(await avahi.publishes(entries("studio #2 #2")))
    }

    @Test("A name that is taken later is replaced as well")
    func laterCollision() async throws {
        let bus = try await MessageBus()
        let avahi = await FakeAvahi(on: .at(bus.address))
        let announcement = announce(on: bus, as: "studio")
        #expect(await announcement.reports(.announced(name: "studio")))
        avahi.collide()
        #expect(await announcement.reports(.announced(name: "studio"), .announced(name: "studio #2")))
        #expect(await avahi.publishes(entries("studio #2")))
    }

    @Test("Without Avahi this is reported once; the services are announced when it comes, and again after it was restarted")
    func restart() async throws {
        let bus = try await MessageBus()
        let announcement = announce(on: bus, as: "studio")
        #expect(await announcement.reports(.unavailable))
        let first = await FakeAvahi(on: .at(bus.address))
        #expect(await announcement.reports(.unavailable, .announced(name: "studio")))
        first.end()
        #expect(await announcement.reports(.unavailable, .announced(name: "studio"), .unavailable))
        let second = await FakeAvahi(on: .at(bus.address))
        #expect(await second.publishes(entries("studio")))
        #expect(
            await announcement.reports(.unavailable, .announced(name: "studio"), .unavailable, .announced(name: "studio")))
    }

    @Test("The services are announced again after the bus was killed and has come back")
    func busRestart() async throws {
        let bus = try await MessageBus()
        let first = await FakeAvahi(on: .at(bus.address))
        let announcement = announce(on: bus, as: "studio")
        #expect(await announcement.reports(.announced(name: "studio")))
        first.end()
        try await bus.kill()
        try await bus.start()
        let second = await FakeAvahi(on: .at(bus.address))
        #expect(await second.publishes(entries("studio")))
    }

    @Test("While Avahi registers the machine's own name, nothing is announced")
    func hostName() async throws {
        let bus = try await MessageBus()
        let avahi = await FakeAvahi(on: .at(bus.address), state: 1)
        let announcement = announce(on: bus, as: "studio")
        avahi.change(to: 2)
        #expect(await avahi.publishes(entries("studio")))
        avahi.change(to: 3)
        #expect(await avahi.publishes([]))
        avahi.change(to: 1)
        avahi.change(to: 2)
        #expect(await avahi.publishes(entries("studio")))
        withExtendedLifetime(announcement) {}
    }

    @Test("Other services replace the earlier ones, an empty list withdraws them, and another name renames them")
    func changes() async throws {
        let bus = try await MessageBus()
        let avahi = await FakeAvahi(on: .at(bus.address))
        let announcement = announce(on: bus, as: "studio")
        #expect(await avahi.publishes(entries("studio")))
        announcement.on { $0.announce([]) }
        #expect(await avahi.publishes([]))
        announcement.on { $0.announce([Self.osc]) }
        #expect(await avahi.publishes(Array(entries("studio").prefix(1))))
        announcement.on { $0.rename(to: "attic") }
        #expect(await avahi.publishes(Array(entries("attic").prefix(1))))
        announcement.on { $0.close() }
        #expect(await avahi.publishes([]))
    }

    @Test("A refusal is reported with its reason")
    func refused() async throws {
        let bus = try await MessageBus()
        var rules = FakeAvahi.Rules()
        rules.refusesAll = true
        let avahi = await FakeAvahi(on: .at(bus.address), rules)
        let announcement = announce(on: bus)
        #expect(await announcement.reports(.refused("Not permitted")))
        withExtendedLifetime(avahi) {}
    }

    @Test("Refused services are announced when they are asked for again; others are left alone")
    func refusedOnce() async throws {
        let bus = try await MessageBus()
        var rules = FakeAvahi.Rules()
        (rules.refusals, rules.refusedStates) = (1, 1)
        let avahi = await FakeAvahi(on: .at(bus.address), rules)
        let announcement = announce(on: bus, as: "studio")
        #expect(await announcement.reports(.refused("Not now")))
        announcement.on { $0.announce([Self.osc, Self.query]) }
        #expect(await announcement.reports(.refused("Not now"), .refused("Not permitted")))
        announcement.on { $0.announce([Self.osc, Self.query]) }
        #expect(await announcement.reports(.refused("Not now"), .refused("Not permitted"), .announced(name: "studio")))
        #expect(await avahi.publishes(entries("studio")))
        let resetCount = avahi.resetCount.value
        announcement.on { $0.announce([Self.osc, Self.query]) }
        // The new name is sent after whatever that may have sent.
        announcement.on { $0.rename(to: "attic") }
        #expect(await avahi.publishes(entries("attic")))
        #expect(avahi.resetCount.value == resetCount + 1)
        #expect(
            await announcement.reports(
                .refused("Not now"), .refused("Not permitted"), .announced(name: "studio"), .announced(name: "attic")))
    }

    @Test("After a hundred collisions, another name is tried as long as the first one was")
    func collisionsAgain() async throws {
        let bus = try await MessageBus()
        var rules = FakeAvahi.Rules()
        rules.namesHere = ["attic"]
        rules.collides = { $0.hasPrefix("studio") }
        let avahi = await FakeAvahi(on: .at(bus.address), rules)
        let announcement = announce(on: bus, as: "studio")
        let refusal = ServiceAnnouncer.Event.refused("'studio' and all similar names are in use")
        #expect(await announcement.reports(refusal))
        announcement.on { $0.rename(to: "attic") }
        #expect(await announcement.reports(refusal, .announced(name: "attic #2")))
        withExtendedLifetime(avahi) {}
    }

    @Test("A name is cut to 63 bytes, between characters")
    func longName() async throws {
        let bus = try await MessageBus()
        let avahi = await FakeAvahi(on: .at(bus.address))
        let announcement = announce(on: bus, as: String(repeating: "ä", count: 40))
        #expect(await avahi.publishes(entries(String(repeating: "ä", count: 31))))
        withExtendedLifetime(announcement) {}
    }
}
