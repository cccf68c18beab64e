import Engine
import Playback

/// Brings JACK's transport in line with a player that leads it, to the frame.
///
/// Some cycles pass between asking for a locate and rolling on from it, how many only the server knows. So the transport is asked to go
/// where the player will be by then, is looked at once it rolls, and asked again, a few times at most. What others do to it later is
/// their affair.
package struct TransportLead {
    /// Cycles from asking to rolling on: what jackd takes when no client is slow.
    package private(set) var cyclesAhead: Int64 = 2
    /// The transport has been asked and not yet been seen rolling in line.
    package private(set) var isAligning = false
    private var attempts = 0
    /// Engine frame before which what was asked cannot be seen.
    private var notBefore: Int64 = 0

    private static let maximumAttempts = 4
    private static let patienceInCycles: Int64 = 6

    package init() {}

    /// What to ask of the transport for the player to lead it.
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

    /// What to ask next, once the transport rolls and is not where the player is.
    ///
    /// - Parameter position: where the player was at the sighting's frame; `nil` while that is not known, or it does not play.
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

    private mutating func locate(_ position: Int64, _ engineFrame: Int64, _ cycleFrames: Int) -> TransportRequest {
        notBefore = engineFrame + (cyclesAhead + Self.patienceInCycles) * Int64(cycleFrames)
        return .locate(position + cyclesAhead * Int64(cycleFrames))
    }
}
