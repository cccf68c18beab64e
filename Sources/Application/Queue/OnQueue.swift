/// Carries a value of the control actor through code that cannot prove that it is on the actor's queue.
struct OnQueue<Value>: @unchecked Sendable {
    // SAFETY: made and used on the control actor's queue only.
    let value: Value

    init(_ value: Value) { self.value = value }
}
