import Engine
import InstanceSupport
import OSC
import OSCRemote
import Patches
import Playback
import TestSupport
import Testing

/// For any parameter values, the output is finite and under the ceiling.
@Suite struct BitPatternTests {
    private static let ceiling: Float = 0.501_187_3

    @Test("Every kind of layer starts at -26 dBFS or lower")
    func defaultLevel() {
        for kind in LayerKind.allCases { #expect(Layer(name: "one", kind: kind).value(of: .gain)! <= -26) }
    }

    private static let parts = 4
    private static let sampleRates = [[8000.0, 44_100], [48_000], [22_050, 44_100, 48_000, 96_000], [8000, 44_100, 48_000, 192_000]]

    @Test(
        "With any bits as the value of any parameter, of the master and of the tuning, and any wave, color and kernel, the output is finite and under the ceiling without any guard",
        arguments: 0..<parts)
    func anyBits(part: Int) {
        let goal = (isStress ? 10_000_000 : 24_000) / Self.parts
        let engines = Self.sampleRates[part].flatMap { rate in
            Kernel.available.map { WildEngine(seed: UInt64(rate) + UInt64(part), sampleRate: rate, kernel: $0) }
        }
        var findings = WildEngine.Findings()
        while findings.patterns < goal {
            for engine in engines { engine.round(&findings) }
        }
        print(
            "figure: bit patterns, part \(part): \(findings.patterns), loudest sample \(findings.loudest), "
                + "not finite before the guard \(findings.nonFinite)")
        #expect(findings.loudest <= Self.ceiling)
        #expect(findings.nonFinite == 0, "the first: \(findings.first)")
        // Silence proves nothing.
        for kind in LayerKind.allCases {
            #expect(
                findings.heard[kind, default: 0] > findings.rounds / 10,
                "\(kind): \(findings.heard[kind, default: 0]) of \(findings.rounds)")
        }
    }

    @Test("Any bits of a float in a packet to any numeric address, including master, rate and tuning, have the same result")
    func anyBitsByOSC() throws {
        var random = SplitMix64(seed: 21)
        let instance = try SteppedInstance([
            QueueItem(reference: "deep", patch: .deep), QueueItem(reference: "tone", patch: .endless),
        ])
        let peer = Endpoint(host: .loopback, port: 40_001)
        let rows = AddressTable.standard.rows.filter { row in
            row.access != .read && !row.path.hasPrefix("queue/") && row.inputs.contains { $0.kind.isNumber }
        }
        for path in ["master/gain", "rate", "tuning/a4", "layer/N/carrier"] { #expect(rows.contains { $0.path == path }, "\(path)") }
        var (sent, sounding) = (0, 0)
        while sent < (isStress ? 1_000_000 : 20_000) {
            instance.perform(.play)
            for row in rows {
                let path = row.path.split(separator: "/").map { $0 == "N" ? "\(Int.random(in: 1...11, using: &random))" : String($0) }
                let values = row.inputs.map { _ in OSCArgument.float(random.nextFloat()) }
                sent += values.count
                instance.receive(OSCMessage("/binaural/" + path.joined(separator: "/"), values), from: peer)
            }
            // The last command may have silenced or ended it.
            instance.pass(periods: 2)
            _ = instance.packets(to: peer)
            if instance.device.peak > 1e-4 { sounding += 1 }
            instance.device.forgetPeak()
            #expect(instance.device.loudest <= Self.ceiling, "after \(sent)")
            if instance.device.loudest > Self.ceiling { break }
        }
        let nonFinite = instance.performance.status?.guardActions.nonFinite
        print(
            "figure: bit patterns by OSC: \(sent) to \(rows.count) addresses, loudest sample \(instance.device.loudest), "
                + "not finite before the guard \(nonFinite ?? 0)")
        #expect(nonFinite == 0)
        #expect(sounding > sent / 2000)
    }
}

extension Input.Kind {
    fileprivate var isNumber: Bool {
        switch self {
        case .number, .bounded, .integer, .index, .note: true
        case .press, .flag, .exact, .choice, .text, .entry, .timeTag, .blob: false
        }
    }
}
