import ArgumentParser

struct Binaural: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "binaural",
        abstract: "Plays binaural beats and tones through JACK, under OSC remote control.",
        discussion: """
            EXAMPLES:
              binaural play welcome --start-server   play a session that comes with the program
              binaural play tone.yaml                play a patch of your own
              binaural ctl pause                     tell the running instance to pause
              binaural watch                         show what it plays
              binaural render tone.yaml -o tone.wav --to 0:30
              binaural plot deep-alpha -o deep-alpha.svg
            """,
        version: ProgramVersion.text,
        subcommands: [
            PlayCommand.self, RenderCommand.self, PlotCommand.self, ImportCommand.self, ExportCommand.self, CheckCommand.self,
            ListCommand.self, CtlCommand.self, WatchCommand.self, MIDICommand.self, NotesCommand.self, OSCTableCommand.self,
            PreferencesTableCommand.self,
        ]
    )
}
