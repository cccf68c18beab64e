// Render thread, and the worker that opens and shuts what the callback renders with.

import Engine
import JACK
import RealTime
import Synchronization

/// All that the render thread touches outside the engine. One for each time that the client is opened; it lives until that client is closed.
struct RenderContext: ~Copyable {
    let client: ClientReference
    let left: OutputPort
    let right: OutputPort
    /// Left, right, left, right; none, or as many as `layerBuffers` has places.
    let layerPorts: UnsafeMutableBufferPointer<OutputPort>
    /// This cycle's.
    let layerBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let inputs: (left: InputPort, right: InputPort)
    let midiInput: MIDIInputPort
    /// Cycles need not keep up with a clock.
    let isFreewheeling: UnsafeMutablePointer<Atomic<Bool>>
    /// What to render with; nil: silence, the owner has not allowed rendering (again) yet.
    let renderer = Atomic<UnsafeMutablePointer<RenderHandle>?>(nil)
    /// Cycles that entered the callback, and that left it.
    let cyclesBegun = Atomic<UInt64>(0)
    let cyclesEnded = Atomic<UInt64>(0)
    /// JACK's transport in the last cycle that was rendered.
    let sighting = Seqlock(TransportSighting())
    /// What has come to the MIDI port, on its way to control.
    var arrivals: RingProducer<MIDIArrival>
    /// What there was no room for.
    let lostArrivals = Atomic<Int>(0)

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

/// The context's address and the handles it was given, which have to stay as long as a callback may read them.
///
// SAFETY: the context's fields are atomic, constant or the callback's own; `handles`, `engines` and `arrivals` are touched only under the backend's lock;
// `freeIfQuiet` is called once, when the client is closed and no callback can come any more.
final class RenderContextOwner: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<RenderContext>
    private var handles: [UnsafeMutablePointer<RenderHandle>] = []
    /// Engines that a callback may still be rendering with.
    private var engines: [EngineHold] = []
    private var arrivals: RingConsumer<MIDIArrival>
    private let freewheel: FreewheelFlag

    /// A tenth of a second of the densest storm that anybody will send, and some.
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

    /// Lets the next cycle render with `engine`.
    func open(with engine: EngineHold) {
        let stored = UnsafeMutablePointer<RenderHandle>.allocate(capacity: 1)
        stored.initialize(to: engine.handle)
        handles.append(stored)
        engines.append(engine)
        pointer.pointee.renderer.store(stored, ordering: .sequentiallyConsistent)
    }

    /// Silence from the next cycle on.
    func shut() {
        pointer.pointee.renderer.store(nil, ordering: .sequentiallyConsistent)
    }

    /// After `shut`: true as soon as no callback can be rendering any more. A cycle that still saw the handle had counted itself before.
    func isQuiet(since begun: UInt64) -> Bool {
        pointer.pointee.cyclesEnded.load(ordering: .sequentiallyConsistent) >= begun
    }

    var cyclesBegun: UInt64 {
        pointer.pointee.cyclesBegun.load(ordering: .sequentiallyConsistent)
    }

    /// `nil` before the first cycle with the present handle.
    var sighting: TransportSighting? {
        guard let handle = handles.last else { return nil }
        let sighting = pointer.pointee.sighting.read()
        return sighting.renderer == UInt(bitPattern: handle) ? sighting : nil
    }

    /// What has come to the MIDI port while the present handle rendered, in order, and how many there was no room for.
    func takeMIDI() -> (arrivals: [MIDIArrival], lost: Int) {
        let renderer = handles.last.map { UInt(bitPattern: $0) }
        var taken: [MIDIArrival] = []
        while let arrival = arrivals.pop() {
            if arrival.renderer == renderer { taken.append(arrival) }
        }
        return (taken, pointer.pointee.lostArrivals.exchange(0, ordering: .relaxed))
    }

    /// After `shut`, once no callback renders any more: nobody renders with these.
    func takeEngines() -> [EngineHold] {
        defer { engines = [] }
        return engines
    }

    /// Once the client is closed, and no callback can begin. One that has begun and not ended was cancelled, or still runs in spite of that:
    /// nobody can tell, so all that it touches is left to it for ever.
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
