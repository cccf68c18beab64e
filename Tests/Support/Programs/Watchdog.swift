import Foundation
import Synchronization

/// The one watchdog of this test process.
let watchdog = Watchdog()

/// A shell outside the test process that ends every program still running when the test process is gone, however it went: the shell
/// reads the numbers of the running ones from a pipe, and kills what is left at its end.
final class Watchdog: Sendable {
    private static let script = """
        pids=" "
        while read -r change pid; do
            case $change in
                add) pids="$pids$pid " ;;
                remove) pids="${pids%% $pid *} ${pids#* $pid }" ;;
            esac
        done
        for pid in $pids; do kill -9 -- "-$pid"; done 2>/dev/null
        """

    private let input: Int32?

    init() {
        let shell = try? spawn("/bin/sh", ["-c", Watchdog.script], environment: [:], folder: nil)
        input = shell?.input
    }

    func add(_ pid: Int32) {
        if let input { writeAll("add \(pid)\n", to: input) }
    }

    func remove(_ pid: Int32) {
        if let input { writeAll("remove \(pid)\n", to: input) }
    }
}
