// An array that grows.
func fault(_ context: UnsafeMutableRawPointer) {
    var values: [Int] = []
    for value in 0..<100 { values.append(value &+ Int(bitPattern: context)) }
    sink(values)
}

@inline(never) func sink(_ values: [Int]) { precondition(values.count == 100) }
