// A call of the system that waits for nothing.
import Glibc

func fault(_ context: UnsafeMutableRawPointer) { precondition(getppid() >= 0) }
