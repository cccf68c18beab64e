import OSC
import Playback

extension Row {
    /// What takes effect together, and when.
    static let timing: [Row] = [
        Row("bundles", out: "iii", "Bundles that wait for their time, that came too late for their frame, that were refused.") { reading in
            [.count(reading.bundles.waiting), .count(reading.bundles.late), .count(reading.bundles.refused)]
        },
        Row(
            "ramp/id", in: [Input("id", .integer(Input.anyInteger))],
            "In a bundle: tells ramp/finished with the id after its last ramp; where it begins none, at once.",
            role: .view,
            action: .conversation { (server, _, _) throws(Refusal) in try server.refuseRampIDOutsideOfBundles() }),
    ]
}
