// No fault: what is watched may also be clean.
func fault(_ context: UnsafeMutableRawPointer) {
    let word = (context + 96).assumingMemoryBound(to: UInt.self)
    word.pointee &+= 1
}
