import Foundation
import RemoteClient

/// Ends a command that sent a message to a running instance.
enum ConversationEnd {
    /// Throws unless the message was accepted.
    ///
    /// - Parameters:
    ///   - wait: How long the answer was waited for, in seconds.
    ///   - text: The words for a refusal.
    static func conclude(
        _ outcome: Conversation.Outcome, _ instance: RunningInstance, wait: Double, text: (Conversation.Refusal) -> String = \.text
    ) throws {
        switch outcome {
        case .done: break
        case .refused(let refusals):
            let sentences = refusals.map(text)
            for sentence in sentences.dropLast() { ErrorReport.write(sentence) }
            throw ProgramError(.refused, sentences.last ?? "")
        case .silence:
            throw ProgramError(
                .unavailable, "No answer from \(instance.address) within \(wait.formatted()) s (address from \(instance.source)).")
        case .nobodyThere:
            throw ProgramError(
                .unavailable,
                "Nothing is listening at \(instance.address) (address from \(instance.source)). Start an instance with 'binaural play'.")
        }
    }
}
