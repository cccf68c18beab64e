// A line for the user.
func fault(_ context: UnsafeMutableRawPointer) { print("late") }
