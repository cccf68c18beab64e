import Foundation
import InstanceSupport
import TestSupport
import Testing

@Suite("Ports that a session remembers")
struct RememberedPortTests {
    @Test("One that has not been there for more than 30 days is forgotten, which is reported; one that is there stays")
    func forgotten() throws {
        let home = try InstanceHome()
        try home.write(InstanceHome.tone, to: "data/patches/tone.yaml")
        try home.write(
            """
            format: 1
            queue:
              - {patch: tone}
            connections:
              - {port: out_left, to: "recorder:in_1"}
              - {port: out_right, to: "system:playback_2"}

            """, to: "data/sessions/take.yaml")
        let instance = try home.start("take")
        #expect(instance.notices.contains { $0.hasPrefix("Waiting for the remembered port 'recorder:in_1'") }, "\(instance.notices)")
        func dayPasses(_ count: Int) {
            instance.clock.setWallTime(forwardBy: Double(count) * 86_400)
            instance.pass(seconds: 1)
        }
        dayPasses(30)
        #expect(!instance.notices.contains { $0.contains("Forgot") }, "\(instance.notices)")
        dayPasses(1)
        #expect(
            instance.notices.last == "Forgot the connections to 'recorder:in_1', not seen for more than 30 days.", "\(instance.notices)")
        dayPasses(40)
        #expect(instance.notices.count { $0.contains("Forgot") } == 1)
        instance.pass(seconds: 3)
        let saved = try String(contentsOfFile: home.folder.file("state/sessions/take.yaml"), encoding: .utf8)
        #expect(saved.contains("system:playback_2"))
        #expect(!saved.contains("recorder"))
    }
}
