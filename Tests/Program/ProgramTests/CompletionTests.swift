import Foundation
import OSC
import OSCRemote
import ProgramSupport
import TestSupport
import Testing

@Suite("Shell completion")
struct CompletionTests {
    /// The completions of the last word, after the given words.
    private func offered(_ words: [String], environment: IsolatedEnvironment, folder: String? = nil) async throws -> [String] {
        let script = #"""
            source <("$1" --generate-completion-script bash)
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
            COMP_POINT=${#COMP_LINE}
            _binaural "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        let run = try await RunningProgram.run(
            "bash", ["-c", script, "bash", try PackageRoot.program()] + words, environment: environment.variables,
            folder: folder)
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errors.isEmpty, "\(run.summary)")
        return run.outputLines.filter { !$0.isEmpty }
    }

    /// Asks again if the instance did not answer within the time that completion waits, which people would not wait longer for.
    private func offered(_ words: [String], environment: IsolatedEnvironment, until expected: [String]) async throws -> [String] {
        var found: [String] = []
        _ = try await eventually {
            found = try await offered(words, environment: environment)
            return found == expected
        }
        return found
    }

    @Test("bash offers every address of the table if no instance is running, and names for arguments that have some")
    func offline() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        // Every offered part is completed in turn.
        var found: Set<String> = []
        var parts = [""]
        while let part = parts.popLast() {
            for candidate in try await offered(["ctl", part], environment: environment) {
                if candidate.hasSuffix("/") { parts.append(candidate) } else { found.insert(candidate) }
            }
        }
        let all = Set(AddressTable.standard.rows.map { $0.path.replacing("layer/N/", with: "layer/1/") })
        // After an address, its children are offered if there is no other choice.
        for path in all {
            let parts = path.split(separator: "/")
            let beginnings = parts.indices.map { parts[...$0].joined(separator: "/") }
            #expect(beginnings.contains(where: found.contains), "neither \(path) nor what it begins with is offered")
        }
        #expect(try await offered(["ctl", "position/n"], environment: environment) == ["position/norm", "position/norm/enabled"])
        #expect(try await offered(["ctl", "/binaural/pan"], environment: environment) == ["/binaural/panic", "/binaural/panic/enabled"])
        #expect(try await offered(["ctl", "--wait", "3", "repeat", "o"], environment: environment) == ["off", "one"])
        #expect(try await offered(["ctl", "layer/1/beat", "4", "10", "sineI"], environment: environment) == ["sineIn", "sineInOut"])
        #expect(try await offered(["ctl", "describe", "master/ga"], environment: environment) == ["master/gain", "master/gain/norm"])
        #expect(try await offered(["import", "deep"], environment: environment) == [])
        #expect(try await offered(["ctl", "pause", ""], environment: environment).allSatisfy { $0.hasPrefix("-") })
    }

    @Test("names of sessions and presets are those of the running instance, patches those of the library, and topics are offered too")
    func names() async throws {
        let environment = try IsolatedEnvironment()
        let instance = try StubInstance.agreeing { message in
            let names = message.address == "/binaural/session/list" ? ["night", "noon"] : ["dawn", "dusk and dew"]
            guard message.address.hasSuffix("/list") else { return [] }
            let base = message.address.replacing("/list", with: "")
            return names.enumerated().map { OSCMessage("\(base)/item", [.int32(Int32($0 + 1)), .string($1)]) } + [
                OSCMessage("\(base)/end", [.int32(2)])
            ]
        }
        defer { keepAlive(environment, instance) }
        // No instance is running yet: sessions are those of the library, and there are no presets.
        #expect(try await offered(["ctl", "session/load", "welc"], environment: environment) == ["welcome"])
        #expect(try await offered(["ctl", "preset/load", "d"], environment: environment) == [])
        try instance.announce(as: "studio", in: environment)
        #expect(try await offered(["ctl", "session/load", "n"], environment: environment, until: ["night", "noon"]) == ["night", "noon"])
        #expect(
            try await offered(["ctl", "--client", "studio", "preset/load", "da"], environment: environment, until: ["dawn"]) == ["dawn"])
        #expect(
            try await offered(["ctl", "/binaural/preset/remove", "du"], environment: environment, until: ["dusk and dew"]) == [
                "dusk and dew"
            ])
        #expect(try await offered(["ctl", "queue/add", "deep-a"], environment: environment) == ["deep-alpha"])
        #expect(try await offered(["ctl", "queue/add", "deep-alpha", "n"], environment: environment) == ["next"])
        #expect(try await offered(["ctl", "play", "deep-a"], environment: environment) == ["deep-alpha"])
        #expect(try await offered(["ctl", "subscribe", "mi"], environment: environment) == ["mixer"])
    }

    @Test(
        "library names, folders and files of the right kind are offered after a command that takes a patch or a session",
        arguments: [
            (["play", "welc"], ["welcome"]), (["play", "deep-a"], ["deep-alpha"]),
            (["play", "rain", "--paused", "deep-a"], ["deep-alpha"]),
            (["render", "welc"], ["welcome"]), (["render", "deep-a"], ["deep-alpha"]), (["check", "deep-a"], ["deep-alpha"]),
            (["plot", "deep-a"], ["deep-alpha"]), (["export", "deep-a"], ["deep-alpha"]), (["play", "--session", "welc"], ["welcome"]),
            (["play", "zz"], ["zz-mine.yaml", "zz-night.sbg"]), (["check", "zz-n"], ["zz-night.sbg"]),
            (["import", "zz"], ["zz-night.sbg"]),
            (["plot", "./zz-m"], ["./zz-mine.yaml"]), (["play", "zy"], ["zy-music/a b.yaml", "zy-music/c.yaml"]),
            (["play", "zy-music/c"], ["zy-music/c.yaml"]), (["play", "nothing-of-this-name"], []),
        ])
    func libraryNames(words: [String], expected: [String]) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        for file in ["zz-mine.yaml", "zz-night.sbg", "zz-notes.txt", "zy-music/a b.yaml", "zy-music/c.yaml", "zy-music/d.flac"] {
            try environment.folder.write("", to: file)
        }
        #expect(try await offered(words, environment: environment, folder: environment.folder.path).sorted() == expected)
    }

    @Test("the layers of the running instance are offered by number and by name, each with the addresses of its kind")
    func layers() async throws {
        let environment = try IsolatedEnvironment()
        let instance = try StubInstance.agreeing { message in
            let values =
                switch message.address {
                case "/binaural/layer/*/kind": ["binaural", "noise", "tone"]
                // Digits are a number, never a name.
                case "/binaural/layer/*/name": ["bed", "rain", "7"]
                default: [String]()
                }
            let property = message.address.split(separator: "/").last ?? ""
            return values.enumerated().map { OSCMessage("/binaural/layer/\($0 + 1)/\(property)", [.string($1)]) }
        }
        defer { keepAlive(environment, instance) }
        try instance.announce(as: "studio", in: environment)
        let layers = [
            "layer/count", "layer/select", "layer/1/", "layer/2/", "layer/3/", "layer/bed/", "layer/rain/", "layer/selected/",
        ]
        #expect(try await offered(["ctl", "lay"], environment: environment) == layers)
        #expect(try await offered(["ctl", "--client", "studio", "layer/2/c"], environment: environment).first == "layer/2/correlation")
        #expect(try await offered(["ctl", "layer/1/c"], environment: environment).first == "layer/1/carrier")
        #expect(try await offered(["ctl", "layer/1/corr"], environment: environment) == [])
        #expect(try await offered(["ctl", "layer/rain/c"], environment: environment).first == "layer/rain/correlation")
        #expect(try await offered(["ctl", "layer/rain/carr"], environment: environment) == [])
        #expect(try await offered(["ctl", "layer/bed/mute", "o"], environment: environment) == ["on", "off"])
        #expect(try await offered(["ctl", "--client", "st"], environment: environment) == ["studio"])
        // Sent to another address, which does not answer.
        #expect(
            try await offered(["ctl", "--to", "127.0.0.1:1", "layer/"], environment: environment)
                == ["layer/count", "layer/select", "layer/1/", "layer/selected/"])
    }

    /// The Tab key in an interactive shell: zsh and fish complete only there.
    @Test(
        "zsh and fish complete names of the library, addresses, and files on Tab",
        arguments: [
            (
                "zsh",
                """
                PS1='ready> '; path=("$TOOLS" $path); fpath=("$SCRIPTS" $fpath)
                autoload -Uz compinit; compinit -u -D; cd "$HOME"
                """
            ),
            (
                "fish",
                """
                function fish_prompt; echo 'ready> '; end; function fish_greeting; end
                set -x PATH $TOOLS $PATH; cd $HOME; source $SCRIPTS/_binaural
                """
            ),
        ])
    func interactive(shell: String, setup: String) async throws {
        let environment = try IsolatedEnvironment()
        let (folder, program) = (environment.folder, try PackageRoot.program())
        let script = try await RunningProgram.run(
            program, ["--generate-completion-script", shell], environment: environment.variables)
        try folder.write(script.output, to: "scripts/_binaural")
        try folder.write(setup, to: shell == "zsh" ? "home/.zshrc" : "home/setup.fish")
        try folder.write("", to: "home/zz-mine.yaml")
        try folder.write("", to: "tools/here")
        try FileManager.default.createSymbolicLink(atPath: folder.file("tools/binaural"), withDestinationPath: program)
        let window = try TerminalWindow(
            environment.adding(["TOOLS": folder.file("tools"), "SCRIPTS": folder.file("scripts")]), columns: 100)
        defer { keepAlive(environment, window.folder) }
        let tool = try requireTool(shell, package: shell)
        try await window.run(
            shell == "zsh" ? "'\(tool)' -d -i" : "'\(tool)' --no-config --init-command 'source \(folder.file("home/setup.fish"))'",
            in: folder.path)
        do {
            try await window.screen { $0.last == "ready>" }
            for (typed, completed) in [
                ("play deep-a", "play deep-alpha"), ("play zz", "play zz-mine.yaml"), ("render deep-a", "render deep-alpha"),
                ("check deep-a", "check deep-alpha"), ("plot deep-a", "plot deep-alpha"), ("ctl now/titl", "ctl now/title"),
                ("play --paus", "play --paused"),
            ] {
                try await window.type("binaural \(typed)")
                try await window.press("Tab")
                try await window.screen { $0.last == "ready> binaural \(completed)" }
                try await window.press("C-u")
                try await window.screen { $0.last == "ready>" }
            }
        } catch {
            try await window.close()
            throw error
        }
        try await window.close()
    }
}
