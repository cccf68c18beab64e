import OSC
import Playback

/// The addresses of the program: its lifecycle, its log and its end.
enum ProgramRows {
    static let all: [Row] = [
        Row(
            "lifecycle", out: "s", "Each step of the lifecycle, such as willSave; a read returns the last one.", group: .session,
            isEvent: true
        ) {
            [.text($0.snapshot.lifecycle)]
        },
        Row("log", out: "s", "Each notice to the user; a read returns the last one.", group: .log, isEvent: true) {
            [.notice($0.snapshot.notice)]
        },
        Row("quit", in: [.press], "Fades out, saves and ends the program.", role: .admin, action: .commands { _ in [.application(.quit)] }),
    ]
}
