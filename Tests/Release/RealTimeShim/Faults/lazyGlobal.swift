// A global with a computed initial value: the first access computes it under a lock.
let table = (0..<8).map { Double($0) * 0.5 }

func fault(_ context: UnsafeMutableRawPointer) { sink(table[Int(bitPattern: context) & 7]) }

@inline(never) func sink(_ value: Double) { precondition(value >= 0) }
