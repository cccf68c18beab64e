import Foundation

/// The memory that this program has allocated and not freed, in kB: unlike its resident memory, it does not depend on the machine.
func allocatedMemory() -> Int {
    // Swift does not import malloc.h.
    guard let symbol = dlsym(nil, "malloc_info") else { return 0 }
    var text: UnsafeMutablePointer<CChar>?
    var length = 0
    guard let stream = open_memstream(&text, &length) else { return 0 }
    // SAFETY: malloc_info(3) declares it as int malloc_info(int, FILE *).
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32).self)(0, stream)
    fclose(stream)
    defer { free(text) }
    // The sums of all heaps are the last lines, such as <total type="rest" count="2" size="4096"/>.
    let sums = (text.map { String(cString: $0) } ?? "").split(separator: "\n").reversed().prefix { $0 != "</heap>" }
    var bytes = 0
    for fields in sums.map({ $0.split(separator: "\"") }) where fields.count > 3 {
        let size = Int(fields[fields.count - 2]) ?? 0
        switch fields[1] {
        case "current", "mmap": bytes += size
        case "fast", "rest": bytes -= size
        default: break
        }
    }
    return bytes / 1024
}
