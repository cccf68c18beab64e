// Render thread, and the worker, which starts and stops rendering.

import Engine
import Glibc
import JACK
import RealTime
import Synchronization

/// Everything that the render thread touches outside the engine. Created each time the client is opened; it lives until that client is
/// closed.
struct RenderContext: ~Copyable {
    let client: ClientReference
    let left: OutputPort
    let right: OutputPort
    /// The ports of layers, in the order left, right, left, right; empty, or as many as `layerBuffers` has places.
    let layerPorts: UnsafeMutableBufferPointer<OutputPort>
    /// The buffers of this cycle.
    let layerBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let inputs: (left: InputPort, right: InputPort)
    let midiInput: MIDIInputPort
    /// Whether cycles need not keep up with real time.
    let isFreewheeling: UnsafeMutablePointer<Atomic<Bool>>
    /// The engine to render with; `nil` means silence, since the owner has not allowed rendering (again) yet.
    let renderer = Atomic<UnsafeMutablePointer<RenderHandle>?>(nil)
    /// The numbers of cycles that entered the callback and that left it.
    let cyclesBegun = Atomic<UInt64>(0)
    let cyclesEnded = Atomic<UInt64>(0)
    /// The state of JACK's transport in the last cycle that was rendered.
    let sighting = Seqlock(TransportSighting())
    /// MIDI events on their way to control.
    var arrivals: RingProducer<MIDIArrival>
    /// The number of MIDI events dropped because the ring was full.
    let lostArrivals = Atomic<Int>(0)
    /// The tap that the outputs are copied to; `nil` while nobody listens.
    let tap = Atomic<UnsafeMutablePointer<TapInput>?>(nil)

    init(
        client: ClientReference, left: OutputPort, right: OutputPort, layers: [OutputPort], inputs: (left: InputPort, right: InputPort),
        midiInput: MIDIInputPort,
        isFreewheeling: UnsafeMutablePointer<Atomic<Bool>>, arrivals: consuming RingProducer<MIDIArrival>
    ) {
        let ports = UnsafeMutableBufferPointer<OutputPort>.allocate(capacity: layers.count)
        _ = ports.initialize(fromContentsOf: layers)
        layerPorts = ports
        layerBuffers = .allocate(capacity: layers.count)
        self.client = client
        self.left = left
        self.right = right
        self.inputs = inputs
        self.midiInput = midiInput
        self.isFreewheeling = isFreewheeling
        self.arrivals = arrivals
    }
}

/// Owns the context and the handles it was given, which have to stay as long as a callback may read them.
///
// SAFETY: the context's fields are atomic, constant or the callback's own; the others are touched only under the backend's lock;
// `freeIfQuiet` is called once, when the client is closed and no callback can come any more.
final class RenderContextOwner: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<RenderContext>
    private var handles: [UnsafeMutablePointer<RenderHandle>] = []
    /// Engines that a callback may still be rendering with.
    private var engines: [EngineHold] = []
    private var arrivals: RingConsumer<MIDIArrival>
    /// The tap of the present sample rate, and those before, which a callback may still be filling.
    private var taps: [OutputTap] = []
    private let freewheel: FreewheelFlag

    /// Enough for a tenth of a second of the densest MIDI traffic, with some reserve.
    private static let arrivalCapacity = 4096

    init(
        client: ClientReference, left: OutputPort, right: OutputPort, layers: [OutputPort], inputs: (left: InputPort, right: InputPort),
        midiInput: MIDIInputPort,
        freewheel: FreewheelFlag
    ) {
        self.freewheel = freewheel
        let ring = Ring<MIDIArrival>(capacity: Self.arrivalCapacity)
        pointer = .allocate(capacity: 1)
        pointer.initialize(
            to: RenderContext(
                client: client, left: left, right: right, layers: layers, inputs: inputs, midiInput: midiInput,
                isFreewheeling: freewheel.pointer,
                arrivals: ring.producer))
        arrivals = ring.consumer
    }

    /// Renders with `engine` from the next cycle on.
    func open(with engine: EngineHold) {
        let stored = UnsafeMutablePointer<RenderHandle>.allocate(capacity: 1)
        stored.initialize(to: engine.handle)
        handles.append(stored)
        engines.append(engine)
        pointer.pointee.renderer.store(stored, ordering: .sequentiallyConsistent)
    }

    /// Outputs silence from the next cycle on.
    func shut() {
        pointer.pointee.renderer.store(nil, ordering: .sequentiallyConsistent)
    }

    /// Whether, after `shut`, no callback can be rendering any more. A cycle that still saw the handle had been counted before.
    func isQuiet(since begun: UInt64) -> Bool {
        pointer.pointee.cyclesEnded.load(ordering: .sequentiallyConsistent) >= begun
    }

    var cyclesBegun: UInt64 {
        pointer.pointee.cyclesBegun.load(ordering: .sequentiallyConsistent)
    }

    /// Waits for a new cycle, or until there is no use in that.
    ///
    /// - Returns: False if none begins within `limit`.
    func begins(within limit: Duration, unless isOver: () -> Bool) -> Bool {
        let (begun, end) = (cyclesBegun, ContinuousClock.now + limit)
        while cyclesBegun == begun, !isOver() {
            guard ContinuousClock.now < end else { return false }
            usleep(1000)
        }
        return true
    }

    /// The transport's state; `nil` before the first cycle with the present handle.
    var sighting: TransportSighting? {
        guard let handle = handles.last else { return nil }
        let sighting = pointer.pointee.sighting.read()
        return sighting.renderer == UInt(bitPattern: handle) ? sighting : nil
    }

    /// Removes and returns the MIDI events that arrived while the present handle rendered, in order, and the number that was dropped.
    func takeMIDI() -> (arrivals: [MIDIArrival], lost: Int) {
        let renderer = handles.last.map { UInt(bitPattern: $0) }
        var taken: [MIDIArrival] = []
        while let arrival = arrivals.pop() {
            if arrival.renderer == renderer { taken.append(arrival) }
        }
        return (taken, pointer.pointee.lostArrivals.exchange(0, ordering: .relaxed))
    }

    /// Copies the outputs from the next cycle on.
    func openTap(sampleRate: Int) -> OutputTap {
        if taps.last?.sampleRate != sampleRate { taps.append(OutputTap(sampleRate: sampleRate)) }
        let tap = taps[taps.count - 1]
        pointer.pointee.tap.store(tap.input, ordering: .releasing)
        return tap
    }

    /// The tap that was opened last.
    var openedTap: OutputTap? { taps.last }

    func closeTap() { pointer.pointee.tap.store(nil, ordering: .releasing) }

    /// Releases the engines, after `shut` and once no callback renders with them any more.
    func takeEngines() -> [EngineHold] {
        defer { engines = [] }
        return engines
    }

    /// Frees the context once the client is closed and no callback can begin. If a callback has begun and not ended, it was either
    /// cancelled or still runs, which cannot be determined, so everything that it touches is leaked.
    func freeIfQuiet() {
        guard isQuiet(since: cyclesBegun) else {
            _ = Unmanaged.passRetained(self)
            return
        }
        pointer.pointee.sighting.destroy()
        pointer.pointee.layerPorts.deallocate()
        pointer.pointee.layerBuffers.deallocate()
        pointer.deinitialize(count: 1)
        pointer.deallocate()
        for handle in handles {
            handle.deinitialize(count: 1)
            handle.deallocate()
        }
        engines = []
    }
}
