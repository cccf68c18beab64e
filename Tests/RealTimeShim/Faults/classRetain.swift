// An object that was there before is kept once more, and let go.
final class Kept {
    var other: Kept?
}

func fault(_ context: UnsafeMutableRawPointer) {
    let kept = context.load(fromByteOffset: 64, as: Kept.self)
    let old = kept.other
    kept.other = kept
    kept.other = old
}
