import Bus
import Foundation
import InstanceSupport
import MPRIS
import OSC
import OSCRemote
import Patches
import Terminal
import TestSupport
import Testing

@testable import Application
@testable import Engine
@testable import Playback
@testable import Performance
@testable import RemoteClient

/// The player is the single truth.
@Suite struct TruthTests {
    /// The last one is a page in a browser.
    private static let peers = (1...3).map { PeerAddress.udp(Endpoint(host: .loopback, port: UInt16(40_000 + $0))) } + [.webSocket(page)]
    private static let page = Endpoint(host: .loopback, port: 40_004)
    private static let topics = ["now", "commands", "layers", "mixer", "session", "jack"]
    /// Items of different lengths, layers and capabilities; some end before control has polled twice.
    private static let items: [QueueItem] = {
        var short = Patch.deep
        short.duration = 9
        short.chapters = [
            Chapter(start: 0, title: "One"),
            Chapter(start: 2, title: "Two", over: 3, settings: [Setting(layer: 0, parameter: .beat, value: 4)]),
            Chapter(start: 6, title: "Three", settings: [Setting(layer: 1, parameter: .gain, value: -50)]),
        ]
        return [
            QueueItem(reference: "deep", patch: .deep), QueueItem(reference: "short", patch: short),
            QueueItem(reference: "tone", patch: .endless),
            QueueItem(reference: "gone", patch: nil, problem: "there is no patch gone"),
            brief(1, seconds: 1), brief(2, seconds: 0.3), brief(5, seconds: 0.7), brief(3, seconds: 0.05), high,
        ]
    }()

    /// Beyond half of a low sample rate, in time with the transport, and played.
    private static let high: QueueItem = {
        var pulse = Layer(name: "pulse", kind: .isochronic, values: [.carrier: 300, .pulseRate: 4])
        pulse.notes = NoteLength("1/16").map { [.pulseRate: $0] } ?? [:]
        let layers = [
            Layer(name: "low", kind: .binaural, values: [.carrier: 200, .beat: 5]), pulse,
            Layer(name: "phase", kind: .phase, values: [.carrier: 19_000, .beat: 90]), Layer(name: "piano", kind: .keys),
            Layer(name: "whistle", kind: .tone, values: [.carrier: 3900]),
        ]
        return QueueItem(reference: "high", patch: Patch(details: .init(title: "High"), duration: 4, layers: layers))
    }()

    private static func brief(_ layers: Int, seconds: Double) -> QueueItem {
        QueueItem(
            reference: "brief \(layers)",
            patch: Patch(
                details: .init(title: "Brief \(layers)"), duration: seconds,
                layers: (1...layers).map { Layer(name: "layer-\($0)", kind: .tone, values: [.carrier: Double(100 * $0 + layers)]) }))
    }

    /// Addresses of commands that differ from their names.
    private static let paths: [RemoteCommandKind: String] = [
        .nextItem: "queue/next", .previousItem: "queue/previous", .selectItem: "queue/select", .skipForward: "skip/forward",
        .skipBackward: "skip/backward", .skip: "skip/by", .seekForward: "seek/forward", .seekBackward: "seek/backward",
        .normalizedPosition: "position/norm", .repeatMode: "repeat", .shuffleMode: "shuffle",
    ]

    private static let periods = [32, 64, 128, 256, 512, 1024, 2048]

    /// Commands of a run; 6000 take about a minute.
    private static let count = isStress ? 6000 : 3000

    @Test(
        "After random commands, patterns and bundles of four peers, keys, server faults, late polls, short items and crossfades, every front end shows the player's state, and the engine plays it",
        arguments: 1...UInt64(isStress ? 200 : 2))
    func truth(seed: UInt64) async throws {
        // In a process of its own, since its memory is measured.
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) { [seed = seed as UInt64] in
            try TruthTests().run(seed: seed)
        }
        let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
        for line in lines where line.hasPrefix("figure") || line.hasPrefix("truth") { print(line) }
    }

    private func run(seed: UInt64) throws {
        print("truth: seed \(seed)")
        var random = SplitMix64(seed: seed)
        let patches = Self.items.compactMap { item in item.patch.map { (item.reference, $0) } }
        let names = Self.items.map(\.reference)
        let instance = try SteppedInstance(
            ["all"], patches: Dictionary(uniqueKeysWithValues: patches),
            sessions: ["all": names, "x": names.reversed(), "night-2": Array(names.prefix(6))])
        instance.perform(.stop)
        var pictures = [Picture](repeating: Picture(), count: Self.peers.count)
        // As `watch` follows it.
        let watcher = Endpoint(host: .loopback, port: 44_000)
        var follower = Follower()
        let desktop = DesktopPicture(at: instance.now.seconds, instance.call)
        var query = QueryPicture()
        instance.open(Self.page, as: .control)
        func show() {
            for (signal, sent) in instance.signals() { desktop.take(signal, sentAt: sent, now: instance.now.seconds) }
            for message in follower.tick(at: instance.now) { instance.receive(message, from: watcher) }
            for bytes in instance.packets(to: watcher) {
                if let packet = try? OSCPacket(decoding: bytes) { follower.receive(packet, at: instance.now) }
            }
            for (index, peer) in Self.peers.enumerated() {
                for packet in instance.packets(to: peer) { pictures[index].take(packet) }
            }
            if let tree = instance.queryTree { query.take(tree) }
        }
        func subscribe(_ peer: PeerAddress) {
            for topic in Self.topics { instance.receive(OSCMessage("/binaural/subscribe", [.string(topic)]), from: peer) }
        }
        for peer in Self.peers { subscribe(peer) }
        func comes() {
            instance.come(
                sampleRate: [8000, 32_000, 44_100, 48_000, 96_000].randomElement(using: &random)!,
                period: Self.periods.randomElement(using: &random)!)
        }
        var memory = (early: 0, late: 0)
        for step in 1...Self.count {
            switch Int.random(in: 0..<100, using: &random) {
            case 0: instance.go()
            case 1, 2: comes()
            case 15: instance.stall(seconds: [0.05, 0.2, 0.3, 0.5, 1].randomElement(using: &random)!)
            case 16: instance.changePeriod(to: Self.periods.randomElement(using: &random)!)
            case 17..<20:
                instance.receive(
                    RandomPacket.conversation(&random), from: Endpoint(host: .loopback, port: .random(in: 41_000...41_009, using: &random)))
            case 3: instance.device.tempo = [0, 60, 120, 174.5, 1e-18, 1e12, -.infinity, .nan].randomElement(using: &random)!
            case 4..<9:
                instance.perform(
                    [.toggle, .skip(by: 15), .skip(by: -15), .next, .previous, .setMasterGain(-3, ramp: nil)].randomElement(using: &random)!
                )
            case 9..<15: _ = instance.call(DesktopPicture.randomCall(instance.player, &random))
            default: instance.receive(RandomPacket.next(at: instance.now, &random), from: Self.peers.randomElement(using: &random)!)
            }
            if instance.player.items.count < 4 {
                for name in ["deep", "short", "brief 1"] {
                    instance.receive(OSCMessage("/binaural/queue/add", [.string(name)]), from: Self.peers[0])
                }
            }
            // As long as control may be late, without a poll: usually a few periods, rarely long.
            let looksEvery =
                Int.random(in: 0..<10, using: &random) == 0
                ? Int.random(in: 10...100, using: &random) : Int.random(in: 1...6, using: &random)
            var period = 0
            let seconds = [0, 0, 0.005, 0.005, 0.01, 0.064].randomElement(using: &random)!
            instance.pass(seconds: looksEvery > 6 ? 2 * seconds : seconds) {
                period += 1
                return period.isMultiple(of: looksEvery)
            }
            show()
            if step.isMultiple(of: 10) { try compareSound(instance, "seed \(seed), step \(step)") }
            // Every 500 steps the instance is left until nothing changes any more, and then compared.
            guard step.isMultiple(of: 500) else { continue }
            rest(instance, show)
            instance.reportToDesktop()
            show()
            try compare(instance, pictures, "seed \(seed), step \(step)")
            compare(instance, query, "seed \(seed), step \(step)")
            try instance.compareEngine("seed \(seed), step \(step)")
            compare(instance, desktop, "seed \(seed), step \(step)")
            compare(instance, WatchStatus(follower, at: instance.now), follower, "seed \(seed), step \(step)")
            if step == Self.count / 3 { memory.early = allocatedMemory() }
            if step == Self.count { memory.late = allocatedMemory() }
        }
        print("figure: random run, seed \(seed): memory \(memory.early) kB after a third, \(memory.late) kB at the end")
        let faults = instance.faultsInFiles()
        #expect(faults.isEmpty, "seed \(seed): \(faults.first ?? "")")
        #expect(memory.early > 0 && memory.late < memory.early + 8192, "seed \(seed)")
    }

    @Test("The position sent while a bundle's effects are still ahead of the sound is the one that is heard")
    func positionDuringBundle() throws {
        let instance = try SteppedInstance([QueueItem(reference: "deep", patch: .deep)])
        instance.perform(.toggle)
        instance.pass(periods: 100)
        let peer = Self.peers[0]
        instance.receive(OSCMessage("/binaural/subscribe", [.string("now")]), from: peer)
        let bundle = OSCBundle(
            timeTag: instance.now.timeTag.advanced(bySeconds: 0.1),
            messages: [OSCMessage("/binaural/layer/1/gain", [.float(-30)]), OSCMessage("/binaural/like", [.int32(1)])])
        instance.receive(bundle.encoded, from: Self.peers[1])
        instance.pass(periods: 50)
        var picture = Picture()
        for packet in instance.packets(to: peer) { picture.take(packet) }
        #expect(instance.player.current?.liked == true)
        guard case .float(let elapsed)? = picture.values["now/elapsed"]?.first else {
            Issue.record("no position")
            return
        }
        let shown = Double(elapsed) + instance.now.timeTag.seconds(since: picture.tag)
        let heard = instance.player.elapsed(at: instance.performance.now)
        #expect(abs(shown - heard) < 0.001, "shows \(shown) s, is at \(heard) s")
    }

    /// Checks, once nothing is pending, that the engine plays the player's item, at its position, with its layers.
    private func compareSound(_ instance: SteppedInstance, _ place: String) throws {
        instance.pass(periods: 1)
        let state = instance.player
        guard state.hasAudio, !instance.performance.isSettling, !instance.isBeginningAnItem else { return }
        let live = instance.performance.engine?.live
        guard state.playback == .playing else {
            #expect(live == nil, "\(place): sounds while \(state.playback)")
            return
        }
        let isOver = state.length.map { state.position(at: instance.performance.now) >= $0 } ?? false
        if isOver { return }
        #expect(live?.plan.latest.layers.count == state.layerCount, "\(place): not item \((state.currentIndex ?? -1) + 1)")
        if instance.performance.isInTheSound(instance.performance.mark) { try instance.compareEngine(place) }
        let position = try #require(instance.performance.position, "\(place)")
        let expected = state.position(at: instance.performance.now)
        // A frame of the plan is `rate` frames of the timeline.
        #expect(abs(position - expected) <= Int64(max(1, state.rate.rounded(.up))), "\(place): at \(position), not \(expected)")
    }

    /// Waits until nothing changes any more. All touches are released first, since a held value is not sent to its holder.
    private func rest(_ instance: SteppedInstance, _ show: () -> Void) {
        instance.come(sampleRate: 48_000, period: 256)
        // Bundles that are still waiting may touch something, too: the latest is due 0.2 s after the last step.
        instance.pass(periods: 50)
        for peer in Self.peers {
            for path in ["seek/forward", "button"] { instance.receive(OSCMessage("/binaural/\(path)", [.int32(0)]), from: peer) }
            for fader in instance.player.held.keys {
                instance.receive(OSCMessage("/binaural/touch/\(Self.path(fader))", [.int32(0)]), from: peer)
            }
        }
        #expect(instance.player.held.isEmpty)
        #expect(instance.player.heldSeek == nil)
        for peer in Self.peers { instance.receive(OSCMessage("/binaural/sync", [.int32(1)]), from: peer) }
        // Short items change faster than changes may be sent, so a longer one is selected.
        let isLong = { (item: QueueItem) in item.patch.map { $0.duration ?? .infinity > 5 } ?? false }
        if !instance.player.items.contains(where: isLong) {
            instance.receive(OSCMessage("/binaural/queue/add", [.string("deep")]), from: Self.peers[0])
        }
        // A button that was released may still go to another item.
        for _ in 0..<3 {
            if let long = instance.player.items.firstIndex(where: isLong) {
                instance.receive(OSCMessage("/binaural/queue/select", [.int32(Int32(long + 1))]), from: Self.peers[0])
            }
            instance.pass(periods: 500)
            if instance.player.current.map(isLong) ?? true { break }
            // Otherwise `watch` would take the player to be gone.
            show()
        }
        // An item that has just begun, by itself in a crossfade, may take some packets to be reported, of at most 50 a second.
        for _ in 0..<4 {
            let state = instance.player
            guard state.playback == .playing, state.elapsed(at: instance.performance.now) < 0.15 * state.rate else { break }
            instance.pass(periods: 40)
        }
        #expect(!instance.isWaiting, "a sync is not answered")
    }

    /// Compares what a program on the session bus shows with the player.
    private func compare(_ instance: SteppedInstance, _ desktop: DesktopPicture, _ place: String) {
        let (state, snapshot) = (instance.player, instance.snapshot)
        for interface in DesktopPicture.interfaces {
            let (shown, read) = (desktop.values[interface] ?? [:], desktop.read(interface))
            for (name, value) in read where name != "Position" {
                #expect(shown[name] == value, "\(place): \(name) is \(value), shown \(String(describing: shown[name]))")
            }
        }
        let player = desktop.read(DesktopPicture.player)
        let status = ["playing": "Playing", "stopped": "Stopped"][state.playback.rawValue] ?? "Paused"
        #expect(player["PlaybackStatus"] == .string(status), "\(place)")
        #expect(player["Metadata"]?.entries?["xesam:title"]?.text == state.current?.title, "\(place)")
        #expect(player["Metadata"]?.entries?["xesam:trackNumber"]?.integer == state.currentIndex.map { $0 + 1 }, "\(place)")
        #expect(player["Rate"] == .double(state.rate), "\(place)")
        #expect(player["Shuffle"] == .bool(state.shuffledOrder != nil), "\(place)")
        if case .double(let volume)? = player["Volume"] {
            let gain = state.isMasterMuted || state.masterGain <= -120 ? 0 : pow(10, state.masterGain / 20)
            #expect(abs(volume - gain) < 1e-9, "\(place)")
        }
        #expect(desktop.read(DesktopPicture.tracks)["Tracks"]?.elements?.count == state.items.count, "\(place)")
        let (shown, elapsed) = (desktop.position(at: instance.now.seconds), state.elapsed(at: snapshot.moment))
        let isEnding = state.length.map { state.position(at: snapshot.moment) >= $0 } ?? false
        #expect(isEnding || abs(shown - elapsed) < 0.15 * max(1, state.rate), "\(place): shows \(shown) s, is at \(elapsed) s")
    }

    /// Compares what is shown by a program that listens to every value over OSCQuery with the answers to reads.
    private func compare(_ instance: SteppedInstance, _ query: QueryPicture, _ place: String) {
        let asking = PeerAddress.udp(Endpoint(host: .loopback, port: 45_001))
        #expect(query.values.count > 100, "\(place)")
        for (address, shown) in query.values {
            guard let row = row(address), row.group != .tick, row.group != .meters else { continue }
            instance.receive(OSCMessage("/binaural/\(address)"), from: asking)
            var answer = Picture()
            for packet in instance.packets(to: asking) { answer.take(packet) }
            // An item with fewer layers has no such address.
            guard let value = answer.values[address] else { continue }
            let isMoving = instance.player.playback == .playing && address.hasPrefix("layer/")
            #expect(isAlike(shown, value, within: isMoving ? 0.5 : 1e-5), "\(place), OSCQuery, \(address): shown \(shown), is \(value)")
        }
    }

    /// Compares what `watch` shows with the player.
    private func compare(_ instance: SteppedInstance, _ status: WatchStatus, _ follower: Follower, _ place: String) {
        let (state, moment) = (instance.player, instance.snapshot.moment)
        #expect(follower.isFollowing, "\(place)")
        #expect(follower.trouble == nil, "\(place)")
        #expect(status.playing.state.rawValue == state.playback.rawValue, "\(place)")
        #expect(status.playing.item == state.current?.title ?? "", "\(place)")
        #expect(status.index == state.currentIndex.map { $0 + 1 } ?? 0, "\(place)")
        #expect(status.count == state.items.count, "\(place)")
        #expect(status.playing.chapter?.title ?? "" == NowPlaying(state, at: moment).chapterTitle, "\(place)")
        let elapsed = state.elapsed(at: moment)
        #expect(abs(status.playing.elapsed - elapsed) < 0.02 * max(1, state.rate), "\(place): \(status.playing), \(elapsed) s")
        // As sent, in single precision.
        #expect(Float(status.rate) == Float(NowPlaying(state, at: moment).defaultRate), "\(place)")
    }

    private static func path(_ fader: Fader) -> String {
        switch fader {
        case .parameter(let parameter, let layer): "layer/\(layer + 1)/\(parameter.rawValue)"
        case .masterGain: "master/gain"
        case .a4: "tuning/a4"
        }
    }

    private func compare(_ instance: SteppedInstance, _ pictures: [Picture], _ place: String) throws {
        let state = instance.player
        let snapshot = instance.snapshot
        // The server's answers to reads, compared with the player itself.
        let asking = Endpoint(host: .loopback, port: 45_000)
        func get(_ address: String) -> [OSCArgument]? {
            _ = instance.packets(to: asking)
            instance.receive(OSCMessage("/binaural/\(address)"), from: asking)
            var answer = Picture()
            for packet in instance.packets(to: asking) { answer.take(packet) }
            return answer.values[address]
        }
        #expect(get("now/state") == [.string(state.playback.rawValue)], "\(place)")
        #expect(get("now/title") == [.string(state.current?.title ?? "")], "\(place)")
        #expect(get("now/queue") == [.int32(Int32((state.currentIndex ?? -1) + 1)), .int32(Int32(state.items.count))], "\(place)")
        #expect(get("layer/count") == [.int32(Int32(state.patch?.layers.count ?? 0))], "\(place)")
        #expect(get("master/gain") == [.float(Float(state.masterGain))], "\(place)")
        #expect(get("transport/mode") == [.string(state.transportMode.rawValue)], "\(place)")
        #expect(get("touch/mode") == [.string(state.touchMode.rawValue)], "\(place)")
        for kind in RemoteCommandKind.allCases {
            let path = Self.paths[kind] ?? kind.rawValue
            #expect(
                get("\(path)/enabled") == [.int32(instance.center.isEnabled(kind, in: state, at: snapshot.moment) ? 1 : 0)],
                "\(place), \(path)")
        }
        #expect(get("repeat") == [.string(state.repeatMode.rawValue)], "\(place)")
        #expect(get("now/rating") == [.float(Float(state.current?.rating ?? 0))], "\(place)")
        _ = instance.packets(to: asking)
        instance.receive(OSCMessage("/binaural/queue/list"), from: asking)
        let listed = instance.packets(to: asking).compactMap { try? OSCPacket(decoding: $0) }.flatMap(\.messages).dropLast().map(
            \.arguments)
        let queue: [[OSCArgument]] = state.items.enumerated().map {
            [.int32(Int32($0 + 1)), .string($1.reference), .string($1.listedTitle)]
        }
        #expect(listed == queue, "\(place)")
        for (index, layer) in (state.patch?.layers ?? []).enumerated() {
            #expect(get("layer/\(index + 1)/name") == [.string(layer.name)], "\(place)")
            #expect(get("layer/\(index + 1)/mute") == [.int32(state.current?.mutedLayers.contains(index) == true ? 1 : 0)], "\(place)")
        }
        // The engine plays the player's state.
        let isPastEnd = state.length.map { state.position(at: snapshot.moment) >= $0 } ?? false
        if state.playback == .playing, !(state.transportMode == .follow && isPastEnd) {
            #expect(abs(try #require(instance.performance.position) - state.position(at: snapshot.moment)) <= 1, "\(place)")
        }

        // Values sent to subscribers equal the answers to reads.
        for (index, picture) in pictures.enumerated() {
            #expect(picture.values.count > 60, "\(place)")
            for (address, received) in picture.values {
                guard let row = row(address), row.group != nil, row.group != .tick, row.group != .meters, let value = get(address) else {
                    continue
                }
                if address == "now/elapsed" || address == "now/frame" { continue }
                // Whether a bookmark is within a second is compared some milliseconds later.
                let (elapsed, limit) = (state.elapsed(at: snapshot.moment), 1 + 0.1 * max(1, state.rate))
                let isNearLimit = state.current?.bookmarks.contains { (2 - limit...limit).contains(abs($0 - elapsed)) } ?? false
                if address == "bookmark", state.playback == .playing, isNearLimit { continue }
                if address == "now/sleep", case (.float(let received)?, .float(let left)?) = (received.first, value.first) {
                    // A countdown: a client computes it by itself.
                    let passed = Float(instance.now.timeTag.seconds(since: picture.tag))
                    #expect(left <= received, "\(place): received \(received) s, \(passed) s ago, is \(left) s")
                    #expect(left >= received - passed - 0.05, "\(place): received \(received) s, \(passed) s ago, is \(left) s")
                    continue
                }
                // A chapter may move it between the report and the read.
                let isMoving = state.playback == .playing && address.hasPrefix("layer/")
                #expect(
                    isAlike(received, value, within: isMoving ? 0.5 : 1e-5),
                    "\(place), peer \(index + 1), \(address): received \(received), is \(value)")
            }
            // A client that computes the position by itself.
            guard case .float(let elapsed)? = picture.values["now/elapsed"]?.first,
                case .float(let rate)? = picture.values["now/rate"]?.first
            else {
                Issue.record("\(place): no now playing")
                continue
            }
            let shown = Double(elapsed) + instance.now.timeTag.seconds(since: picture.tag) * Double(rate)
            let isEnding = state.length.map { state.position(at: snapshot.moment) >= $0 } ?? false
            #expect(
                isEnding || abs(shown - state.elapsed(at: snapshot.moment)) < 0.02 * max(1, Double(rate)),
                "\(place), peer \(index + 1): shows \(shown) s, is at \(state.elapsed(at: snapshot.moment)) s, \(picture.values["now/state"] ?? [])"
            )
        }

        // The terminal.
        let status = TerminalStatus(snapshot, address: "")
        #expect(status.state.rawValue == state.playback.rawValue, "\(place)")
        #expect(status.item == state.current?.title ?? "", "\(place)")
        let line = StatusLines.plain(status, style: .init(hasColor: false, isUnicode: true))
        #expect(line.contains(state.playback.rawValue), "\(place): \(line)")
        #expect(line.contains(state.current?.title ?? "nothing to play"), "\(place): \(line)")
        // `layers` covers only the existing layers, not those that other items had.
    }

    private func row(_ address: String) -> Row? {
        let parts = address.split(separator: "/")
        let path = parts.count > 2 && parts[0] == "layer" ? (["layer", "N"] + parts.dropFirst(2)).joined(separator: "/") : address
        return AddressTable.standard.rows.first { $0.path == path }
    }

    private func isAlike(_ one: [OSCArgument], _ other: [OSCArgument], within tolerance: Float) -> Bool {
        one.count == other.count
            && zip(one, other).allSatisfy { one, other in
                guard case .float(let a) = one, case .float(let b) = other else { return one == other }
                return abs(a - b) <= tolerance * max(1, abs(a))
            }
    }
}
