// A lock, even if it is free.
import Glibc

func fault(_ context: UnsafeMutableRawPointer) {
    let mutex = context.assumingMemoryBound(to: pthread_mutex_t.self)
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
}
