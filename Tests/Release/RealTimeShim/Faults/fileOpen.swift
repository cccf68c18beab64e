// A file that is opened.
import Glibc

func fault(_ context: UnsafeMutableRawPointer) { close(open("/dev/null", O_RDONLY)) }
