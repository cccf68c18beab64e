// A global with an initial value that takes code to make: made by whoever comes first, under a lock.
let table = (0..<8).map { Double($0) * 0.5 }

func fault(_ context: UnsafeMutableRawPointer) { sink(table[Int(bitPattern: context) & 7]) }

@inline(never) func sink(_ value: Double) { precondition(value >= 0) }
