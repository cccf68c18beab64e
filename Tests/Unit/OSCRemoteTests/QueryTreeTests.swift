import Foundation
import OSC
import OSCRemote
import Playback
import Testing

@Suite("The table as OSCQuery shows it")
struct QueryTreeTests {
    private let server = TestServer()

    private func answer(_ path: String, _ query: String? = nil) -> QueryTree.Answer {
        server.server.queryTree.answer(path, query: query, port: 8000)
    }

    private func text(_ path: String, _ query: String? = nil) -> String? {
        if case .json(let body) = answer(path, query) { String(decoding: body, as: UTF8.self) } else { nil }
    }

    private struct Node: Decodable {
        var FULL_PATH: String
        var ACCESS: Int
        var TYPE: String?
        var CONTENTS: [String: Node]?

        var all: [Node] { [self] + (CONTENTS ?? [:]).values.flatMap(\.all) }
    }

    private func node(_ path: String) throws -> Node {
        try JSONDecoder().decode(Node.self, from: Data(try #require(text(path)).utf8))
    }

    @Test("Every row is an address of the tree, once for each layer that has it, with its access; each address names itself")
    func everyRow() throws {
        let all = try node("/").all
        let found = Dictionary(uniqueKeysWithValues: all.map { ($0.FULL_PATH, $0) })
        let layers = try #require(server.receiver.player.state.patch).layers
        let everywhere = AddressTable.standard.addresses(withLayers: layers.map { $0.parameters.map(\.parameter) })
        // Addresses that the selected layer lacks are missing.
        let ofFirst = Set(everywhere.map(\.path))
        let expected = everywhere.filter { ofFirst.contains($0.path.replacing("layer/selected/", with: "layer/1/")) }
        for (path, row) in expected {
            let node = try #require(found["/binaural/\(path)"], "\(path) is not there")
            #expect(node.ACCESS == (row.access == .read ? 1 : row.access == .write ? 2 : 3), "\(path)")
            #expect(node.TYPE?.isEmpty == false, "\(path)")
        }
        #expect(Set(all.filter { $0.TYPE != nil }.map(\.FULL_PATH)) == Set(expected.map { "/binaural/\($0.path)" }))
        for (path, expected) in found {
            if !path.contains("layer/") || path.contains("layer/1/") { #expect(try node(path).FULL_PATH == path) }
            for (name, child) in expected.CONTENTS ?? [:] { #expect(child.FULL_PATH == (path == "/" ? "" : path) + "/\(name)") }
            #expect(expected.TYPE != nil || expected.ACCESS == 0)
        }
    }

    @Test("A layer can be asked for by its name")
    func named() throws {
        #expect(text("/binaural/layer/bed/carrier", "VALUE") == #"{"VALUE":[200]}"#)
        let (byName, byNumber) = (try node("/binaural/layer/bed"), try node("/binaural/layer/1"))
        #expect(byName.FULL_PATH == "/binaural/layer/bed")
        #expect(byName.all.count == byNumber.all.count)
        guard case .notFound = answer("/binaural/layer/nobody") else {
            Issue.record("there is a layer nobody")
            return
        }
    }

    @Test("An address has its type, range, unit, value and what happens to values out of range")
    func attributes() {
        #expect(text("/binaural/layer/1/carrier", "VALUE") == #"{"VALUE":[200]}"#)
        #expect(text("/binaural/layer/1/carrier", "UNIT") == #"{"UNIT":["time.hz"]}"#)
        #expect(text("/binaural/layer/1/carrier", "CLIPMODE") == #"{"CLIPMODE":["both"]}"#)
        #expect(text("/binaural/layer/1/xy", "RANGE") == #"{"RANGE":[{"MAX":1,"MIN":0},{"MAX":1,"MIN":0}]}"#)
        #expect(text("/binaural/repeat", "RANGE") == #"{"RANGE":[{"VALS":["off","one","all"]}]}"#)
        #expect(text("/binaural/repeat", "CLIPMODE") == #"{"CLIPMODE":["none"]}"#)
        #expect(text("/binaural/layer/1/note", "RANGE") == #"{"RANGE":[{"MAX":127,"MIN":0}]}"#)
        #expect(text("/binaural/play", "TYPE") == #"{"TYPE":"i"}"#)
        #expect(text("/binaural/queue/list", "TYPE") == #"{"TYPE":"i"}"#)
        #expect(text("/binaural/skip/intervals", "TYPE").map { !$0.contains("…") } == true)
        #expect(text("/binaural/layer/selected/name", "VALUE") == #"{"VALUE":["bed"]}"#)
        #expect(text("/binaural/layer/1/carrier", "") == text("/binaural/layer/1/carrier/"))
        server.send("layer/1/carrier", .float(100.1))
        #expect(text("/binaural/layer/1/carrier", "VALUE") == #"{"VALUE":[100.1]}"#)
    }

    @Test("The position is that of the moment of the request, since an answer has no time tag")
    func position() {
        server.send("play")
        server.advance(seconds: 3)
        #expect(text("/binaural/now/elapsed", "VALUE") == #"{"VALUE":[3]}"#)
        #expect(text("/binaural/now/frame", "VALUE") == #"{"VALUE":[144000]}"#)
    }

    @Test("A missing address is 404, a missing attribute is 204, and an invalid query is 400")
    func refusals() {
        for path in [
            "/nowhere", "//", "/binaural//play", "/binaural/layer/12/gain", "/binaural/layer/2/carrier", "/binaural/layer/0/gain",
            "/binaural/layer/01/gain", "/binaural/layer/N/gain", "/binaural/*", "/binaural/layer/[1]/gain", "/%00", "/binaurals",
            "/binaural/pla",
        ] {
            guard case .notFound = answer(path) else {
                Issue.record("\(path) is found: \(answer(path))")
                continue
            }
        }
        for (path, query) in [
            ("/binaural/play", "VALUE"), ("/", "TYPE"), ("/binaural/layer", "RANGE"), ("/binaural/play", "TAGS"),
            ("/binaural/layer/1/name", "UNIT"), ("/binaural/layer/1/beat/norm", "CONTENTS"),
        ] {
            #expect(answer(path, query) == .noContent, "\(path)?\(query)")
        }
        for (path, query) in [
            ("/%", nil), ("/%4", nil), ("/%zz", nil), ("/%ff", nil), ("/", "nonsense"), ("/", "VALUE&TYPE"), ("/", "value"),
        ] {
            guard case .badRequest = answer(path, query) else {
                Issue.record("\(path) is taken: \(answer(path, query))")
                continue
            }
        }
    }

    @Test("ACCESS omits what the role of local programs does not allow")
    func roles() throws {
        func access(_ path: String, _ role: Role) -> String? {
            let server = TestServer { $0.localRole = role }
            guard case .json(let body) = server.server.queryTree.answer("/binaural/\(path)", query: "ACCESS", port: 1) else { return nil }
            return String(decoding: body, as: UTF8.self)
        }
        #expect(access("quit", .admin) == #"{"ACCESS":2}"#)
        #expect(access("quit", .control) == #"{"ACCESS":0}"#)
        #expect(access("layer/1/beat", .control) == #"{"ACCESS":3}"#)
        #expect(access("layer/1/beat", .view) == #"{"ACCESS":1}"#)
        #expect(access("subscribe", .view) == #"{"ACCESS":2}"#)
    }

    @Test("other machines see what the role view allows, and the address at which they have reached this one")
    func otherMachines() {
        let tree = server.server.queryTree.forOthers(at: "192.168.1.20")
        func text(_ path: String, _ query: String) -> String {
            guard case .json(let body) = tree.answer(path, query: query, port: 8000) else { return "" }
            return String(decoding: body, as: UTF8.self)
        }
        #expect(text("/binaural/quit", "ACCESS") == #"{"ACCESS":0}"#)
        #expect(text("/binaural/layer/1/beat", "ACCESS") == #"{"ACCESS":1}"#)
        server.change {
            $0.player.update { $0.items[0].patch?.details.artwork = "/home/me/art.png" }
            $0.nowPlaying.update(from: $0.player.state, at: $0.moment)
        }
        let later = server.server.queryTree
        #expect(later.answer("/binaural/now/artwork", query: "VALUE", port: 1) == .json(Array(#"{"VALUE":["/home/me/art.png"]}"#.utf8)))
        #expect(
            later.forOthers(at: "192.168.1.20").answer("/binaural/now/artwork", query: "VALUE", port: 1)
                == .json(Array(#"{"VALUE":["art.png"]}"#.utf8)))
        for isForOthers in [false, true] {
            var listener = QueryListener(isForOthers: isForOthers)
            listener.take(#"{"COMMAND":"LISTEN","DATA":"/binaural/now/artwork"}"#)
            #expect(sent(&listener) == [OSCMessage("/binaural/now/artwork", [.string(isForOthers ? "art.png" : "/home/me/art.png")])])
        }
        let info = text("/", "HOST_INFO")
        for part in [#""OSC_IP":"192.168.1.20""#, #""WS_IP":"192.168.1.20""#, #""OSC_PORT":7830"#, #""WS_PORT":8000"#] {
            #expect(info.contains(part), "\(part)")
        }
    }

    @Test("HOST_INFO gives the ports and what is supported")
    func hostInfo() {
        let info = text("/binaural/play", "HOST_INFO") ?? ""
        #expect(info == text("/nowhere", "HOST_INFO"))
        for part in [
            #""NAME":"binaural""#, #""OSC_PORT":7830"#, #""OSC_TRANSPORT":"UDP""#, #""WS_PORT":8000"#, #""LISTEN":true"#, #""TAGS":false"#,
        ] {
            #expect(info.contains(part), "\(part)")
        }
    }

    private func sent(_ listener: inout QueryListener, room: Int = .max) -> [OSCMessage] {
        var packets: [[UInt8]] = []
        var values = QueryValues(server.server.queryTree)
        listener.sendChanges(&values, hasRoom: { packets.count < room }) { packets.append($0) }
        return packets.compactMap { if case .message(let message) = try? OSCPacket(decoding: $0) { message } else { nil } }
    }

    @Test("A listener gets a value at first, then when it changes, and nothing after it ignores the address")
    func listening() {
        var listener = QueryListener()
        listener.take(#"{"COMMAND":"LISTEN","DATA":"/binaural/layer/1/beat"}"#)
        #expect(sent(&listener) == [OSCMessage("/binaural/layer/1/beat", [.float(10)])])
        listener.take(#"{"COMMAND":"LISTEN","DATA":"/binaural/layer/1/beat"}"#)
        #expect(sent(&listener).isEmpty)
        server.send("layer/1/beat", .float(5))
        server.send("layer/1/gain", .float(-30))
        #expect(sent(&listener) == [OSCMessage("/binaural/layer/1/beat", [.float(5)])])
        server.send("queue/select", .int32(2))
        #expect(sent(&listener).isEmpty)
        listener.take(#"{"COMMAND":"IGNORE","DATA":"/binaural/layer/1/beat"}"#)
        #expect(listener.isEmpty)
        for text in [
            "", "{}", "[]", "no JSON", #"{"COMMAND":"LISTEN","DATA":"/binaural/play"}"#, #"{"COMMAND":"LISTEN","DATA":"/binaural/*"}"#,
            #"{"COMMAND":"LISTEN","DATA":"/"}"#, #"{"COMMAND":"PATH_CHANGED","DATA":"/binaural/layer/1/beat"}"#,
        ] {
            listener.take(text)
            #expect(listener.isEmpty, "\(text)")
        }
    }

    @Test("A slow listener gets the latest values later, each once")
    func slow() {
        var listener = QueryListener()
        for name in ["beat", "gain", "carrier"] { listener.take(#"{"COMMAND":"LISTEN","DATA":"/binaural/layer/1/\#(name)"}"#) }
        #expect(sent(&listener, room: 1).count == 1)
        for value in 1...20 {
            for (name, start) in [("beat", 20), ("gain", -60), ("carrier", 300)] {
                server.send("layer/1/\(name)", .float(Float(start + value)))
            }
        }
        #expect(sent(&listener, room: 2).count == 2)
        #expect(sent(&listener).count == 1)
        #expect(sent(&listener).isEmpty)
    }

    @Test("A tree detects whether the layers are those of an earlier one")
    func otherLayers() {
        let first = server.server.queryTree
        server.send("layer/1/beat", .float(5))
        #expect(!server.server.queryTree.hasOtherLayers(than: first))
        server.send("queue/select", .int32(2))
        #expect(server.server.queryTree.hasOtherLayers(than: first))
        #expect(QueryTree.pathChanges == ["layer", "touch/layer"].map { #"{"COMMAND":"PATH_CHANGED","DATA":"/binaural/\#($0)"}"# })
    }
}
