import Dispatch
import Foundation
import Glibc
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@Suite("Watching files", .ownThread)
struct FileWatcherTests {
    /// A watcher with the names of the files that it reported.
    private final class Watch: @unchecked Sendable {
        // SAFETY: the watcher is used on the queue only.
        private let queue = DispatchQueue(label: "test.watch")
        private var watcher: FileWatcher?
        private let reported = Mutex<[String]>([])
        /// A file of the watch's own. The system keeps the order of changes: when this one is reported, whatever came before has been.
        private let mark: String
        private let folder: Folder

        init(_ files: [String]) throws {
            folder = try Folder()
            mark = folder.file("mark")
            try folder.write("", to: "mark")
            try queue.sync {
                let watcher = try FileWatcher(queue: queue) { [weak self] files in
                    self?.reported.withLock { $0 += files.sorted() }
                }
                watcher.watch(Set(files + [mark]))
                self.watcher = watcher
            }
        }

        func watch(_ files: [String]) { queue.sync { watcher?.watch(Set(files + [mark])) } }

        /// Returns and forgets what is reported for the changes made so far.
        @discardableResult
        func forget() -> [String] {
            // Closing it is a change.
            close(open(mark, O_WRONLY))
            #expect(reports(mark))
            return reported.withLock { reported in
                defer { reported = [] }
                return reported.filter { $0 != mark }
            }
        }

        /// Waits until the file has been reported.
        func reports(_ file: String) -> Bool { eventually { reported.withLock { $0.contains(file) } } }

        /// Whether nothing is reported for the changes made so far.
        var isQuiet: Bool { forget().isEmpty }
    }

    private static func shell(_ script: String, in folder: Folder) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = URL(filePath: folder.path)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(script)")
    }

    @Test(
        "a file is reported however an editor saves it",
        arguments: [
            "echo new > x", "sed -i s/old/new/ x", "echo new > x.tmp; mv x.tmp x", "mv x x~; echo new > x; rm x~", "cp x y; ln -f y x",
            "rm x; echo new > x", "rm x", "rm x; mkdir x", "rm x; mkfifo x", "cp x y; ln -s y x.link; mv x.link x", "touch x", "chmod 0 x",
        ])
    func editors(script: String) throws {
        let folder = try Folder()
        try folder.write("old", to: "x")
        let watch = try Watch([folder.file("x")])
        try Self.shell(script, in: folder)
        #expect(watch.reports(folder.file("x")))
    }

    @Test("nothing else in the folder is reported, nor a file that is being written and not yet closed, nor one that is read")
    func others() throws {
        let folder = try Folder()
        try folder.write("old", to: "x")
        let watch = try Watch([folder.file("x")])
        try folder.write("old", to: "y")
        _ = try folder.read("x")
        let descriptor = open(folder.file("x"), O_WRONLY | O_TRUNC)
        _ = write(descriptor, "new", 3)
        #expect(watch.isQuiet)
        close(descriptor)
        #expect(watch.reports(folder.file("x")))
    }

    @Test("a link is followed: the file that it leads to, each link on the way, and where it leads after a change")
    func links() throws {
        let folder = try Folder()
        for name in ["a/one", "b/two", "c/three"] { try folder.write("old", to: name) }
        try Self.shell("ln -s b/link x; ln -s ../a/one b/link", in: folder)
        let watch = try Watch([folder.file("x")])
        try folder.write("new", to: "a/one")
        #expect(watch.reports(folder.file("x")))
        try Self.shell("ln -sf ../c/three b/new; mv b/new b/link", in: folder)
        watch.forget()
        try Self.shell("echo new > c/three", in: folder)
        #expect(watch.reports(folder.file("x")))
        watch.forget()
        try Self.shell("echo new > a/one", in: folder)
        #expect(watch.isQuiet)
    }

    @Test("links in a circle and paths through files are watched without harm")
    func circles() throws {
        let folder = try Folder()
        try Self.shell("ln -s y x; ln -s x y; echo > file", in: folder)
        let watch = try Watch([folder.file("x"), folder.file("file/below"), "relative", ""])
        try Self.shell("rm x; echo new > x", in: folder)
        #expect(watch.reports(folder.file("x")))
    }

    @Test("a folder that is missing, removed, moved away or replaced is watched again when it is back")
    func folders() throws {
        let folder = try Folder()
        let file = folder.file("sub/x")
        let watch = try Watch([file])
        try folder.write("new", to: "sub/x")
        #expect(watch.reports(file))
        for script in ["rm -r sub", "mv sub gone", "mkdir new; echo new > new/x; mv sub gone; mv new sub; rm -r gone"] {
            watch.forget()
            try Self.shell(script, in: folder)
            #expect(watch.reports(file), "\(script)")
            try Self.shell("rm -rf gone; mkdir -p sub", in: folder)
            // Once this has been reported the folder is watched again; otherwise the file would be reported for being found.
            watch.forget()
            try folder.write("new", to: "sub/x")
            #expect(watch.reports(file), "after \(script)")
        }
    }

    @Test("a link to a folder that is exchanged, and a folder above that is replaced, lead to the new file")
    func foldersAbove() throws {
        let folder = try Folder()
        for name in ["v1/x", "v2/x", "high/low/x"] { try folder.write("old", to: name) }
        try Self.shell("ln -s v1 current", in: folder)
        let (linked, nested) = (folder.file("current/x"), folder.file("high/low/x"))
        let watch = try Watch([linked, nested])
        try Self.shell("ln -s v2 next; mv -T next current", in: folder)
        #expect(watch.reports(linked))
        watch.forget()
        try folder.write("new", to: "v2/x")
        #expect(watch.reports(linked))
        try Self.shell("mv high gone; mkdir -p high/low; echo new > high/low/x", in: folder)
        #expect(watch.reports(nested))
        watch.forget()
        try folder.write("newer", to: "high/low/x")
        #expect(watch.reports(nested))
        watch.forget()
        try folder.write("other", to: "gone/low/x")
        try folder.write("other", to: "high/y")
        #expect(watch.isQuiet)
    }

    @Test("only the files of the last call are reported")
    func replaced() throws {
        let folder = try Folder()
        for name in ["x", "y"] { try folder.write("old", to: name) }
        let watch = try Watch([folder.file("x")])
        watch.watch([folder.file("y")])
        try folder.write("new", to: "x")
        #expect(watch.isQuiet)
        try folder.write("new", to: "y")
        #expect(watch.reports(folder.file("y")))
    }
}
