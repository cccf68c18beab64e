import RealTime

/// Control's end of the two rings to the render thread. Messages that the ring has no room for wait here; objects that the render thread has
/// been given are kept alive until they come back.
struct RenderLink: ~Copyable {
    private var messages: RingProducer<Message>
    private var reports: RingConsumer<Report>
    /// Messages that wait for room, or for the end of a collection.
    private var backlog: [Message] = []
    /// While true, messages only wait.
    var isCollecting = false
    /// Objects that the render thread has been given and has not returned, by token.
    private(set) var held: [UInt: AnyObject] = [:]
    private var lastToken: UInt = 0
    /// Reports that may still come for messages that went out.
    private var expectedReports = 0
    /// Serials of messages for a later frame that went out.
    private var scheduled: Set<UInt64> = []

    /// The ring of reports holds twice as many, since each plan that begins can cause two more.
    static let maximumExpectedReports = 4096
    /// The most messages for a later frame in flight at a time; the render thread has room for twice as many.
    private static let maximumScheduledCount = RenderState.pendingCapacity / 2

    init(messages: consuming RingProducer<Message>, reports: consuming RingConsumer<Report>) {
        self.messages = messages
        self.reports = reports
    }

    /// Keeps an object alive until the render thread returns its token.
    mutating func hold(_ object: AnyObject) -> UInt {
        lastToken += 1
        held[lastToken] = object
        return lastToken
    }

    /// Keeps an object that the render thread has from the start, with token 0.
    mutating func holdFirst(_ object: AnyObject) { held[0] = object }

    mutating func send(_ message: Message) {
        backlog.append(message)
        flush()
    }

    /// Sends the messages that wait, in order, as far as there is room.
    mutating func flush() {
        guard !isCollecting else { return }
        var sent = 0
        for message in backlog {
            let reports = 1 + message.objectCount
            guard expectedReports + reports <= Self.maximumExpectedReports,
                message.atFrame == .asSoonAsPossible || scheduled.count < Self.maximumScheduledCount,
                messages.push(message) == nil
            else { break }
            expectedReports += reports
            if message.atFrame > .asSoonAsPossible { scheduled.insert(message.serial) }
            sent += 1
        }
        backlog.removeFirst(sent)
    }

    /// The next report; objects that the render thread returned are released on the way.
    mutating func nextReport() -> Report? {
        while let report = reports.pop() {
            switch report {
            case .retired(let token):
                expectedReports -= 1
                held[token] = nil
            case .landed(let serial, _, _), .refused(let serial):
                expectedReports -= 1
                scheduled.remove(serial)
                return report
            case .advanced, .ended: return report
            }
        }
        return nil
    }

    /// Takes back the last change that has not been sent and that a newer one includes. Only changes may overtake each other.
    ///
    /// - Parameter token: The token of what the change carries, if it is the one; `nil` if not.
    /// - Returns: Its serial.
    mutating func takeBack(_ token: (Message.Action) -> UInt?) -> UInt64? {
        for index in backlog.indices.reversed() {
            if let token = token(backlog[index].action) {
                held[token] = nil
                return backlog.remove(at: index).serial
            }
            guard backlog[index].isChange else { return nil }
        }
        return nil
    }

    /// Forgets all messages, reports and objects. Only while no callback runs.
    mutating func clear() {
        while reports.pop() != nil {}
        backlog.removeAll()
        expectedReports = 0
        scheduled.removeAll()
        held.removeAll()
    }
}

extension PlayablePlan {
    /// A plan with the memory to play it from a position on; the link keeps both alive.
    ///
    /// - Parameter isUrgent: Whether it begins at once, so that its sound files have to be waited for.
    init(
        _ plan: Plan, at position: PlanFrame, isUrgent: Bool, feeder: SoundFeeder, kernel: Kernel,
        _ keyboard: UnsafeMutablePointer<Keyboard>,
        over link: inout RenderLink
    ) {
        let memory = WorkspaceMemory(for: plan, at: position, feeder: feeder, keyboard: keyboard, kernel: kernel)
        if isUrgent { feeder.wait(for: memory.sounds) }
        self.init(plan: plan.data, planToken: link.hold(plan), workspace: memory.plain, workspaceToken: link.hold(memory))
    }
}
