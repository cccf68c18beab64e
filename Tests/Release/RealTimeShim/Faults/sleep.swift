// A sleep.
import Glibc

func fault(_ context: UnsafeMutableRawPointer) { usleep(1) }
