import CJACK

/// A process callback: gets the number of frames in this cycle and the context it was set with; returns 0. `JackProcessCallback`
package typealias ProcessCallback = @convention(c) (_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32

/// A client that is open and not yet active, so that ports can be registered and callbacks set. Activating consumes it; dropping it closes
/// it.
public struct InactiveClient: ~Copyable {
    private let handle: ClientHandle

    /// Opens a client on a running server; never starts one. JACK appends a number to a name that is taken. If `serverName` is `nil`, the
    /// environment names the server. A name that is the server's is refused. jack_client_open
    public static func open(name: String, serverName: String?, receiver: @escaping NoticeReceiver) throws(JACKError) -> InactiveClient {
        guard name != serverName ?? defaultServerName() else { throw .nameOfServer(name) }
        let opened = try openUnnumbered(name, serverName, receiver)
        guard libraryIsPipeWire() else { return opened }
        // PipeWire lets several clients have one name, and then confuses their ports.
        let free = firstFreeName(like: name, ports: takeNames(jack_get_ports(opened.handle.client, nil, nil, 0)))
        guard free != name else { return opened }
        _ = consume opened
        return try openUnnumbered(free, serverName, receiver)
    }

    private static func openUnnumbered(_ name: String, _ serverName: String?, _ receiver: @escaping NoticeReceiver) throws(JACKError)
        -> InactiveClient
    {
        var status = JackStatus(0)
        guard let client = binaural_jack_client_open(name, JackNoStartServer, &status, serverName) else {
            let (server, status) = (serverName ?? defaultServerName(), OpenStatus(status))
            throw status.contains(.serverFailed)
                ? .noServer(name: server) : .cannotOpen(clientName: name, serverName: server, status: status)
        }
        let opened = InactiveClient(handle: ClientHandle(client: client, box: NoticeBox(receiver)))
        try opened.setCallbacks()
        return opened
    }

    private init(handle: ClientHandle) {
        self.handle = handle
    }

    /// The name that the client was given. jack_get_client_name
    public var name: String { handle.name }
    /// The sample rate in hertz. jack_get_sample_rate
    public var sampleRate: Double { handle.sampleRate }
    /// The buffer size in frames. jack_get_buffer_size
    public var bufferSize: Int { handle.bufferSize }

    /// Registers an audio output port. jack_port_register
    public func registerOutput(_ name: String) throws(JACKError) -> OutputPort {
        guard let port = jack_port_register(handle.client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0) else {
            throw .cannotRegisterPort(name: name)
        }
        let output = OutputPort(pointer: port)
        handle.box.outputs.withLock { $0.append(output) }
        return output
    }

    /// Registers a MIDI input port. jack_port_register
    public func registerMIDIInput(_ name: String) throws(JACKError) -> MIDIInputPort {
        guard let port = jack_port_register(handle.client, name, JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsInput.rawValue), 0) else {
            throw .cannotRegisterPort(name: name)
        }
        return MIDIInputPort(pointer: port)
    }

    /// Registers an audio input port. jack_port_register
    public func registerInput(_ name: String) throws(JACKError) -> InputPort {
        guard let port = jack_port_register(handle.client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0) else {
            throw .cannotRegisterPort(name: name)
        }
        let input = InputPort(pointer: port)
        handle.box.inputs.withLock { $0.append(input) }
        return input
    }

    /// Sets what is done in every cycle once the client is active. jack_set_process_callback
    ///
    /// - Parameter body: Called on JACK's real-time thread, which a delay of a millisecond may make late: it must not allocate, lock, wait or
    ///   call the system. Nothing else may use the values that it captures; a `Ring` of the library `RealTime` passes values in and out.
    public func onCycle(_ body: sending @escaping (borrowing Cycle) -> Void) throws(JACKError) {
        let cycleBody = CycleBody(client: handle.client, body)
        try setProcessCallback(cycleBegins, context: Unmanaged.passUnretained(cycleBody).toOpaque())
        handle.box.cycleBody = cycleBody
    }

    /// Sets the process callback; `context` has to live until the client is closed. jack_set_process_callback
    package func setProcessCallback(_ callback: @escaping ProcessCallback, context: UnsafeMutableRawPointer?) throws(JACKError) {
        try check(jack_set_process_callback(handle.client, callback, context), "process")
    }

    /// Activates the client: its process callback is called every cycle from now on. jack_activate
    public consuming func activate() throws(JACKError) -> ActiveClient {
        let code = jack_activate(handle.client)
        guard code == 0 else { throw .cannotActivate(clientName: handle.name, code: code) }
        return ActiveClient(handle: handle)
    }

    /// The handle for use inside the process callback, for `cycleTime`.
    package var reference: ClientReference { ClientReference(pointer: handle.client) }

    private func setCallbacks() throws(JACKError) {
        let (client, context) = (handle.client, Unmanaged.passUnretained(handle.box).toOpaque())
        jack_on_info_shutdown(client, serverShutsDown, context)
        try check(jack_set_thread_init_callback(client, threadBegins, context), "thread")
        try check(jack_set_latency_callback(client, latencyIsAsked, context), "latency")
        try check(jack_set_xrun_callback(client, cycleWasMissed, handle.box.missedCycles), "xrun")
        try check(jack_set_buffer_size_callback(client, bufferSizeChanges, context), "buffer size")
        try check(jack_set_sample_rate_callback(client, sampleRateChanges, context), "sample rate")
        try check(jack_set_freewheel_callback(client, freewheelChanges, context), "freewheel")
        try check(jack_set_port_registration_callback(client, portIsRegistered, context), "port registration")
        try check(jack_set_port_connect_callback(client, portsAreConnected, context), "connection")
    }

    private func check(_ code: Int32, _ name: String) throws(JACKError) {
        guard code == 0 else { throw .cannotSetCallback(name: name, code: code) }
    }
}
