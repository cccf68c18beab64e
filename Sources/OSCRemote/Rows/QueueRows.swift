import OSC
import Patches
import Playback

/// The addresses of the queue.
enum QueueRows {
    static let all: [Row] =
        Row.button("queue/next", .nextItem, .nextItem, "Goes to the next item, never to a chapter.")
        + Row.button("queue/previous", .previousItem, .previousItem, "Goes to the previous item, never to a chapter.")
        + [
            Row(
                "queue/list", in: [.press], "Answers queue/item with index, patch, title for each; then queue/end with the count.",
                role: .view,
                action: .exchange(
                    .list("queue") { reading in
                        reading.player.items.enumerated().map {
                            [.count($0 + 1), .text($1.reference), .text($1.listedTitle, limit: Text.titleLimit)]
                        }
                    })),
            Row(
                "queue/select", in: [Input("item", .index(0...1_000_000))],
                "Selects the current item, from 1; it plays if the previous one was playing.",
                action: .commands { [.selectItem(($0.integer(0) ?? 0) - 1)] }),
            .enabled("queue/select", .selectItem),
            Row(
                "queue/play", in: [Input("name", .entry)],
                "Plays an item by its number, or a patch or session by name, or by path on this machine.",
                action: .commands { request throws(Refusal) in
                    if let number = request.integer(0) { return [.playItem(number - 1)] }
                    let text = try reference(request)
                    return [text.isAbsolutePath ? .openFile(text) : .openItem(text)]
                }),
            Row(
                "queue/add",
                in: [Input("patch", .text), Input("place", .choice(AddingPlace.allCases.map(\.rawValue)), isOptional: true)],
                "Adds a patch by name, or by path on this machine (one string), last or behind the current item.",
                action: .commands { request throws(Refusal) in
                    let (text, place) = (try reference(request), AddingPlace.allCases[request.integer(1) ?? 0])
                    return [text.isAbsolutePath ? .addFile(text, place) : .addItem(text, place)]
                }),
            Row(
                "queue/remove", in: [Input("item", .index(0...1_000_000))], "Removes an item from the queue, from 1.",
                action: .commands { [.removeItem(($0.integer(0) ?? 0) - 1)] }),
            Row(
                "queue/restore", in: [.press],
                "Puts the item that was removed last back in its place, with its live edits; the last 8 are kept.",
                action: .commands { _ in [.restoreItem] }),
            Row(
                "queue/move", in: [Input("from", .index(0...1_000_000)), Input("to", .index(0...1_000_000))],
                "Moves an item to another place in the queue, from 1.",
                action: .commands { [.moveItem(from: ($0.integer(0) ?? 0) - 1, to: ($0.integer(1) ?? 0) - 1)] }),
            Row(
                "queue/relink", in: [Input("item", .index(0...1_000_000)), Input("patch", .text)],
                "Gives an item, from 1, another patch, by its name, such as a renamed one; its edits stay.",
                action: .commands { request throws(Refusal) in
                    let name = request.text(1) ?? ""
                    guard name.isPlainName else {
                        throw Refusal(.badArguments, "Send a patch's name as in 'binaural list', or a file beside the item's, not a path.")
                    }
                    return [.relinkItem((request.integer(0) ?? 0) - 1, name)]
                }),
            Row(
                "queue/reset", in: [Input("item", .index(0...1_000_000))],
                "Discards the live edits of an item, from 1, and the changes of its chapters and cues.",
                action: .commands { [.resetItem(($0.integer(0) ?? 0) - 1)] }),
        ]

    /// The name of a patch or session, or from programs on this machine the absolute path of its file.
    private static func reference(_ request: OSCRequest) throws(Refusal) -> String {
        let text = request.text(0) ?? ""
        let mayBePath = request.reading.isForThisMachine
        guard mayBePath && text.isAbsolutePath || text.isPlainName else {
            throw Refusal(
                .badArguments,
                "Send a name as in 'binaural list', \(mayBePath ? "or the absolute path of a file" : "not a path").")
        }
        return text
    }
}

extension String {
    fileprivate var isAbsolutePath: Bool { hasPrefix("/") && !contains("\0") }
}
