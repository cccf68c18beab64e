// JACK's threads: every function here is called by the library. They are free functions in a file of their own, since a closure made in a
// program's main would inherit the main actor and trap on JACK's thread.
import CJACK
import Synchronization

// SAFETY (all except the counter of missed cycles): `context` is the NoticeBox that the client keeps alive until jack_client_close has returned.
private func receiver(_ context: UnsafeMutableRawPointer?) -> NoticeReceiver? {
    context.map { Unmanaged<NoticeBox>.fromOpaque($0).takeUnretainedValue().receive }
}

/// Called once on the render thread, before its first cycle.
func threadBegins(_ context: UnsafeMutableRawPointer?) {
    binaural_flush_denormals()
}

func serverShutsDown(_ status: jack_status_t, _ reason: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let box = Unmanaged<NoticeBox>.fromOpaque(context).takeUnretainedValue()
    box.lastThread.store(binaural_thread_number(), ordering: .relaxed)
    receiver(context)?(.shutdown(reason: reason.map { String(cString: $0) } ?? ""))
}

/// Called on the render thread just before a cycle by PipeWire's library, and on the notification thread by jackd's. Of JACK's other
/// callbacks, PipeWire calls only the process and thread-init callbacks on the render thread.
func cycleWasMissed(_ context: UnsafeMutableRawPointer?) -> Int32 {
    // SAFETY: the counter of the NoticeBox that the client keeps alive until jack_client_close has returned.
    context?.assumingMemoryBound(to: Atomic<Int>.self).pointee.wrappingAdd(1, ordering: .relaxed)
    return 0
}

/// Reports the latency: input and output are processed in the cycle in which they arrive or are rendered, so only filters add some, see
/// ``ActiveClient/setDelay(_:)``. Unconnected ports are left out.
func latencyIsAsked(_ mode: jack_latency_callback_mode_t, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let box = Unmanaged<NoticeBox>.fromOpaque(context).takeUnretainedValue()
    let outputs = box.outputs.withLock { $0.map(\.pointer) }
    let inputs = box.inputs.withLock { $0.map(\.pointer) }
    let (before, after) = mode == JackCaptureLatency ? (inputs, outputs) : (outputs, inputs)
    var latency = jack_latency_range_t(min: 0, max: 0)
    for (index, port) in before.lazy.filter({ jack_port_connected($0) > 0 }).enumerated() {
        var range = jack_latency_range_t(min: 0, max: 0)
        jack_port_get_latency_range(port, mode, &range)
        latency = jack_latency_range_t(min: index == 0 ? range.min : min(latency.min, range.min), max: max(latency.max, range.max))
    }
    let delay = box.delay.withLock(\.self)
    latency.min = UInt32(min(UInt64(latency.min) + UInt64(delay.lowerBound), UInt64(UInt32.max)))
    latency.max = UInt32(min(UInt64(latency.max) + UInt64(delay.upperBound), UInt64(UInt32.max)))
    for port in after { jack_port_set_latency_range(port, mode, &latency) }
}

func bufferSizeChanges(_ frames: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
    receiver(context)?(.bufferSize(frames))
    return 0
}

func sampleRateChanges(_ rate: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
    receiver(context)?(.sampleRate(rate))
    return 0
}

func freewheelChanges(_ isStarting: Int32, _ context: UnsafeMutableRawPointer?) {
    receiver(context)?(.freewheel(isStarting != 0))
}

func portsAreConnected(_ source: jack_port_id_t, _ destination: jack_port_id_t, _ isConnected: Int32, _ context: UnsafeMutableRawPointer?) {
    receiver(context)?(.connections)
}

func portIsRegistered(_ port: jack_port_id_t, _ isRegistered: Int32, _ context: UnsafeMutableRawPointer?) {
    receiver(context)?(.ports)
}
