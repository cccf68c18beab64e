import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The panel's page in Chromium: the scripts of this folder's parent.
@Suite("The page")
struct PageTests {
    @Test("the panel pairs devices, survives attacks, and its page in Chromium shows what plays and moves what sounds")
    func panel() async throws {
        try await JACKServer.run(isPatient: true) { server in try await runScenario("Browser/panel.py", on: server) }
    }

    @Test("a page waits as long as a busy machine needs: each attempt to connect, and to get an answer, may take longer")
    func panelSlow() async throws {
        // The place is used only for its name: no jackd runs here.
        try await JACKServer.runWithoutStarting { server in try await runScenario("Browser/panel_slow.py", on: server) }
    }
}

/// The page as well; a suite of its own runs beside the other one.
@Suite("The page's course, its links and its sound")
struct PagePartTests {
    @Test(
        "chapters and points that are dragged in the panel's page are heard, undone, saved with the file's comments, and there after a restart"
    )
    func panelCourse() async throws {
        try await JACKServer.run(isPatient: true) { server in try await runScenario("Browser/panel_course.py", on: server) }
    }

    @Test("eight listen to the panel's streams in every format, and what JACK gets stays the same in every bit")
    func listening() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Browser/listening.py", on: server) }
    }

    @Test("the panel's link is read from its QR code in the terminal, which is printed again when the addresses change")
    func panelLink() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Browser/panel_link.py", on: server) }
    }
}
