import ArgumentParser

/// The options of `play` that decide how and when files are read.
struct ReadingOptions: ParsableArguments {
    @OptionGroup var sequences: DialectOption

    @Flag(
        inversion: .prefixedNo,
        help: "Read patches again when they are saved, those of the library too, or none (default: those given by path).")
    var watch: Bool?
}
