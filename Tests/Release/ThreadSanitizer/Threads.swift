import Glibc

/// Runs `body` on a new thread, which the caller joins: pthread_create.
func thread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    let code = pthread_create(
        &thread, nil,
        { context in
            // SAFETY: retained for this thread alone.
            Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
            return nil
        }, work)
    precondition(code == 0)
    return thread
}

private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
