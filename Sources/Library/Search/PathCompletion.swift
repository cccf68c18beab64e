import Foundation

/// The files and folders that the beginning of a path stands for.
package struct PathCompletion {
    /// The endings of the files that are offered, with the dot.
    private let endings: [String]

    package init(endings: [String]) { self.endings = endings }

    /// The candidates in order; a folder ends in `/`. A folder that is the only candidate is replaced by its contents.
    package func candidates(_ beginning: String) -> [String] {
        let folder = beginning.lastIndex(of: "/").map { String(beginning[...$0]) } ?? ""
        let start = beginning.dropFirst(folder.count)
        let path = folder.isEmpty ? "." : folder.hasPrefix("~/") ? NSHomeDirectory() + folder.dropFirst() : folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let found = names.sorted().compactMap { name -> String? in
            guard name.hasPrefix(start), start.hasPrefix(".") || !name.hasPrefix(".") else { return nil }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder) else { return nil }
            if isFolder.boolValue { return folder + name + "/" }
            return endings.contains(where: name.hasSuffix) ? folder + name : nil
        }
        guard found.count == 1, found[0].hasSuffix("/"), !start.isEmpty else { return found }
        let inside = candidates(found[0])
        return inside.isEmpty ? found : inside
    }
}
