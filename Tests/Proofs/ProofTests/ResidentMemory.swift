import Foundation

@testable import Application

/// The anonymous memory of this process, in kB, without what the allocator can give back.
func residentMemory() -> Int {
    FreedMemory.giveBack()
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon") } ?? ""
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}
