import OSC
import Patches
import Playback

/// The addresses of presets.
enum PresetRows {
    static let all: [Row] = [
        Row(
            "preset/list", in: [.press], "Answers preset/item with index, name, patch for each; then preset/end with the count.",
            role: .view,
            action: .exchange(
                .list("preset") { reading in
                    reading.player.presets.enumerated().map { [.count($0 + 1), .text($1.name), .text($1.reference)] }
                })),
        Row(
            "preset/save", in: [Input("name", .text)],
            "Saves the item's current parameters under a name (one string), replacing any of that name.",
            action: .commands { request throws(Refusal) in
                let name = request.text(0) ?? ""
                // Longer names would be truncated in answers.
                guard name.isPlainName, name.utf8.count <= Text.limit else {
                    throw Refusal(.badArguments, "A preset needs a name of 1 to \(Text.limit) bytes without / or control characters.")
                }
                return [.savePreset(name)]
            }),
        Row(
            "preset/load", in: [Input("preset", .entry)],
            "Moves the item to a preset's values, except what someone else is touching; one undo step.",
            action: .commands { request throws(Refusal) in [.loadPreset(try request.presetName())] }),
        Row(
            "preset/remove", in: [Input("preset", .entry)], "Removes a preset, by its name (one string) or its number in the list.",
            action: .commands { request throws(Refusal) in [.removePreset(try request.presetName())] }),
    ]
}

extension OSCRequest {
    fileprivate func presetName() throws(Refusal) -> String {
        guard let number = integer(0) else { return text(0) ?? "" }
        let presets = reading.player.presets
        guard presets.indices.contains(number - 1) else {
            throw Refusal(.noSuchContent, "There is no preset \(number): the session has \(presets.count).")
        }
        return presets[number - 1].name
    }
}
