import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Terminal")
struct TerminalTests {
    @Test("Ctrl-C reaches everything that was started from a terminal; the program's own server runs until the fade is over")
    func controlC() async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let window = try TerminalWindow(run.environment.variables, columns: 100)
            defer { keepAlive(window.folder) }
            let options = PlayRun.arguments(server.clientName).joined(separator: " ")
            let program = try PackageRoot.program()
            try await window.run(
                "'\(program)' play reference-440 --start-server \(options); echo left with $?; exec cat", in: run.folder.path)
            do {
                try await window.screen { lines in lines.contains { $0.hasPrefix("▶ Reference A 440 Hz") } }
                try await window.press("C-c")
                let after = try await window.screen { $0.contains { $0.hasPrefix("left with") } }
                #expect(after.last == "left with 0", "\(after)")
                // If it had lost the server meanwhile, it would have printed that.
                #expect(!after.contains { $0.contains("JACK is away") }, "\(after)")
            } catch {
                try await window.close()
                throw error
            }
            try await window.close()
        }
    }

    @Test("live lines are updated, keys act on master and layers, and the terminal is restored")
    func live() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let window = try TerminalWindow(run.environment.variables, columns: 100)
            defer { keepAlive(window.folder) }
            let options = PlayRun.arguments(server.clientName).joined(separator: " ")
            let program = try PackageRoot.program()
            try await window.run(
                "'\(program)' play tone.yaml \(options); echo left with $?; stty -a | grep -oE -- '-?(icanon|echo)\\b'; exec cat",
                in: run.folder.path)
            do {
                let lines = try await window.screen { lines in
                    lines.contains { $0.contains(/^▶ Tone  0:[0-9][0-9] \/ 10:00$/) }
                        && lines.last?.contains(
                            /^L -20\.0 R -20\.0 dBFS · DSP \d+ % · \d+ xruns? · osc\.udp:\/\/127\.0\.0\.1:\d+\/ · not connected$/) == true
                }
                // The title, the bar, the master, the layer, both ears, JACK.
                #expect(lines.count == 7, "\(lines)")
                #expect(
                    lines[1].contains(/^[━●─]+  item 1\/1 · \? lists the keys$/) && lines[2].hasPrefix("▸ master     0.0 dB  ━━━━━━━━━━━━"))
                #expect(lines[3].hasPrefix("  1 tone1  -20.0 dB  "), "\(lines)")
                #expect(lines[3].contains("tone · carrier "), "\(lines)")

                try await window.press("Space")
                try await window.screen { $0.contains { $0.hasPrefix("‖ Tone  ") } }
                #expect(try await run.value(of: "now/state") == "paused")
                try await window.press("Space")
                try await window.screen { $0.contains { $0.hasPrefix("▶ Tone  ") } }
                let gain = try #require(Double(try await run.value(of: "master/gain")))
                try await window.press("-")
                try await window.screen { lines in lines.contains { $0.hasPrefix("L -2") && !$0.hasPrefix("L -20.0") } }
                #expect(try #require(Double(try await run.value(of: "master/gain"))) < gain)

                try await window.press("m")
                try await window.screen { $0.contains { $0.hasPrefix("▸ master    -1.0 dB  ────────────  muted") } }
                #expect(try await run.value(of: "master/mute") == "1")
                try await window.press("m")
                try await window.press("1")
                try await window.screen { $0.contains { $0.hasPrefix("▸ 1 tone1  -20.0 dB") } }
                try await window.press("-")
                try await window.press("s")
                try await window.screen { $0.contains { $0.contains(/^▸ 1 tone1  -21.0 dB  ━+─+  solo · edited · tone/) } }
                #expect(try await run.value(of: "layer/1/solo") == "1")
                #expect(Double(try await run.value(of: "layer/1/gain")) == -21)
                try await window.press("u")
                try await window.screen { $0.contains { $0.hasPrefix("▸ 1 tone1  -20.0 dB") } }
                try await window.press("r")
                try await window.screen { $0.contains { $0.hasPrefix("▸ 1 tone1  -21.0 dB") } }
                try await window.press("r")
                try await window.press("?")
                try await window.screen { lines in
                    lines.contains { $0.hasPrefix("space  ") } && lines.contains { $0.hasPrefix("▶ Tone") }
                        && lines.last?.hasPrefix("q  ") == true
                }
                try await window.press("?")
                try await window.screen { lines in lines.last?.hasPrefix("L -") == true && !lines.contains { $0.hasPrefix("space  ") } }

                try await window.press("q")
                let after = try await window.screen { $0.contains("echo") }
                #expect(after.suffix(3) == ["left with 0", "icanon", "echo"], "\(after)")
                #expect(after.contains { $0.contains("Tone  ") }, "what was last stays to be read")
                #expect(try await window.tmux("display-message", "-p", "#{cursor_flag}").output == "1")
            } catch {
                try await window.close()
                throw error
            }
            try await window.close()
        }
    }

    @Test("play and watch fill a window without a line that is wider than it", arguments: [200, 80, 40, 12])
    func widths(columns: Int) async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let title = "A title of many words, which is longer than most windows are wide, so that it cannot be shown whole"
            try run.folder.write(
                "title: \(title)\nduration: 600\nlayers:\n  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}\n", to: "long.yaml"
            )
            let options = PlayRun.arguments(server.clientName).joined(separator: " ")
            let program = try PackageRoot.program()
            for command in ["play long.yaml \(options)", "watch --client \(server.clientName)"] {
                let window = try TerminalWindow(run.environment.variables, columns: columns)
                defer { keepAlive(window.folder) }
                let player = command.hasPrefix("watch") ? try run.start("long.yaml") : nil
                if let player { try await player.state("playing") }
                try await window.run("'\(program)' \(command); echo left; exec cat", in: run.folder.path)
                do {
                    let lines = try await window.screen { $0.count == 7 && $0[0].hasPrefix("▶ ") && $0[5].hasPrefix("R ") }
                    #expect(lines.allSatisfy { $0.count < columns }, "\(lines)")
                    #expect(lines[0].hasPrefix(columns == 12 ? "▶ 0:" : "▶ A title of "), "\(lines)")
                    #expect(lines[3].hasPrefix(columns == 12 ? " 1 -20.0" : "  1 bed"), "\(lines)")
                    try await window.press("q")
                    try await window.screen { $0.contains("left") }
                } catch {
                    try await window.close()
                    throw error
                }
                try await window.close()
                player?.send(signal: SIGTERM)
                if let player { #expect(try await player.exit() == .code(0), "\(player.transcript)") }
            }
        }
    }

    @Test("watch shows live lines that advance by themselves, at the program's position; its keys act on the instance, and q quits")
    func watch() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml")
            defer { keepAlive(program) }
            try await program.state("playing")
            let window = try TerminalWindow(run.environment.adding(["LC_ALL": "C.UTF-8"]), columns: 120)
            defer { keepAlive(window.folder) }
            try await window.run(
                "'\(try PackageRoot.program())' watch --client \(server.clientName) --meters; echo left with $?; exec cat",
                in: run.folder.path)
            do {
                let lines = try await window.screen { lines in
                    lines.count == 7 && lines[0].contains(/^▶ Tone  0:[0-9][0-9] \/ 10:00$/) && lines[6].contains("L -20.0")
                }
                #expect(lines[1].contains(/^[━●─]+  item 1\/1 · \? lists the keys$/), "\(lines)")
                #expect(lines[2].hasPrefix("▸ master     0.0 dB  ━━━━━━━━━━━━"), "\(lines)")
                #expect(lines[3].hasPrefix("  1 tone1  -20.0 dB  ━"), "\(lines)")
                #expect(lines[3].contains("  tone · carrier 200 Hz"), "\(lines)")
                #expect(lines[6].contains(/^playing · L -20\.0 R -20\.0 dBFS · osc\.udp:/), "\(lines)")
                // Faster than the instance reports the values back.
                for key in ["1", "-", "-", "-", "m"] { try await window.press(key) }
                try await window.screen { $0.contains { $0.contains(/^▸ 1 tone1  -23\.0 dB  ─+  muted · edited · tone/) } }
                #expect(try await eventually { try await run.value(of: "layer/1/mute") == "1" })
                #expect(Double(try await run.value(of: "layer/1/gain")) == -23)
                try await window.press("m")
                try await window.screen { $0.contains { $0.contains(/^▸ 1 tone1  -23\.0 dB  ━+─+  edited · tone/) } }
                try await run.ctl("position", "83")
                // Read between two queries to the program; if the second differs, the screen is read again.
                let isShown = try await eventually {
                    let before = try #require(Double(try await run.value(of: "now/elapsed")))
                    let shown = try await window.tmux("capture-pane", "-p").outputLines.first?.firstMatch(of: /\ 1:([0-9][0-9]) \//)
                    let after = try #require(Double(try await run.value(of: "now/elapsed")))
                    guard let shown, let seconds = Int(shown.1) else { return false }
                    return (Int(before)...Int(after)).contains(seconds + 60)
                }
                #expect(isShown, "it never shows the position that the program has")
                try await run.ctl("pause")
                try await window.screen { $0.first?.hasPrefix("‖ Tone  ") == true }
                try await window.press("q")
                try await window.screen { $0.contains("left with 0") }
            } catch {
                try await window.close()
                throw error
            }
            try await window.close()
        }
    }

    @Test("the keys of a read-only watch are refused with the reason, and the values shown stay those of the instance")
    func readOnlyWatch() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--osc-local-role", "view")
            defer { keepAlive(program) }
            try await program.state("playing")
            try await run.ctl("ping")
            let window = try TerminalWindow(run.environment.variables, columns: 100)
            defer { keepAlive(window.folder) }
            try await window.run("'\(try PackageRoot.program())' watch --client \(server.clientName); exec cat", in: run.folder.path)
            do {
                try await window.screen { $0.contains { $0.hasPrefix("▸ master     0.0 dB") } }
                try await window.press("-")
                let lines = try await window.screen { lines in
                    lines.first?.hasPrefix("/binaural/master/gain: This needs the role") == true
                        && lines.contains { $0.hasPrefix("▸ master     0.0 dB") }
                }
                #expect(lines[1].hasPrefix("▶ Tone"), "\(lines)")
                program.send(signal: SIGTERM)
                _ = try await program.exit()
            } catch {
                try await window.close()
                throw error
            }
            try await window.close()
        }
    }

    @Test("a terminal that was paused with Ctrl-S does not keep the program from ending, which continues it")
    func paused() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let window = try TerminalWindow(environment.variables, columns: 100)
        defer { keepAlive(window.folder) }
        try await window.run(
            "'\(try PackageRoot.program())' watch --to 127.0.0.1:9; echo left with $?; exec cat", in: environment.folder.path)
        do {
            try await window.screen { lines in lines.contains { $0.contains("Nothing is listening at 127.0.0.1:9") } }
            try await window.press("C-s")
            try await window.press("q")
            let after = try await window.screen { $0.contains { $0.hasPrefix("left with") } }
            #expect(after.last == "left with 0", "\(after)")
        } catch {
            try await window.close()
            throw error
        }
        try await window.close()
    }

    @Test("a prompt shows answers, errors and changes as they come; Ctrl-D closes it")
    func prompt() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml")
            defer { keepAlive(program) }
            try await program.state("playing")
            try await run.ctl("ping")
            let window = try TerminalWindow(run.environment.variables, columns: 120)
            defer { keepAlive(window.folder) }
            try await window.run(
                "'\(try PackageRoot.program())' ctl --client \(server.clientName) --wait \(Patience.seconds) --repl; echo left with $?; exec cat",
                in: run.folder.path)
            /// Types a line, and waits for a line of output.
            func type(_ line: String, then expected: String) async throws {
                try await window.type(line)
                try await window.press("Enter")
                try await window.screen { $0.contains(expected) }
            }
            do {
                try await window.screen { $0.last == ">" }
                try await type("master/gain 3", then: "master/gain 0 dB (asked for +3)")
                try await type("master/gain -12", then: "master/gain -12 dB")
                try await type("layer/1/mute on", then: "layer/1/mute on")
                try await type("layer/1", then: "layer/1/kind tone")
                try await type("rate 2", then: "rate 2")
                try await type("quit", then: "'exit' or Ctrl-D closes the prompt; '/binaural/quit' ends the instance.")
                try await type(
                    "nothing/there",
                    then: "error: nothing/there: There is no such address: 'describe /' lists all addresses.")
                try await type("subscribe /binaural/tuning/*", then: "snapshot/end /binaural/tuning/*")
                try await run.ctl("tuning/a4", "432")
                try await window.screen { $0.contains("tuning/a4 432 Hz") && $0.last == ">" }
                try await window.press("C-d")
                let after = try await window.screen { $0.contains("left with 0") }
                #expect(after.suffix(2) == [">", "left with 0"])
            } catch {
                try await window.close()
                throw error
            }
            try await window.close()
        }
    }

    @Test("render has a bar with the progress and the remaining time, which advances, and is removed at the end")
    func progress() async throws {
        let environment = try IsolatedEnvironment(adding: ["LC_ALL": "C.UTF-8"])
        // Minutes of work, even if this process is delayed by a busy machine.
        let layers = (1...400).map { "  - {bilateral: {carrier: \(100 + $0)}, gain: -80}\n" }.joined()
        _ = try environment.folder.write("title: Slow\nlayers:\n" + layers, to: "slow.yaml")
        let window = try TerminalWindow(environment.variables, columns: 100)
        defer { keepAlive(window.folder, environment) }
        let program = try PackageRoot.program()
        try await window.run(
            "'\(program)' render slow.yaml -o x.wav --to 1:00:00; echo left with $?; exec cat", in: environment.folder.path)
        /// The part that is filled, the percent, the seconds left.
        func bar(_ lines: [String]) -> (filled: Double, percent: Double, seconds: Double)? {
            guard lines.count == 1, let match = lines[0].firstMatch(of: /^Slow  \[(#*)(-*)\] +(\d+) %  ([\d:]+) left$/),
                let percent = Double(match.3)
            else { return nil }
            let seconds = match.4.split(separator: ":").reduce(0.0) { $0 * 60 + (Double($1) ?? .nan) }
            return (Double(match.1.count) / Double(match.1.count + match.2.count), percent, seconds)
        }
        do {
            let early = try #require(bar(try await window.screen { bar($0) != nil }))
            let late = try #require(bar(try await window.screen { lines in bar(lines).map { $0.percent > early.percent + 1 } ?? false }))
            for seen in [early, late] {
                // 40 places, cut off; a percent, cut off.
                #expect(abs(seen.filled - seen.percent / 100) <= 1.0 / 40, "\(seen)")
                #expect(seen.seconds >= 1, "\(seen)")
            }
            try await window.press("C-c")
            let after = try await window.screen { $0.contains { $0.hasPrefix("left with") } }
            #expect(after.suffix(2) == ["binaural: error: Cancelled; x.wav was not written.", "left with 130"], "\(after)")
            #expect(!after.contains { $0.contains(" left") && $0.contains("[") }, "\(after)")
        } catch {
            try await window.close()
            throw error
        }
        try await window.close()
    }
}
