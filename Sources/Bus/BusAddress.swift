/// The address of a message bus.
package enum BusAddress: Hashable, Sendable {
    /// The bus of this user's session: `DBUS_SESSION_BUS_ADDRESS`, or `bus` in `XDG_RUNTIME_DIR`. sd_bus_open_user
    case session
    /// The bus of the machine: `DBUS_SYSTEM_BUS_ADDRESS`, or its usual place. sd_bus_open_system
    case system
    /// An address as in the D-Bus specification, such as `unix:path=/run/user/1000/bus`.
    case at(String)
}
