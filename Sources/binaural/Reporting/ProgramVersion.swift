/// The version that `--version` and the OSC address `info` report.
enum ProgramVersion {
    static let text = "0.1.0"
}
