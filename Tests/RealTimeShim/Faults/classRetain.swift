// An object that was there before is kept in one cycle, and let go in the next one.
final class Kept {
    var other: Kept?
}

func fault(_ context: UnsafeMutableRawPointer) {
    let kept = context.load(fromByteOffset: 64, as: Kept.self)
    let place = (context + 72).assumingMemoryBound(to: Kept?.self)
    place.pointee = place.pointee == nil ? kept : nil
}
