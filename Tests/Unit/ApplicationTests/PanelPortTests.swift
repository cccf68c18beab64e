import HTTP
import Playback
import Testing

@testable import Application

@Suite("The panel's port") struct PanelPortTests {
    @Test(
        "Programs on this machine are trusted, unless a proxy may be among them, since it has a name and no port of its own",
        arguments: [([], nil, true), (["studio.example.org"], nil, false), (["studio.example.org"], 0, true), ([], 0, true)]
            as [([String], UInt16?, Bool)])
    func trust(hosts: [String], proxy: UInt16?, isTrusted: Bool) throws {
        var options = PlayConfiguration.Web()
        (options.port, options.hosts, options.proxy) = (.auto, hosts, proxy)
        let panel = try #require(try PanelPort.open(options, PreferenceValues(), on: WebThread()).panel)
        #expect(panel.trustsThisMachine == isTrusted)
        #expect((panel.server.proxyPort == nil) == (proxy == nil))
    }

    @Test("A proxy's port in the preferences is opened with the panel, unless the command line names another one")
    func preferred() throws {
        var options = PlayConfiguration.Web()
        options.proxy = 0
        let first = try #require(try PanelPort.open(options, PreferenceValues(), on: WebThread()).panel)
        let taken = try #require(first.server.proxyPort)
        var preferences = PreferenceValues()
        preferences.webProxy = Int(taken)
        let without = try PanelPort.open(PlayConfiguration.Web(), preferences, on: WebThread())
        #expect(without.panel == nil && without.notice == nil)
        preferences.web = "auto"
        let (panel, notice) = try PanelPort.open(PlayConfiguration.Web(), preferences, on: WebThread())
        #expect(panel == nil)
        #expect(notice?.contains("webProxy are ignored") == true && notice?.contains("port \(taken) on") == true, "\(notice ?? "none")")
        #expect(try PanelPort.open(options, preferences, on: WebThread()).panel != nil)
    }

    @Test("A proxy's port opens the panel, as an address to listen on does")
    func opens() throws {
        var options = PlayConfiguration.Web()
        #expect(try PanelPort.open(options, PreferenceValues(), on: WebThread()).panel == nil)
        options.proxy = 0
        #expect(try PanelPort.open(options, PreferenceValues(), on: WebThread()).panel != nil)
    }
}
