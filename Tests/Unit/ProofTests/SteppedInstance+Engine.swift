import Foundation
import InstanceSupport
import Library
import PatchFiles
import Patches
import Testing

@testable import Engine
@testable import Performance
@testable import Playback

extension SteppedInstance {
    /// Plays these items, each of which is a patch of the library. It starts paused.
    convenience init(_ items: [QueueItem], kernel: Kernel = .baseline) throws {
        let patches = items.compactMap { item in item.patch.map { (item.reference, $0) } }
        try self.init(items.map(\.reference), patches: Dictionary(patches) { first, _ in first }, kernel: kernel)
    }

    /// The mistakes in patches and sessions that were saved.
    func faultsInFiles() -> [String] {
        func files(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".yaml") }.map {
                folder + "/" + $0
            }
        }
        func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
        var faults: [String] = []
        for file in files(home.places.dataHome + "/patches") {
            do { _ = try Patch.parse(try text(file), file: file) } catch { faults.append("\(error)") }
        }
        for file in files(home.places.stateHome + "/sessions") {
            do { _ = try Session.parse(try text(file), file: file) } catch { faults.append("\(error)") }
        }
        return faults
    }

    /// Whether the engine plays an item of which the instance has not heard yet.
    var isBeginningAnItem: Bool { player.hasAudio && player.playback == .playing && performance.position == nil }

    /// Compares the values that the engine renders with the player's, once the engine has carried out its requests. Ramps that are still
    /// under way are left out, since the player does not know their values.
    func compareEngine(_ place: String) throws {
        let (state, moment) = (player, snapshot.moment)
        let engine = try #require(performance.engine)
        func isMoving(_ fader: Fader) -> Bool { state.ramps.rest(of: fader, at: moment, sampleRate: state.sampleRate) != nil }
        let isFading = state.fade != nil || state.sleep != nil
        if !isFading, !isMoving(.masterGain) {
            #expect(abs(engine.master.track.timeline.end - state.masterTarget) < 1e-6, "\(place): master")
        }
        guard state.playback == .playing, let plan = engine.live.map({ Plan($0.plan.latest) }), let position = engine.status.position else {
            return
        }
        let frame = position.number + moment.frame - performance.now.frame
        for (index, layer) in (state.patch?.layers ?? []).enumerated() {
            // A layer that follows the tempo is shifted until it meets the bars.
            for description in layer.parameters
            where !isMoving(.parameter(description.parameter, layer: index)) && layer.notes[description.parameter] == nil {
                let expected = try #require(state.value(of: description.parameter, layer: index, at: moment))
                let made = try #require(plan.value(of: description.parameter, layer: index, at: frame))
                // A change without a ramp takes a moment, too, and begins a little later, after late polls by the lead of the engine.
                let soon = frame + Int64(engine.sampleRate) + Int64(Double(engine.lead) * max(1, state.rate))
                if let timeline = plan.layers[index].tracks[description.parameter]?.timeline,
                    frame < timeline.movement(at: soon).end || timeline.movement(at: soon).start > frame
                {
                    continue
                }
                #expect(
                    abs(expected - made) < 1e-3 * max(1, abs(expected)),
                    "\(place): \(description.parameter) of layer \(index + 1): \(made), not \(expected)")
            }
        }
    }
}
