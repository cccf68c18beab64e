import ArgumentParser
import RemoteClient

/// The options of `play` for a machine on which an instance is running already.
struct HandOverOptions: ParsableArguments {
    @Flag(help: "If an instance is running, add to the end of its queue instead of playing at once.")
    var add = false

    @Flag(help: "If an instance is running, add behind the item that it is playing.")
    var next = false

    @Flag(help: "Start another instance beside the running one, with a port and a session of its own.")
    var new = false

    func validate() throws {
        let given = [add ? "--add" : nil, next ? "--next" : nil, new ? "--new" : nil].compactMap(\.self)
        guard given.count < 2 else {
            throw ValidationError("\(given[0]) and \(given[1]) contradict each other: use only one of them.")
        }
    }

    var place: HandOver.Place { add ? .last : next ? .next : .now }
}
