/// The program's heap usage from the sanitizer's hooks, without that of the sanitizer itself.
enum HeapCount {
    /// Bytes.
    nonisolated(unsafe) static var now = 0
    /// The maximum since the last reset.
    nonisolated(unsafe) static var peak = 0

    /// Starts counting.
    static func install() {
        precondition(installHooks({ _, size in HeapCount.add(size) }, { address in HeapCount.remove(address) }) != 0, "no hook is left")
    }

    private static func add(_ size: Int) {
        now += size
        if now > peak { peak = now }
    }

    private static func remove(_ address: UnsafeRawPointer?) {
        guard let address else { return }
        now -= allocatedSize(address)
    }
}

/// `__sanitizer_install_malloc_and_free_hooks`
@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void, _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> Int32

/// `__sanitizer_get_allocated_size`
@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ address: UnsafeRawPointer) -> Int
