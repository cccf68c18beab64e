// Render thread: everything here runs inside JACK's process callback. It allocates nothing, locks nothing, waits for nothing.
import Engine
import JACK
import Synchronization

/// One cycle: gets the port buffers and renders into them. A free function, since JACK calls it.
func processCycle(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
    // SAFETY: the context given with the callback, a RenderContext that lives until the client is closed.
    guard let context = context?.assumingMemoryBound(to: RenderContext.self) else { return 0 }
    context.pointee.cyclesBegun.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if let left = context.pointee.left.buffer(frames: frames), let right = context.pointee.right.buffer(frames: frames) {
        let layers = layerOutputs(context, frames: frames)
        if let renderer = context.pointee.renderer.load(ordering: .sequentiallyConsistent) {
            recordTransport(context, renderer)
            takeMIDI(context, renderer, frames: frames)
            if context.pointee.isFreewheeling.pointee.load(ordering: .acquiring) { renderer.pointee.waitForSounds(frames: Int(frames)) }
            renderer.pointee.render(
                left: left, right: right, inputLeft: context.pointee.inputs.left.buffer(frames: frames),
                inputRight: context.pointee.inputs.right.buffer(frames: frames), frames: Int(frames),
                hostTime: context.pointee.client.cycleTime(), layers: layers)
        } else {
            left.update(repeating: 0, count: Int(frames))
            right.update(repeating: 0, count: Int(frames))
            for index in 0..<(layers == nil ? 0 : context.pointee.layerPorts.count) {
                context.pointee.layerBuffers[index].update(repeating: 0, count: Int(frames))
            }
        }
        copyOutput(context, left, right, frames: frames)
    }
    context.pointee.cyclesEnded.wrappingAdd(1, ordering: .sequentiallyConsistent)
    return 0
}

/// Copies this cycle's output for listeners. While JACK freewheels there are more frames than a listener could hear.
private func copyOutput(
    _ context: UnsafeMutablePointer<RenderContext>, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: UInt32
) {
    guard let tap = context.pointee.tap.load(ordering: .acquiring),
        !context.pointee.isFreewheeling.pointee.load(ordering: .acquiring)
    else { return }
    tap.pointee.add(left: left, right: right, count: Int(frames))
}

/// This cycle's buffers of the layers' ports; `nil` if there are no such ports.
private func layerOutputs(_ context: UnsafeMutablePointer<RenderContext>, frames: UInt32) -> LayerOutputs? {
    let count = context.pointee.layerPorts.count
    guard count > 0 else { return nil }
    for index in 0..<count {
        guard let buffer = context.pointee.layerPorts[index].buffer(frames: frames) else { return nil }
        context.pointee.layerBuffers[index] = buffer
    }
    return LayerOutputs(buffers: context.pointee.layerBuffers, layerCount: count / 2)
}

/// Publishes the state of JACK's transport in this cycle, before the cycle is rendered.
private func recordTransport(_ context: UnsafeMutablePointer<RenderContext>, _ renderer: UnsafeMutablePointer<RenderHandle>) {
    let transport = context.pointee.client.transport()
    let sighting = TransportSighting(
        transport.state, frame: Int64(transport.frame), engineFrame: renderer.pointee.nextFrame, renderer: UInt(bitPattern: renderer),
        tempo: transport.tempo, wholeNotes: transport.wholeNotes)
    withUnsafePointer(to: sighting) { context.pointee.sighting.publish($0) }
}

/// Passes on this cycle's MIDI events: notes to the engine, all events to control.
private func takeMIDI(
    _ context: UnsafeMutablePointer<RenderContext>, _ renderer: UnsafeMutablePointer<RenderHandle>, frames: UInt32
) {
    let events = context.pointee.midiInput.events(frames: frames)
    let first = renderer.pointee.nextFrame
    for index in 0..<events.count {
        guard let event = events.event(index),
            let arrival = MIDIArrival(event.bytes, engineFrame: first + Int64(event.frame), renderer: UInt(bitPattern: renderer))
        else { continue }
        if event.bytes.count == 2 || event.bytes.count == 3 {
            renderer.pointee.play(
                event.bytes[0], event.bytes[1], event.bytes.count > 2 ? event.bytes[2] : 0, atFrame: arrival.engineFrame)
        }
        if context.pointee.arrivals.push(arrival) != nil { context.pointee.lostArrivals.wrappingAdd(1, ordering: .relaxed) }
    }
}
