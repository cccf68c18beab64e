// An existing object is retained in one cycle, and released in the next.
final class Kept {
    var other: Kept?
}

func fault(_ context: UnsafeMutableRawPointer) {
    let kept = context.load(fromByteOffset: 64, as: Kept.self)
    let place = (context + 72).assumingMemoryBound(to: Kept?.self)
    place.pointee = place.pointee == nil ? kept : nil
}
