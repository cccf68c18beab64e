import Patches

extension CourseChange.Refusal {
    func result(by responder: some Responder, _ state: PlayerState) -> CommandResult {
        switch self {
        case .noPatch: responder.failure(.noSuchContent, CommandAvailability(state: state).reasonAgainstPlaying)
        case .noSuchPlace(let count):
            responder.failure(.noSuchContent, "There is no such place: the item has \(count) chapters and cues.")
        case .outOfOrder:
            responder.failure(
                .badArguments, "A chapter or cue begins between those before and after it, and before the end of the patch.")
        case .badDuration:
            responder.failure(
                .badArguments, "Moves take \(CourseQuantity.overRange.lowerBound) to \(Int(CourseQuantity.overRange.upperBound)) s.")
        case .noSuchLayer(let count): responder.failure(.noSuchContent, "There is no such layer: the current item has \(count).")
        case .noSuchParameter(let parameter, let kind):
            responder.failure(.notSupported, "\(kind.withArticle) layer has no \(parameter.rawValue).")
        case .notFinite(let parameter): responder.failure(.badArguments, "\(parameter.rawValue) needs a finite number.")
        case .locked(let parameter, let lock): responder.failure(.busy, "\(parameter.rawValue) \(lock.words)")
        case .notSetThere(let parameter):
            responder.failure(
                .noSuchContent, "That place does not set \(parameter.rawValue) of this layer: choose one that does, or place 0, the start.")
        case .full:
            responder.failure(
                .queueFull, "A session holds at most \(QueueItem.editLimit) edits: send course/reset or remove an item first.")
        }
    }
}
