import RemoteClient
import Testing
import Zeroconf

@Suite("Instances in the network") struct NetworkInstanceTests {
    private func service(_ name: String, _ type: String, _ address: String, _ port: UInt16, app: String? = "binaural") -> FoundService {
        var text = ["version": "0.1.0"]
        text["app"] = app
        return FoundService(name: name, type: type, host: "studio.local", address: address, port: port, text: text)
    }

    @Test("Each instance is listed once, with the address that most machines can reach, and its OSCQuery server")
    func instances() {
        let found = NetworkSearch.instances(of: [
            service("two", "_osc._udp", "fe80::1%3", 7831), service("two", "_osc._udp", "fd00::5", 7831),
            service("one", "_osc._udp", "127.0.0.1", 7830), service("one", "_osc._udp", "fd00::5", 7830),
            service("one", "_osc._udp", "192.168.1.20", 7830), service("one", "_oscjson._tcp", "192.168.1.20", 7880),
        ])
        #expect(
            found == [
                NetworkInstance(name: "one", address: "192.168.1.20:7830", query: "http://192.168.1.20:7880/", version: "0.1.0"),
                NetworkInstance(name: "two", address: "[fd00::5]:7831", query: nil, version: "0.1.0"),
            ])
    }

    @Test("Other programs, and instances whose remote control other machines cannot reach, are not listed")
    func others() {
        #expect(
            NetworkSearch.instances(of: [
                service("mixer", "_osc._udp", "192.168.1.30", 9000, app: nil), service("one", "_oscjson._tcp", "192.168.1.20", 7880),
                service("broken", "_osc._udp", "no address", 7830),
            ]) == [])
    }
}
