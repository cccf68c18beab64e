/// The program and its run, as `info` reports them.
package struct InstanceIdentity: Sendable {
    /// The JACK client's name.
    package var name: String
    package var version: String
    package var port: UInt16
    /// A number that identifies this run of the program.
    package var bootID: Int64

    package static let apiVersion = (major: 1, minor: 0)

    package init(name: String, version: String, port: UInt16, bootID: Int64) {
        self.name = name
        self.version = version
        self.port = port
        self.bootID = bootID
    }
}
