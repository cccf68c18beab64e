import Engine
import InstanceSupport
import OSC
import Patches
import Playback
import TestSupport
import Testing

/// Random commands of four controllers, and faults of the server: 100 random scripts over OSC, 1000 in `make stress`.
@Suite struct OSCClickTests {
    private static let count = isStress ? 1000 : 100
    private static let parts = 4

    @Test(
        "Tones under random packets, keys and changes of the server leave at most -100 dB above 2 kHz, relative to the current sound",
        arguments: 0..<parts)
    func clicks(part: Int) throws {
        var worst = (level: -Double.infinity, script: "")
        var heard = 0
        for number in stride(from: part, to: Self.count, by: Self.parts) {
            var script = try OSCScript(seed: UInt64(number), kernel: Kernel.available[number / Self.parts % Kernel.available.count])
            script.run()
            if script.instance.device.loudest > 0.01 { heard += 1 }
            let level = script.click()
            if level > worst.level { worst = (level, "script \(number): \(script.words.joined(separator: ", "))") }
        }
        print("figure: random scripts over OSC, part \(part): \(worst.level) dB above 2 kHz in the worst")
        #expect(worst.level < -100, "\(worst.level) dB: \(worst.script)")
        #expect(heard > Self.count / Self.parts / 2)
    }
}

private struct OSCScript {
    let instance: SteppedInstance
    private(set) var words: [String] = []
    private var random: SplitMix64
    private let peers = (1...4).map { Endpoint(host: .loopback, port: UInt16(40_000 + $0)) }
    private static let layers = 3

    init(seed: UInt64, kernel: Kernel) throws {
        var random = SplitMix64(seed: seed &+ 500)
        let items = (0..<3).map { index in
            let layers = [LayerKind.tone, .binaural, .monaural].enumerated().map { layer, kind in
                Layer(
                    name: "l\(layer)", kind: kind,
                    values: [.carrier: .random(in: 60...380, using: &random), .gain: .random(in: -36 ... -24, using: &random)])
            }
            var patch = Patch(details: Patch.Details(title: "\(index)"), layers: layers)
            if index > 0 { patch.duration = .random(in: 0.5...4, using: &random) }
            patch.chapters = [0.1, 0.4, 1].filter { $0 < patch.duration ?? .infinity }.map { start in
                Chapter(
                    start: start, title: "at \(start)", over: Bool.random(using: &random) ? nil : 0.3,
                    settings: [
                        Setting(
                            layer: Int.random(in: 0..<3, using: &random), parameter: .carrier, value: .random(in: 60...380, using: &random)),
                        Setting(
                            layer: Int.random(in: 0..<3, using: &random), parameter: .gain, value: .random(in: -50 ... -24, using: &random)),
                    ])
            }
            return QueueItem(reference: "item\(index)", patch: patch)
        }
        instance = try SteppedInstance(items, kernel: kernel)
        instance.device.keepsSound = true
        self.random = random
    }

    /// One and a half seconds of sound, with a silent end.
    mutating func run() {
        send("repeat", .string("all"))
        send("play")
        instance.pass(periods: 10)
        while instance.device.sound.left.count < 60_000 {
            act()
            instance.pass(periods: Int.random(in: 0...(Bool.random(using: &random) ? 2 : 12), using: &random))
        }
        instance.come(sampleRate: 48_000)
        send("stop")
        instance.pass(periods: 30)
    }

    private mutating func send(_ path: String, _ arguments: OSCArgument...) {
        words.append("\(path) \(arguments)")
        instance.receive(OSCMessage("/binaural/" + path, arguments), from: peers.randomElement(using: &random)!)
    }

    private mutating func number(_ range: ClosedRange<Float>) -> OSCArgument { .float(.random(in: range, using: &random)) }

    private mutating func act() {
        let layer = "layer/\(Int.random(in: 1...Self.layers, using: &random))"
        switch Int.random(in: 0..<28, using: &random) {
        case 0: send("play")
        case 1: send("pause")
        case 2: send("toggle")
        case 3: send(["next", "previous", "queue/next", "queue/previous"].randomElement(using: &random)!)
        case 4: send("position", number(0...3))
        case 5: send("skip/by", number(-1...1))
        case 6: send("queue/select", .int32(.random(in: 1...3, using: &random)))
        case 7: send("\(layer)/mute", .int32(.random(in: 0...1, using: &random)))
        case 8: send("\(layer)/solo", .int32(.random(in: 0...1, using: &random)))
        case 9: send("\(layer)/reset")
        case 10: send("master/gain", number(-40...0))
        case 11: send("rate", number(0.5...3))
        case 12: send(["undo", "redo"].randomElement(using: &random)!)
        case 13: send("panic")
        case 14: stop()
        case 15: server()
        case 16, 17: send("\(layer)/carrier", number(60...380))
        case 18: send("\(layer)/note", .int32(.random(in: 36...66, using: &random)))
        case 19: send("\(layer)/gain", number(-60 ... -24))
        case 20: send("\(layer)/pan", number(-1...1))
        case 21: send("\(layer)/gain", number(-60 ... -24), number(0...1), .string("sineInOut"))
        case 22: send("touch/\(layer)/gain", .int32(.random(in: 0...1, using: &random)))
        default: stream(layer)
        }
    }

    private mutating func stop() {
        send("stop")
        instance.pass(periods: Int.random(in: 0...8, using: &random))
        send("play")
    }

    /// The server ends, or is replaced at once by another one, at another rate or the same.
    private mutating func server() {
        words.append("server")
        if Bool.random(using: &random) {
            instance.go()
            instance.pass(periods: Int.random(in: 0...5, using: &random))
        }
        instance.come(sampleRate: Bool.random(using: &random) ? 48_000 : 44_100)
    }

    /// A fader moved in each period or every third.
    private mutating func stream(_ layer: String) {
        let path = ["\(layer)/gain/norm", "\(layer)/carrier", "\(layer)/pan/norm", "master/gain/norm", "\(layer)/xy"]
            .randomElement(using: &random)!
        let interval = Int.random(in: 0...3, using: &random)
        for _ in 0..<Int.random(in: 3...12, using: &random) {
            switch path.split(separator: "/").last {
            case "carrier": send(path, number(100...300))
            case "xy": send(path, number(0...0.5), number(0...0.6))
            default: send(path, number(0...0.6))
            }
            instance.pass(periods: interval)
        }
    }

    /// The worst click, for each server separately. A lost server cuts the sound, which is not the program's fault: there it is faded out over 21 ms.
    func click() -> Double {
        var worst = -Double.infinity
        for (index, stretch) in instance.device.stretches.enumerated() {
            let isLast = index + 1 == instance.device.stretches.count
            let end = isLast ? instance.device.sound.left.count : instance.device.stretches[index + 1].start
            guard end - stretch.start > 4096 else { continue }
            func ear(_ samples: [Float]) -> [Float] {
                var samples = Array(samples[stretch.start..<end])
                guard !isLast else { return samples }
                for frame in 0..<1024 {
                    let t = Float(frame) / 1024
                    samples[samples.count - 1 - frame] *= t * t * t * (t * (6 * t - 15) + 10)
                }
                return samples
            }
            let level = clickAbove(
                2000, left: ear(instance.device.sound.left), right: ear(instance.device.sound.right), sampleRate: Double(stretch.sampleRate)
            ).level
            worst = max(worst, level)
        }
        return worst
    }
}
