import Glibc

/// Makes calls of stat or lstat fail, as they do on a file system whose server does not answer.
enum FailingStatus: String, CaseIterable, Codable {
    case stat, lstat

    /// Makes all further calls of this process fail with ESTALE. prctl(2), seccomp(2)
    ///
    /// - Returns: Whether that is possible here.
    func begin() -> Bool {
        #if arch(x86_64)
            let call: UInt32 = 262
        #else
            let call: UInt32 = 79
        #endif
        // The number of the call of newfstatat, and the lower half of its fourth argument, the flags.
        let (number, flags): (UInt32, UInt32) = (0, 40)
        let program = [
            Step(code: 0x20, k: number), Step(code: 0x15, no: 3, k: call), Step(code: 0x20, k: flags),
            Step(code: 0x15, no: 1, k: self == .lstat ? UInt32(AT_SYMLINK_NOFOLLOW) : 0),
            Step(code: 0x06, k: 0x0005_0000 | UInt32(ESTALE)), Step(code: 0x06, k: 0x7FFF_0000),
        ]
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = dlsym(nil, "prctl") else { return false }
        // SAFETY: prctl takes an option and up to four words; the program is valid for the call, which copies it.
        let control = unsafeBitCast(symbol, to: Control.self)
        return program.withUnsafeBufferPointer { steps in
            withUnsafePointer(to: Program(count: UInt16(steps.count), steps: steps.baseAddress)) {
                // PR_SET_NO_NEW_PRIVS, and PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
                control(38, 1, 0, 0, 0) == 0 && control(22, 2, UInt(bitPattern: $0), 0, 0) == 0
            }
        }
    }

    /// struct sock_filter of linux/filter.h
    private struct Step {
        let code: UInt16
        var yes: UInt8 = 0
        var no: UInt8 = 0
        let k: UInt32
    }

    /// struct sock_fprog of linux/filter.h
    private struct Program {
        let count: UInt16
        let steps: UnsafePointer<Step>?
    }
}
