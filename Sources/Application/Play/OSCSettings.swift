import Foundation
import OSC
import OSCRemote
import Playback

/// The validated configuration of the remote control.
package struct OSCSettings {
    private let port: UInt16
    /// Whether the port was given on the command line.
    private let isPortNamed: Bool
    private let addresses: [IPAddress]
    private let paths: [String]
    /// The preference that the addresses and paths are from; `nil` if they were given on the command line.
    private let listenPreference: String?
    private let localRole: Role
    private let honoursTimeTags: Bool
    private let allowed: [AccessRule]
    private let feedback: [FeedbackPeer]
    private let version: String
    /// Sentences about preferences that are ignored.
    let notices: [String]

    /// - Throws: `ApplicationError` for an invalid option.
    init(_ options: PlayConfiguration.OSCOptions, _ preferences: PreferenceValues) throws {
        port = options.port ?? UInt16(clamping: preferences.oscPort)
        isPortNamed = options.port != nil
        localRole = options.localRole
        honoursTimeTags = options.honoursTimeTags
        version = options.version
        let kept = preferences.oscListen.texts
        let listen = options.listen.isEmpty ? kept : options.listen
        listenPreference = options.listen.isEmpty ? (kept.isEmpty ? "oscAddress" : "oscListen") : nil
        let (unix, numeric) = (listen.filter { $0.hasPrefix("unix:") }, listen.filter { !$0.hasPrefix("unix:") })
        paths = try unix.map { text in
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw ApplicationError(.usage, "--osc-listen unix:PATH takes the path of a socket, not '\(text)'.") }
            return path
        }
        let asked = listen.isEmpty ? [preferences.oscAddress] : numeric
        addresses = try asked.map { text in
            guard let address = IPAddress(text) else {
                throw ApplicationError(
                    .usage, "--osc-listen takes a numeric address such as 0.0.0.0 or 192.168.1.5, or unix:PATH, not '\(text)'.")
            }
            return address
        }
        var notices: [String] = []
        allowed = try Self.read(options.allow, or: preferences.oscAllow.texts, "oscAllow", &notices) {
            name, text throws(ApplicationError) in
            guard let rule = AccessRule(text) else {
                throw ApplicationError(
                    .usage, "\(name ?? "--osc-allow") takes CIDR=view|control|admin, such as 192.168.1.0/24=control, not '\(text)'.")
            }
            return rule
        }
        feedback = try Self.read(
            options.feedback, or: preferences.oscFeedback.texts, "oscFeedback", &notices, Self.feedbackPeer)
        self.notices = notices
    }

    /// - Parameter name: the preference, if it is not the option.
    private static func feedbackPeer(_ name: String?, _ text: String) throws(ApplicationError) -> FeedbackPeer {
        guard let peer = FeedbackPeer(text) else {
            let reason = FeedbackPeer.unknownTopic(in: text) ?? "HOST is a numeric address or localhost: other names are not looked up."
            throw ApplicationError(
                .usage,
                "\(name ?? "--osc-feedback") takes HOST:PORT=TOPICS, such as 192.168.1.20:9000=now,layers, not '\(text)'. \(reason)")
        }
        return peer
    }

    /// Error sentences for topics and roles that the preferences reader does not validate.
    package static func faults(in preferences: PreferenceValues) -> [String] {
        var faults: [String] = []
        _ = try? read([], or: preferences.oscFeedback.texts, "oscFeedback", &faults, feedbackPeer)
        return faults
    }

    /// The values of an option, or of the preference if the option is not given. `none` alone means no values.
    ///
    /// - Throws: the fault of an option; a faulty preference is reported and ignored, since the program has to start without its user.
    private static func read<Value>(
        _ given: [String], or kept: [String], _ preference: String, _ notices: inout [String],
        _ value: (_ name: String?, _ text: String) throws(ApplicationError) -> Value
    ) throws(ApplicationError) -> [Value] {
        if given == ["none"] { return [] }
        var values: [Value] = []
        for text in given.isEmpty ? kept : given {
            do throws(ApplicationError) {
                values.append(try value(given.isEmpty ? preference : nil, text))
            } catch {
                guard given.isEmpty else { throw error }
                notices.append("'\(text)' of the preference \(preference) is ignored. \(error)")
            }
        }
        return values
    }

    /// - Parameter mayChoosePort: Whether another port will do if the one in the preferences is in use: a session manager starts several
    ///   programs alike, and so does `--new`.
    /// - Returns: the sockets, and a notice about their port, if any.
    /// - Throws: `ApplicationError` naming the process that holds the port.
    func bind(mayChoosePort: Bool) throws(ApplicationError) -> (sockets: OSCServerSockets, notice: String?) {
        do throws(SocketError) {
            return try bind(to: port)
        } catch {
            guard mayChoosePort, !isPortNamed, case .portInUse(_, let owner) = error else {
                let remedy = error.isAboutPort && !isPortNamed ? " --new starts a second instance with a port of its own." : ""
                throw ApplicationError(.unavailable, "\(error)\(remedy)")
            }
            let bound: (sockets: OSCServerSockets, notice: String?)
            do throws(SocketError) { bound = try bind(to: 0) } catch {
                guard error.isAboutPort else { throw ApplicationError(.unavailable, "\(error)") }
                throw ApplicationError(
                    .unavailable, "No UDP port is free for another instance: end a program that holds some, or choose one with --osc-port.")
            }
            let name = owner.map { "\($0.name) (process \($0.pid))" } ?? "another program"
            let notice = "UDP port \(port) is in use by \(name): listening for OSC on port \(bound.sockets.endpoint.port)."
            return (bound.sockets, [notice, bound.notice].compactMap { $0 }.joined(separator: " "))
        }
    }

    /// The error for a session that another process has, if the port is taken as well: one remedy for both.
    func refusal(ofSession file: String, usedBy pid: Int32?) -> ApplicationError? {
        do throws(SocketError) {
            _ = try OSCServerSockets(port: port, listeningOn: addresses)
            return nil
        } catch {
            guard error.isAboutPort else { return nil }
            return ApplicationError(
                .sessionInUse,
                "The session \(file) is in use by " + (pid.map { "process \($0)" } ?? "another process")
                    + ", and so is UDP port \(port). Stop that process, or start a second instance with a session and a port of its own: --new."
            )
        }
    }

    /// An address or path in the preferences that cannot be used is reported and left out, since the program has to start without its user.
    private func bind(to port: UInt16) throws(SocketError) -> (sockets: OSCServerSockets, notice: String?) {
        do throws(SocketError) {
            return (try OSCServerSockets(port: port, listeningOn: addresses, unix: paths), nil)
        } catch {
            guard let listenPreference, !error.isAboutPort else { throw error }
            let sockets = try OSCServerSockets(port: port)
            return (sockets, "The preference \(listenPreference) is ignored, and only this machine can connect. \(error)")
        }
    }

    func configuration(client: String, port: UInt16) -> OSCServerConfiguration {
        let identity = InstanceIdentity(
            name: client, version: version, port: port, bootID: Int64.random(in: 1...Int64.max))
        var configuration = OSCServerConfiguration(identity: identity)
        configuration.allowed = allowed
        configuration.localRole = localRole
        configuration.honoursTimeTags = honoursTimeTags
        configuration.feedback = feedback
        return configuration
    }
}

extension SocketError {
    /// Whether another port could be opened.
    fileprivate var isAboutPort: Bool { if case .portInUse = self { true } else { false } }
}
