/// What `--version` and the remote control's `info` say.
enum ProgramVersion {
    static let text = "0.1.0"
}
