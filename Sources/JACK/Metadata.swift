import CJACK
import Dispatch
import Foundation

/// A property that other programs show in place of a name or beside it. jack_property_t
public struct Property: Sendable {
    public enum Subject: Sendable {
        case client
        case port(any ClientPort)
    }

    public enum Key: Sendable {
        /// A name to show to users.
        case prettyName
        /// A group name; ports of one group belong together.
        case portGroup
        /// An integer that ports are sorted by.
        case order
        /// The name of an icon in an icon theme.
        case iconName
    }

    public let subject: Subject
    public let key: Key
    public let value: String

    public init(_ subject: Subject, _ key: Key, _ value: String) {
        self.subject = subject
        self.key = key
        self.value = value
    }
}

extension ActiveClient {
    /// Sets properties, and waits for that no longer than `limit`: the library's database of them is shared by all clients of a user and
    /// may block forever, so a separate thread makes the calls. Properties that already have a value keep it, regardless of who set it; those that
    /// cannot be set are skipped. jack_set_property
    public func describe(_ properties: [Property], within limit: DispatchTimeInterval) {
        let (reference, handle) = (HandleReference(handle: Unmanaged.passRetained(handle)), handle)
        handle.description.enter()
        Thread.detachNewThread {
            reference.handle._withUnsafeGuaranteedRef { handle in
                for property in properties where !handle.descriptionIsGivenUp.load(ordering: .relaxed) { handle.setIfAbsent(property) }
            }
            let description = reference.handle._withUnsafeGuaranteedRef(\.description)
            // Released before leaving the group, so that the thread that closes the client holds the last reference.
            reference.handle.release()
            description.leave()
        }
        // The library informs the server of each property: a concurrent request of the caller would be mixed up with it.
        guard handle.description.wait(timeout: .now() + limit) == .timedOut else { return }
        handle.descriptionIsGivenUp.store(true, ordering: .relaxed)
    }
}

extension ClientHandle {
    fileprivate func setIfAbsent(_ property: Property) {
        guard let subject = uuid(of: property.subject) else { return }
        let key = property.key.uri
        var (value, type): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
        guard jack_get_property(subject, key, &value, &type) != 0 || value == nil else {
            jack_free(value)
            jack_free(type)
            return
        }
        jack_set_property(client, subject, key, property.value, property.key.type)
    }

    private func uuid(of subject: Property.Subject) -> jack_uuid_t? {
        switch subject {
        case .port(let port): return jack_port_uuid(port.pointer)
        case .client:
            guard let text = jack_get_uuid_for_client_name(client, jack_get_client_name(client)) else { return nil }
            defer { jack_free(text) }
            var uuid: jack_uuid_t = 0
            return jack_uuid_parse(text, &uuid) == 0 ? uuid : nil
        }
    }
}

extension Property.Key {
    fileprivate var uri: String {
        switch self {
        case .prettyName: "http://jackaudio.org/metadata/pretty-name"
        case .portGroup: "http://jackaudio.org/metadata/port-group"
        case .order: "http://jackaudio.org/metadata/order"
        case .iconName: "http://jackaudio.org/metadata/icon-name"
        }
    }

    /// The value's type; `nil` means text.
    fileprivate var type: String? {
        switch self {
        case .order: "http://www.w3.org/2001/XMLSchema#int"
        default: nil
        }
    }
}
