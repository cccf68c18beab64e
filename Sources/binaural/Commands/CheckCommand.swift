import Application
import ArgumentParser
import Engine
import Foundation
import Library
import Patches
import Rendering
import SBaGen
import Terminal

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check patches, sessions and preferences, and report every mistake with its position.",
        discussion: """
            In a pipe, prints nothing if a file is valid. With --loudness, a line for each patch has its integrated loudness (EBU R 128) and its true \
            peak; a patch of more than two minutes is measured in 24 places. Exits with 65 if a file has mistakes, with 66 if one does not exist.

            EXAMPLES:
              binaural check tone.yaml
              binaural check patches/*.yaml
              binaural check --sample-rate 22050 tone.yaml
              binaural check --loudness deep-alpha
            """
    )

    @Argument(
        help: "Files, or names of patches and sessions.",
        completion: LibraryCompletion.of(.patches, .sessions, files: ["yaml", "yml", "sbg", "sbxseq"]))
    var files: [String]

    @OptionGroup var sequences: DialectOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Warn if the layers together exceed this level, -60 to 0 dBFS, and are played softer.", valueName: "dB"))
    var ceiling = -6.0

    @Option(
        help: ArgumentHelp(
            "Warn if a layer's frequency is too high for this sample rate, 8000 to 384000.", valueName: "hz"))
    var sampleRate = 48_000

    @Flag(help: "Print the loudness and the true peak of each patch.")
    var loudness = false

    func validate() throws {
        guard (-60...0).contains(ceiling) else { throw ValidationError("--ceiling takes a level from -60 to 0 dBFS, not \(ceiling).") }
        guard (8000...384_000).contains(sampleRate) else {
            throw ValidationError("--sample-rate takes 8000 to 384000 Hz, not \(sampleRate).")
        }
    }

    func run() throws {
        let library = Library(places: .current, dialect: sequences.dialect)
        var worst = ExitStatus.success
        for reference in files {
            do {
                for entry in try library.findAll(reference) {
                    // The path as it was given, since an editor that jumps to the place starts in the same folder.
                    let file = entry.origin == .path ? reference : entry.path
                    try check(entry, in: file, library)
                    if isatty(STDOUT_FILENO) == 1 { print("\(file) has no mistakes.") }
                }
            } catch {
                let status = ErrorReport.show(error)
                // A faulty file is more significant than a missing one.
                if worst != .badFile { worst = ExitStatus(rawValue: status) ?? .software }
            }
        }
        if worst != .success { throw worst }
    }

    private func check(_ entry: Library.Entry, in file: String, _ library: Library) throws {
        if Library.holdsPreferences(file) || Library.holdsSession(entry.path) {
            for notice in SessionNotice.loss(of: entry, in: library) { StandardError.write(lines: "warning: \(notice)") }
            if !Library.holdsPreferences(file), let notice = SessionNotice.alteration(at: entry.path, calling: file) {
                StandardError.write(lines: "warning: \(notice)")
            }
            if let faults = try library.check(file: file) { throw faults }
            return Library.holdsPreferences(file) ? try checkPreferences(in: file) : try checkItems(of: entry, in: file, library)
        }
        let loaded = try library.loadPatch(entry, file: file)
        let patch = loaded.patch
        try checkSounds(of: patch, in: file)
        if loudness { try printLoudness(of: patch, in: file) }
        for text in FadingWarnings.words(for: patch, sampleRate: sampleRate) { StandardError.write(lines: "\(file): warning: \(text)") }
        warn(about: LevelBudget(of: patch), in: file)
        if Library.holdsSequence(entry.path) {
            for remark in loaded.remarks { StandardError.write(lines: remark.warning) }
            print("\(file): plays with a gain of \(NumberText.string(from: SBaGenSequence.headroom)) dB, so that 100 % is at the ceiling")
            return
        }
        for warning in PatchWarning.all(in: patch) { StandardError.write(lines: "\(file): warning: \(warning.sentence)") }
        for layer in LayerInOneEar.all(in: patch) {
            StandardError.write(
                lines: """
                    \(file): warning: layer `\(layer.layer)` needs both ears, but is panned to one at \
                    \(DurationText.string(from: layer.position)): its effect cannot be heard
                    """)
        }
    }

    private func checkPreferences(in file: String) throws {
        let faults = OSCSettings.faults(in: PreferencesFile(path: file).load().values)
        for fault in faults { StandardError.write(lines: "\(file): \(fault)") }
        if !faults.isEmpty { throw ExitStatus.badFile }
    }

    private func checkItems(of session: Library.Entry, in file: String, _ library: Library) throws {
        if loudness { print("\(file): a session: name its patches to measure their loudness") }
        for item in try library.loadTemplate(session).items {
            do {
                _ = try library.find(.patches, item.patch)
            } catch {
                StandardError.write(lines: "\(file): warning: \(error)")
            }
        }
    }

    private func printLoudness(of patch: Patch, in file: String) throws {
        let loudness = try PatchLoudness(of: patch, ceiling: ceiling)
        print("\(file): \(loudness.figures)\(loudness.basis.isEmpty ? "" : " (\(loudness.basis))")")
    }

    /// Reports every faulty sound file, and throws for the first.
    private func checkSounds(of patch: Patch, in file: String) throws {
        let faults = SoundFault.all(in: patch, decodes: true)
        for fault in faults { StandardError.write(lines: "\(file): \(fault.words): \(fault.error)") }
        if let first = faults.first { throw first.error.isMissing ? ExitStatus.noSuchFile : .badFile }
    }

    private func warn(about budget: LevelBudget, in file: String) {
        guard let reduction = budget.reduction(ceiling: ceiling) else { return }
        StandardError.write(
            lines: """
                \(file): warning: the layers together reach \(LevelBudget.text(budget.peak)) dBFS at \
                \(DurationText.string(from: budget.position)), above the ceiling of \(NumberText.string(from: ceiling)) dBFS: everything is \
                played \(LevelBudget.text(reduction)) dB softer
                """)
    }
}
