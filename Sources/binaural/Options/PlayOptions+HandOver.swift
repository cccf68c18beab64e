import Foundation
import RemoteClient

/// The options as they apply beside a running instance.
extension PlayOptions {
    /// The JACK client of the instance that it would hand over to; `nil` if it always starts an instance of its own.
    ///
    /// A service or session manager started this process to play itself.
    func clientToHandOver(environment: [String: String]) -> String? {
        guard !handingOver.new, session == nil, server == nil, oscPort?.number != 0, environment["NOTIFY_SOCKET"] == nil else { return nil }
        return clientName ?? "binaural"
    }

    /// The options that take effect when an instance starts, and that were given.
    var startOptions: [String] {
        let given: [(String, Bool)] = [
            ("at", timers.at != nil), ("once", timers.once), ("paused", paused), ("connect", connect != nil),
            ("transport", transport != nil), ("ceiling", ceiling != nil), ("kernel", kernel != nil), ("outputs", outputs != nil),
            ("dialect", reading.sequences.dialect != nil), ("watch", reading.watch == true), ("no-watch", reading.watch == false),
            ("osc-listen", !oscListen.isEmpty), ("osc-local-role", oscLocalRole != nil), ("osc-timetags", oscTimetags != nil),
            ("osc-allow", !oscAllow.isEmpty), ("osc-feedback", !oscFeedback.isEmpty), ("osc-query", query.oscQuery != nil),
            ("osc-query-listen", !query.oscQueryListen.isEmpty), ("osc-query-host", !query.oscQueryHost.isEmpty),
            ("web", web.web != nil), ("web-listen", !web.webListen.isEmpty), ("web-host", !web.webHost.isEmpty),
            ("web-proxy", web.webProxy != nil), ("zeroconf", zeroconf != nil), ("mpris", mpris != nil),
        ]
        return given.filter(\.1).map { "--" + $0.0 }
    }

    /// The sleep timer that was asked for.
    var sleepTimer: HandOver.Sleep? {
        timers.sleep.map { HandOver.Sleep(seconds: $0.seconds, fade: timers.sleepFade?.seconds, easing: timers.sleepEase?.rawValue) }
    }
}
