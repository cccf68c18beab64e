import ArgumentParser

struct Binaural: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "binaural",
        abstract: "Play binaural beats and tones through JACK, controlled over OSC.",
        discussion: """
            EXAMPLES:
              binaural play welcome --start-server   play a session included with the program
              binaural play tone.yaml                play your own patch
              binaural new evening                   write a patch to start from
              binaural ctl pause                     pause the running instance
              binaural watch                         show what it is playing
              binaural render tone.yaml -o tone.wav --to 0:30
              binaural plot deep-alpha -o deep-alpha.svg
            """,
        version: ProgramVersion.text,
        subcommands: [
            PlayCommand.self, NewCommand.self, SaveAsCommand.self, RenderCommand.self, PlotCommand.self, ImportCommand.self,
            ExportCommand.self, CheckCommand.self,
            ListCommand.self, CtlCommand.self, WatchCommand.self, MIDICommand.self, WebCommand.self, NotesCommand.self,
            OSCTableCommand.self, PreferencesTableCommand.self, DrawArtworkCommand.self,
        ]
    )
}
