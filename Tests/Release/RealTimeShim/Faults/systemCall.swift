// A system call that does not wait.
import Glibc

func fault(_ context: UnsafeMutableRawPointer) { precondition(getppid() >= 0) }
