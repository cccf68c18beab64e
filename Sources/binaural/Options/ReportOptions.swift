import ArgumentParser

/// The options that decide how much `play` prints.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Show only errors.")
    var quiet = false

    @Flag(help: "Show more details.")
    var verbose = false

    func validate() throws {
        guard !(quiet && verbose) else { throw ValidationError("--quiet and --verbose contradict each other: use only one of them.") }
    }
}
