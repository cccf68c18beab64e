// A new instance of a class.
final class Kept {
    var value: Int
    init(_ value: Int) { self.value = value }
}

func fault(_ context: UnsafeMutableRawPointer) {
    // Stored globally, or the optimizer would remove it.
    let place = (context + 96).assumingMemoryBound(to: AnyObject?.self)
    place.pointee = Kept(Int(bitPattern: context))
    place.pointee = nil
}
