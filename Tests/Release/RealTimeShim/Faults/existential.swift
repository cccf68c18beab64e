// A value too large for the box of its protocol.
protocol Sounding { var level: Int { get } }
struct Large: Sounding {
    var level: Int
    var more: (Int, Int, Int, Int) = (1, 2, 3, 4)
}

func fault(_ context: UnsafeMutableRawPointer) { sink(Large(level: Int(bitPattern: context))) }

@inline(never) func sink(_ sounding: any Sounding) { precondition(sounding.level != 1) }
