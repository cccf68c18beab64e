import InstanceSupport
import JACKBackend
import TestSupport
import Testing

@Suite("The device of these tests")
struct DeviceTests {
    @Test("A server's history is reported by the events that every device has for it, and by no others")
    func history() async {
        let seen = WatchedState<[String]>([])
        let device = SteppedDevice(TestClock()) { event in seen.update { $0.append("\(event)") } }
        var expected: [String] = []
        for (happening, events) in ServerHistory.steps {
            switch happening {
            case .start: device.come(sampleRate: 48_000, period: 256)
            case .end: device.go()
            case .pause: device.stall()
            case .resume: device.resume()
            case .changePeriod: device.changePeriod(to: 512)
            case .reopen: device.reopen(as: "other", connections: nil, connect: .none) { _ in }
            case .close: await device.close()
            }
            expected += events
            #expect(ServerHistory.names(seen.value) == expected, "\(happening)")
        }
    }
}
