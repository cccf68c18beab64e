import Foundation
import OperatingSystem
import Playback
import Terminal
import WebPanel

/// The links that pair other devices with the panel: printed with a QR code at the start, and again when this machine's addresses change.
@MainActor final class PanelLinks: FrontEnd {
    private let find: () -> [String]
    private let access: AccessFile
    private let terminal: TerminalView
    private var urls: [String] = []
    private let time: any InstanceClock
    private var lastLook: Double

    /// Seconds between checks whether an address was added or removed.
    private static let interval = 5.0

    /// - Parameter urls: Finds the URLs of the panel for other devices.
    init(_ urls: @escaping () -> [String], _ access: AccessFile, on terminal: TerminalView, time: any InstanceClock) {
        (find, self.access, self.terminal, self.time) = (urls, access, terminal, time)
        lastLook = time.seconds
        show(find())
    }

    private func show(_ found: [String]) {
        let old = urls.first
        urls = found
        do throws(FileError) {
            try access.setURLs(found)
            guard let url = found.first, url != old else { return }
            let link = "\(url)#\(try access.addToken(for: .control, at: time.wallTime.secondsSince1970))"
            terminal.print("Panel for another device, within 5 minutes: \(link)")
            if old == nil { terminal.print("For more devices, or for a QR code, run 'binaural web pair'.") }
            terminal.print(qrCodeOf: link)
        } catch {
            terminal.print("No device can be paired: \(error)")
        }
    }

    func changed(_ snapshot: () -> Snapshot) {}
    func notice(_ notice: Notice) {}

    func tick(_ snapshot: () -> Snapshot) {
        let now = time.seconds
        guard now - lastLook >= Self.interval else { return }
        lastLook = now
        let found = find()
        if found != urls { show(found) }
    }

    func close() {}
}
