// A closure that outlives its function, with what it needs.
func fault(_ context: UnsafeMutableRawPointer) {
    let value = Int(bitPattern: context)
    let place = (context + 96).assumingMemoryBound(to: (() -> Int)?.self)
    place.pointee = { value }
    place.pointee = nil
}
