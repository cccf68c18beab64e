/// A method that another program calls on an object of this one. It is answered once; a call that is dropped without an answer is answered
/// with an error.
package final class BusCall {
    package let path: String
    /// Empty if the caller named none.
    package let interface: String
    package let member: String
    /// The unique name of the caller, such as `:1.7`.
    package let sender: String
    private let message: BusMessage
    private weak var link: BusLink?
    private var isAnswered: Bool

    init(_ message: BusMessage, on link: BusLink) {
        (path, interface, member, sender) = (message.path, message.interface, message.member, message.sender)
        self.message = message
        self.link = link
        isAnswered = !message.expectsReply
    }

    deinit { if !isAnswered { fail(.failed("not answered")) } }

    /// The arguments; throws if there are too many.
    package func arguments() throws(BusError) -> [BusValue] { try message.arguments() }

    /// Answers the call; values that cannot be sent become an error.
    package func reply(_ values: [BusValue] = []) {
        do throws(BusError) { answer(try message.reply(values)) } catch { fail(error) }
    }

    package func fail(_ error: BusError) {
        if let reply = try? message.errorReply(error) { answer(reply) }
    }

    private func answer(_ reply: BusMessage) {
        guard !isAnswered else { return }
        isAnswered = true
        link?.send(reply)
    }
}
