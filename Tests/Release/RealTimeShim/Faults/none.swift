// No fault: the checks must report nothing.
func fault(_ context: UnsafeMutableRawPointer) {
    let word = (context + 96).assumingMemoryBound(to: UInt.self)
    word.pointee &+= 1
}
