// Memory from C's allocator, and back.
import Glibc

func fault(_ context: UnsafeMutableRawPointer) {
    sink(malloc(64))
}

@inline(never) func sink(_ memory: UnsafeMutableRawPointer?) { free(memory) }
