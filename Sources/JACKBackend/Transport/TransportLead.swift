import Engine
import Playback

/// Aligns JACK's transport with a player that leads it, to the frame.
///
/// Some cycles pass between a locate and rolling on from it; only the server knows how many. So the transport is located to where the
/// player will be by then, checked once it rolls, and located again, a few times at most. Later moves by others are not corrected.
package struct TransportLead {
    /// Cycles from the request to rolling on: what jackd takes if no client is slow.
    package private(set) var cyclesAhead: Int64 = 2
    /// Whether the transport was located and has not yet been seen rolling in line with the player.
    package private(set) var isAligning = false
    private var attempts = 0
    /// The frame before which the effect of the request cannot be seen.
    private var notBefore: EngineFrame = 0

    private static let maximumAttempts = 4
    private static let patienceInCycles: Int64 = 6

    package init() {}

    /// The request to send to the transport for the player to lead it.
    ///
    /// - Parameters:
    ///   - position: where the player is at the beginning of the next cycle, if it plays.
    ///   - status: the engine's.
    package mutating func request(_ request: TransportRequest, position: Int64?, _ status: EngineStatus?) -> TransportRequest {
        guard case .locate = request, let position, let status else { return request }
        isAligning = true
        attempts = 0
        return locate(position, status.engineFrame, status.cycleFrames)
    }

    /// The next request, if the transport rolls but is not where the player is.
    ///
    /// - Parameter position: the player's position at the sighting's frame; `nil` if that is unknown, or it does not play.
    package mutating func correction(_ sighting: TransportSighting, position: Int64?, cycleFrames: Int) -> TransportRequest? {
        guard isAligning, sighting.state == .rolling, sighting.engineFrame >= notBefore, let position, cycleFrames > 0 else { return nil }
        let behind = position - sighting.frame
        guard behind != 0, attempts < Self.maximumAttempts else {
            isAligning = false
            return nil
        }
        attempts += 1
        cyclesAhead = min(max(cyclesAhead + behind / Int64(cycleFrames), 1), 1_000)
        // A cycle has passed since the sighting, and a new one may have begun.
        return locate(position + Int64(cycleFrames), sighting.engineFrame + Int64(cycleFrames), cycleFrames)
    }

    private mutating func locate(_ position: Int64, _ engineFrame: EngineFrame, _ cycleFrames: Int) -> TransportRequest {
        notBefore = engineFrame + (cyclesAhead + Self.patienceInCycles) * Int64(cycleFrames)
        return .locate(position + cyclesAhead * Int64(cycleFrames))
    }
}
