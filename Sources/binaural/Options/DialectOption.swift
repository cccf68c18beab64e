import ArgumentParser
import SBaGen

/// The option that decides how sequences are read.
struct DialectOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read SBaGen's sequences as this program does; by default as SBaGenX if a file has something that only SBaGenX reads, as every .sbxseq file has.",
            valueName: SequenceDialect.allCases.map(\.rawValue).joined(separator: "|")))
    var dialect: SequenceDialect?
}

extension SequenceDialect: ExpressibleByArgument {}
