import Foundation
import OSC
import OSCRemote
import TestSupport
import Testing

@Suite("The file by which a running instance is found")
struct InstanceFileTests {
    private let endpoint = Endpoint(host: .loopback, port: 7830)

    @Test("It holds the URL, is readable by its owner only, is found, and is removed by its owner")
    func writeAndRemove() throws {
        let folder = try TemporaryFolder()
        let environment = ["XDG_RUNTIME_DIR": folder.path]
        let file = InstanceFile(client: "bin/aural", environment: environment)
        #expect(file.path == "\(folder.path)/binaural/bin_aural.url")
        try file.write(endpoint)
        try file.write(endpoint)
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "osc.udp://127.0.0.1:7830/\n")
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.attributesOfItem(atPath: "\(folder.path)/binaural")[.posixPermissions] as? Int == 0o700)
        #expect(InstanceFile.all(environment: environment).compactMap { try? $0.read() } == [endpoint])
        file.remove(Endpoint(host: .loopback, port: 1))
        #expect(try file.read() == endpoint)
        file.remove(endpoint)
        #expect(throws: InstanceFile.Fault.noInstance(path: file.path)) { try file.read() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/binaural").isEmpty)
    }

    @Test("A folder that others can access, or a link in its place, is not trusted", arguments: [0o777, 0o755, 0o750, 0o701])
    func untrusted(mode: Int) throws {
        let folder = try TemporaryFolder()
        let file = InstanceFile(client: "a", environment: ["XDG_RUNTIME_DIR": folder.path])
        let place = folder.file("binaural")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
        #expect(throws: InstanceFile.Fault.untrustedFolder(place)) { try file.write(endpoint) }
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: folder.file("elsewhere"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: folder.file("elsewhere"))
        #expect(throws: InstanceFile.Fault.untrustedFolder(place)) { try file.write(endpoint) }
    }

    @Test("A file that others can write, or a link in its place, is not trusted", arguments: [0o666, 0o620, 0o602])
    func untrustedFile(mode: Int) throws {
        let folder = try TemporaryFolder()
        let file = InstanceFile(client: "a", environment: ["XDG_RUNTIME_DIR": folder.path])
        try file.write(endpoint)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        #expect(throws: InstanceFile.Fault.untrustedFile(path: file.path)) { try file.read() }
        file.remove(endpoint)
        #expect(FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(try file.read() == endpoint)
        try FileManager.default.moveItem(atPath: file.path, toPath: folder.file("elsewhere"))
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: folder.file("elsewhere"))
        #expect(throws: InstanceFile.Fault.untrustedFile(path: file.path)) { try file.read() }
    }

    @Test("Without XDG_RUNTIME_DIR it is in /tmp, in a folder of the user")
    func withoutRuntimeFolder() {
        #expect(InstanceFile(client: "binaural", environment: [:]).path == "/tmp/binaural-\(getuid())/binaural.url")
    }

    @Test(
        "A URL that is not the program's is not trusted",
        arguments: ["", "http://127.0.0.1:7830/", "osc.udp://localhost:7830/", "osc.udp://127.0.0.1:7830"])
    func nonsense(text: String) throws {
        let folder = try TemporaryFolder()
        let file = InstanceFile(client: "a", environment: ["XDG_RUNTIME_DIR": folder.path])
        try file.write(endpoint)
        try text.write(toFile: file.path, atomically: true, encoding: .utf8)
        #expect(throws: InstanceFile.Fault.noAddress(path: file.path)) { try file.read() }
    }
}
