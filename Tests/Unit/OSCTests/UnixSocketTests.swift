import Foundation
import OSC
import TestSupport
import Testing

@Suite("Unix sockets")
struct UnixSocketTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("socket")
    }

    private func address(_ path: String) throws -> UnixAddress { try #require(UnixAddress(path: path)) }

    @Test("Packets arrive with the path of their sender, and only the owner can access the file")
    func sendAndReceive() throws {
        let (one, two) = (try UnixSocket(boundTo: path), try UnixSocket(boundTo: folder.file("other")))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(two.receive() == nil)
        #expect(one.send([1, 2, 3, 4], to: try address(folder.file("other"))))
        #expect(two.receive() == .packet([1, 2, 3, 4], from: try address(path)))
        #expect(two.receive() == nil)
        #expect(try address(path).description == "unix:\(path)")
    }

    @Test("A peer that is gone is reported as unreachable")
    func unreachable() throws {
        let socket = try UnixSocket(boundTo: path)
        #expect(!socket.send([1], to: try address(folder.file("nobody"))))
        #expect(!socket.send([1], to: try address(folder.file("nobody"))))
        #expect(socket.receive() == .unreachable(try address(folder.file("nobody"))))
        #expect(socket.receive() == nil)
        #expect(socket.droppedCount == 2)
    }

    @Test("Sending never blocks: packets that a sleeping reader has no room for are dropped and counted")
    func dropped() throws {
        let (sender, sleeper) = (try UnixSocket(boundTo: path), try UnixSocket(boundTo: folder.file("sleeper")))
        for _ in 0..<5000 { sender.send([UInt8](repeating: 0, count: 1400), to: try address(folder.file("sleeper"))) }
        #expect(sender.droppedCount > 0)
        #expect(sender.receive() == nil)
        #expect(sleeper.receive() != nil)
    }

    @Test("A socket left by a dead program is replaced; a live one, or a file, is unchanged and named")
    func replacing() throws {
        var first: UnixSocket? = try UnixSocket(boundTo: path)
        #expect(throws: SocketError.pathInUse(path)) { try UnixSocket(boundTo: path) }
        #expect(first?.receive() == nil)
        first = nil
        #expect(FileManager.default.fileExists(atPath: path))
        let second = try UnixSocket(boundTo: path)
        #expect(second.send([1], to: try address(path)))
        #expect(second.receive() == .packet([1], from: try address(path)))

        let file = try folder.write("precious", to: "file")
        #expect(throws: SocketError.pathNotSocket(file)) { try UnixSocket(boundTo: file) }
        #expect(try folder.read("file") == "precious")
        #expect(throws: SocketError.unixFailed(call: "bind", path: folder.file("no/folder"), code: ENOENT)) {
            try UnixSocket(boundTo: folder.file("no/folder"))
        }
        let long = folder.file(String(repeating: "x", count: 108))
        #expect(throws: SocketError.pathTooLong(long)) { try UnixSocket(boundTo: long) }
    }

    @Test("A socket without a path has a name that others can answer to, and no file")
    func autobound() throws {
        let (one, asker) = (try UnixSocket(boundTo: path), try UnixSocket())
        let listening = try address(path)
        #expect(asker.file == nil)
        #expect(asker.send([1, 2, 3, 4], to: listening))
        guard case .packet([1, 2, 3, 4], let source)? = one.receive() else {
            Issue.record("nothing came")
            return
        }
        #expect(!source.isUnnamed)
        #expect(one.send([5, 6, 7, 8], to: source))
        #expect(asker.receive() == .packet([5, 6, 7, 8], from: listening))
    }

    @Test("Its file is removed only if it is still its own")
    func removing() throws {
        let first = try UnixSocket(boundTo: path)
        #expect(unlink(path) == 0)
        let second = try UnixSocket(boundTo: path)
        first.file?.remove()
        #expect(FileManager.default.fileExists(atPath: path))
        second.file?.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
