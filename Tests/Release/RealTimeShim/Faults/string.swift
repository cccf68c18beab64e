// Concatenated strings.
func fault(_ context: UnsafeMutableRawPointer) { sink("a frequency of \(Int(bitPattern: context)) hertz in both ears") }

@inline(never) func sink(_ text: String) { precondition(text.utf8.count > 20) }
