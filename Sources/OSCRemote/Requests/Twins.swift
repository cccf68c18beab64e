import Patches
import Playback

extension Row {
    /// The normalized twin of a continuous property, from 0 to 1 on a curve.
    static func twin(
        of path: String, _ curve: NormCurve, _ unit: Unit, group: Topic.Group, read: @escaping @Sendable (PlayerState) -> Double,
        _ command: @escaping @Sendable (Double) -> Command
    ) -> Row {
        Row(
            "\(path)/norm", in: [Input("norm", .number(.norm))], out: "f", curve.summary(unit: unit), group: group, isPatternTarget: true,
            read: { [.float(Float(curve.norm(of: read($0.player))))] },
            action: .commands { [command(curve.value(atNorm: $0.number(0)))] })
    }
}
