import CJACK

/// JACK's clock in microseconds, the one that cycle times are given in. Any thread. jack_get_time
package func microseconds() -> UInt64 {
    jack_get_time()
}

/// The calling thread takes denormal numbers for zero from now on.
package func flushDenormals() {
    binaural_flush_denormals()
}

/// Whether the calling thread takes denormal numbers for zero.
package func flushesDenormals() -> Bool {
    binaural_flushes_denormals() != 0
}
