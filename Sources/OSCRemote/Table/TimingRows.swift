import OSC
import Playback

extension Row {
    /// What takes effect together, and when.
    static let timing: [Row] = [
        Row("bundles", out: "iii", "Bundles that wait for their time, that came too late for their frame, that were refused.") { reading in
            [.count(reading.bundles.waiting), .count(reading.bundles.late), .count(reading.bundles.refused)]
        }
    ]
}
