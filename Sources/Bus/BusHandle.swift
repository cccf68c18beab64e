import Csystemd
import Glibc
import OperatingSystem

/// Why a bus cannot be reached.
struct BusLinkError: Error {
    let errno: Errno

    init(_ errno: Errno) { self.errno = errno }

    /// Whether trying again is useless, since the environment names no address.
    var isFinal: Bool { errno.rawValue == ENOMEDIUM }
    var reason: String { isFinal ? "the environment names none" : errno.reason }
}

/// libsystemd's connection, closed with the last reference. Only one queue uses it.
final class BusHandle {
    let bus: OpaquePointer

    /// Begins to connect; the rest happens in `sd_bus_process`.
    init(opening address: BusAddress) throws(BusLinkError) {
        var opened: OpaquePointer?
        let result =
            switch address {
            case .session: sd_bus_open_user(&opened)
            case .system: sd_bus_open_system(&opened)
            case .at(let address): Self.open(address, &opened)
            }
        guard result >= 0, let opened else { throw BusLinkError(Errno(rawValue: -result)) }
        bus = opened
        sd_bus_set_exit_on_disconnect(bus, 0)
    }

    deinit { sd_bus_close_unref(bus) }

    private static func open(_ address: String, _ opened: inout OpaquePointer?) -> Int32 {
        var made: OpaquePointer?
        var result = sd_bus_new(&made)
        guard result >= 0, let made else { return result }
        result = sd_bus_set_address(made, address)
        if result >= 0 { result = sd_bus_set_bus_client(made, 1) }
        if result >= 0 { result = sd_bus_negotiate_fds(made, 1) }
        if result >= 0 { result = sd_bus_start(made) }
        if result >= 0 { opened = made } else { sd_bus_unref(made) }
        return result
    }
}
