import OSC

extension RemoteServer {
    /// Carries out a request that concerns the server itself.
    func carryOut(_ exchange: Exchange, _ request: Request, from peer: Peer) throws(Refusal) {
        switch exchange {
        case .ping: answer(peer, "pong", [.int32(Int32(truncatingIfNeeded: request.integer(0) ?? 0))])
        case .sync: sync(peer, token: Int32(truncatingIfNeeded: request.integer(0) ?? 0))
        case .replies: peer.replies = Int32(request.integer(0) ?? 1)
        case .clock: answer(peer, "clock", [.timeTag(request.timeTag(0)), .timeTag(arrival), .timeTag(request.now.timeTag)])
        case .hello: greet(peer, request)
        case .subscribe: try subscribe(peer, request)
        case .unsubscribe: try unsubscribe(peer, request)
        case .describe: describe(peer, request)
        case .acceleration: feel(peer, x: request.number(0), y: request.number(1), z: request.number(2))
        case .rampID: try refuseRampIDOutsideOfBundles()
        case .list(let name, let items): answer(peer, list: name, items(request.reading))
        }
    }
}
