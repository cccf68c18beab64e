import Bus
import Dispatch
import TestSupport

/// A daemon with Avahi's D-Bus interface that announces nothing, on a bus of the test.
///
// SAFETY: everything but the watched states is used on its queue only.
final class FakeAvahi: @unchecked Sendable {
    /// A service as the daemon was asked to publish it.
    struct Entry: Hashable, Sendable {
        var interface: Int
        var family: Int
        var name: String
        var type: String
        var port: Int
        var text: [String]
    }

    /// The services that are published now, by the paths of their groups.
    let published = WatchedState<[String: [Entry]]>([:])
    /// How often a group was emptied: each attempt to publish begins with that.
    let resetCount = WatchedState(0)
    private let queue = DispatchQueue(label: "test.avahi")
    private let bus: Bus
    private var added: [String: [Entry]] = [:]
    private var groupCount = 0
    private var state: Int32
    private var rules: Rules

    struct Rules: Sendable {
        /// Names in use on this machine, which are refused at once.
        var namesHere: Set<String> = []
        /// Names in use elsewhere, which are found out later.
        var namesElsewhere: Set<String> = []
        /// Whether a name is in use on this machine, whatever ``namesHere`` says.
        var collides: @Sendable (String) -> Bool = { _ in false }
        var refusesAll = false
        /// Services, and requests for the state, that are refused before others are taken.
        var refusals = 0
        var refusedStates = 0
        /// The services that a search finds: the answers of `ResolveService`.
        var others: [[BusValue]] = []
        /// Whether a search ever ends by itself.
        var endsSearches = true
    }

    /// - Parameter state: 1 while the machine's name is being registered, 2 when services are taken.
    init(on address: BusAddress, state: Int32 = 2, _ rules: Rules = Rules()) async {
        (self.state, self.rules) = (state, rules)
        bus = Bus(address, on: queue)
        let owned = WatchedState<[String?]>([])
        queue.sync {
            bus.serve("/") { [weak self] in self?.answer($0) }
            bus.serve("/Client", includingChildren: true) { [weak self] in self?.answer($0) }
            bus.own(firstOf: ["org.freedesktop.Avahi"]) { name in owned.update { $0.append(name) } }
            bus.start()
        }
        _ = await owned.wait { $0.contains("org.freedesktop.Avahi") ? true : nil }
    }

    /// Ends as if the daemon were stopped.
    func end() { queue.sync { bus.close() } }

    func change(to state: Int32) {
        queue.sync {
            self.state = state
            bus.emit(BusSignal("/", "org.freedesktop.Avahi.Server", "StateChanged", [.int32(state), .string("")]))
        }
    }

    /// Another machine takes the name of all groups.
    func collide() {
        queue.sync { for path in published.value.keys { report(3, path) } }
    }

    private func report(_ state: Int32, _ path: String) {
        if state != 2 { published.update { $0[path] = nil } }
        bus.emit(BusSignal(path, "org.freedesktop.Avahi.EntryGroup", "StateChanged", [.int32(state), .string("")]))
    }

    private func answer(_ call: BusCall) {
        let values = (try? call.arguments()) ?? []
        switch call.member {
        case "GetState":
            guard rules.refusedStates == 0 else {
                rules.refusedStates -= 1
                return call.fail(BusError(name: "org.freedesktop.Avahi.NotPermittedError", message: "Not now"))
            }
            call.reply([.int32(state)])
        case "EntryGroupNew":
            groupCount += 1
            call.reply([.path("/Client/EntryGroup\(groupCount)")])
        case "Reset", "Free":
            let path = call.path
            added[path] = []
            call.reply()
            if call.member == "Reset" { resetCount.update { $0 += 1 } }
            published.update { $0[path] = nil }
        case "AddService": add(values, call)
        case "Commit":
            let (path, entries) = (call.path, added[call.path] ?? [])
            call.reply()
            report(1, path)
            guard !entries.contains(where: { rules.namesElsewhere.contains($0.name) }) else { return report(3, path) }
            published.update { $0[path] = entries }
            report(2, path)
        case "GetAlternativeServiceName": call.reply([.string("\(values[0].text ?? "") #2")])
        case "ServiceBrowserNew": browse(values, call)
        case "ResolveService":
            if let found = rules.others.first(where: { $0[2] == values[2] && $0[3] == values[3] }) {
                call.reply(found)
            } else {
                call.fail(BusError(name: "org.freedesktop.Avahi.TimeoutError", message: "Timeout reached"))
            }
        default: call.fail(BusError("UnknownMethod", "there is no \(call.member)"))
        }
    }

    private func add(_ values: [BusValue], _ call: BusCall) {
        let records = values[8].elements?.map { String(decoding: $0.elements!.map { UInt8($0.integer!) }, as: UTF8.self) } ?? []
        let entry = Entry(
            interface: values[0].integer!, family: values[1].integer!, name: values[3].text!, type: values[4].text!,
            port: values[7].integer!,
            text: records)
        if rules.refusals > 0 {
            rules.refusals -= 1
            return call.fail(BusError(name: "org.freedesktop.Avahi.NotPermittedError", message: "Not permitted"))
        }
        if rules.refusesAll { return call.fail(BusError(name: "org.freedesktop.Avahi.NotPermittedError", message: "Not permitted")) }
        if rules.namesHere.contains(entry.name) || rules.collides(entry.name) {
            return call.fail(BusError(name: "org.freedesktop.Avahi.CollisionError", message: "Local name collision"))
        }
        added[call.path, default: []].append(entry)
        call.reply()
    }

    /// The first items come before the answer that names the browser, as they may from Avahi.
    private func browse(_ values: [BusValue], _ call: BusCall) {
        let type = values[2].text ?? ""
        let path = "/Client/Browser\(objectPathElement(type))"
        for found in rules.others where found[3].text == type {
            let item: [BusValue] = [found[0], found[1], found[2], found[3], found[4], .uint32(0)]
            bus.emit(BusSignal(path, "org.freedesktop.Avahi.ServiceBrowser", "ItemNew", item))
        }
        call.reply([.path(path)])
        if rules.endsSearches { bus.emit(BusSignal(path, "org.freedesktop.Avahi.ServiceBrowser", "AllForNow")) }
    }
}
