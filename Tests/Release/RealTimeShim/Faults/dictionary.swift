// A new entry in a dictionary.
func fault(_ context: UnsafeMutableRawPointer) {
    var values: [Int: Int] = [:]
    values[Int(bitPattern: context)] = 1
    sink(values)
}

@inline(never) func sink(_ values: [Int: Int]) { precondition(values.count == 1) }
