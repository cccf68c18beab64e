import OSC
import Playback

/// The addresses of bundles and their timing.
enum TimingRows {
    static let all: [Row] = [
        Row(
            "bundles", out: "iii", fields: [Field("waiting"), Field("late"), Field("refused")],
            "Number of waiting, late and refused bundles."
        ) { reading in
            [.count(reading.bundles.waiting), .count(reading.bundles.late), .count(reading.bundles.refused)]
        },
        Row(
            "ramp/id", in: [Input("id", .exact(Input.anyInteger))],
            "In a bundle: sends ramp/finished once with the id, after the last ramp, or at once without one.",
            role: .view,
            action: .exchange(.rampID)),
    ]
}
