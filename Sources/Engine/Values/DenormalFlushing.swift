import Glibc

/// Runs `body` while the calling thread treats denormal numbers as zero, as operands and as results: FTZ and DAZ in MXCSR on x86-64, FZ in
/// FPCR on arm64. JACK's thread runs the callback that way, so all other code that computes samples has to run that way too, on any thread.
/// The thread's own setting is restored on return. fegetenv(3), fesetenv(3)
package func flushingDenormals<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    var environment = fenv_t()
    fegetenv(&environment)
    var flushing = environment
    #if arch(x86_64)
        flushing.__mxcsr |= 0x8040
    #elseif arch(arm64)
        flushing.__fpcr |= 1 << 24
    #endif
    fesetenv(&flushing)
    defer { fesetenv(&environment) }
    return try body()
}
