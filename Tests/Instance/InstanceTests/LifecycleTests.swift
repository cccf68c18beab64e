import InstanceSupport
import OSC
import Testing

@Suite("The lifecycle")
struct LifecycleTests {
    /// All steps except saves, which happen at any change.
    private func steps(_ peer: SteppedPeer) -> [String] { peer.texts("lifecycle").filter { !$0.hasSuffix("Save") } }

    @Test("subscribers get every lifecycle step and every notice in order: start, loss and return of JACK, saving, quitting")
    func transcript() async throws {
        let home = try InstanceHome.withLibrary()
        let instance = try home.start("deep-alpha", "--osc-feedback", "127.0.0.1:40002=session,log")
        let (ear, peer) = (SteppedPeer(instance, port: 40_002), SteppedPeer(instance))
        var expected = ["willRestore", "didRestore", "willBecomeActive", "didBecomeActive"]
        #expect(steps(ear) == expected)
        instance.pass(seconds: 1)
        #expect(instance.player.playback == .playing)

        instance.go()
        expected += ["willResignActive", "didResignActive"]
        #expect(steps(ear) == expected)
        #expect(try peer.perform("jack/reconnect") == 120)
        instance.come()
        #expect(try peer.perform("jack/reconnect") == 0)
        expected += ["willBecomeActive", "didBecomeActive"]
        #expect(steps(ear) == expected)

        let before = ear.texts("lifecycle").count
        #expect(try peer.perform("session/save") == 0)
        #expect(ear.texts("lifecycle").dropFirst(before) == ["willSave", "didSave"])
        try await instance.end()
        expected += ["willTerminate"]
        #expect(steps(ear) == expected)
        // Each save starts and finishes, the last one before the program ends.
        let all = ear.texts("lifecycle")
        #expect(all.suffix(3) == ["willSave", "didSave", "willTerminate"])
        let saves = all.filter { $0.hasSuffix("Save") }
        #expect(zip(saves, 0...).allSatisfy { $0 == ($1.isMultiple(of: 2) ? "willSave" : "didSave") }, "\(all)")
        #expect(ear.heard.last?.address == "bye")
        #expect(ear.texts("log").contains { $0.hasPrefix("JACK is away:") })
    }
}
