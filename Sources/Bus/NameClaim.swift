/// The claim for the first free name of several.
final class NameClaim {
    /// The name that is owned.
    private(set) var name: String?
    private let names: [String]
    private let owned: (String?) -> Void

    typealias Caller = (BusMethod, @escaping (Result<[BusValue], BusError>) -> Void) -> Void

    init(_ names: [String], _ owned: @escaping (String?) -> Void) { (self.names, self.owned) = (names, owned) }

    /// The names went with the connection.
    func forget() { name = nil }

    func begin(_ call: @escaping Caller) {
        name = nil
        claim(names[...], call)
    }

    private func claim(_ names: ArraySlice<String>, _ call: @escaping Caller) {
        guard let name = names.first else { return owned(nil) }
        // Does not wait for the name and does not give it away. D-Bus specification, RequestName
        let doNotQueue: UInt32 = 4
        call(.ofDaemon("RequestName", [.string(name), .uint32(doNotQueue)])) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(let values) where values == [.uint32(1)] || values == [.uint32(4)]:
                self.name = name
                owned(name)
            case .failure(.disconnected): break
            default: claim(names.dropFirst(), call)
            }
        }
    }
}
