import JACKBackend
import Patches
import Testing

@testable import Application

@Suite("Outputs folded to mono")
struct FoldingTests {
    private func fold(_ left: [String], _ right: [String]) -> MonoFold? {
        MonoFold([PortConnections(port: "b:out_left", connectedTo: left), PortConnections(port: "b:out_right", connectedTo: right)])
    }

    @Test("Both outputs on one port and nowhere else, or only one of them connected, fold the ears; anything else does not")
    func folds() {
        #expect(fold(["s:1"], ["s:1"]) == .mixed(destination: "s:1"))
        #expect(fold(["s:1"], []) == .oneEar(port: "b:out_left"))
        #expect(fold([], ["s:2", "r:1"]) == .oneEar(port: "b:out_right"))
        for (left, right) in [([], []), (["s:1"], ["s:2"]), (["s:1", "r:1"], ["s:2", "r:1"]), (["s:1"], ["s:1", "s:2"])]
            as [([String], [String])]
        {
            #expect(fold(left, right) == nil)
        }
    }

    @Test("The warning is given only if a layer needs both ears, and names it")
    func words() {
        let mono = Patch(layers: [Layer(name: "a", kind: .tone), Layer(name: "b", kind: .monaural), Layer(name: "c", kind: .noise)])
        let bed = Patch(layers: mono.layers + [Layer(name: "bed", kind: .binaural)])
        let two = Patch(layers: bed.layers + [Layer(name: "wind", kind: .spin)])
        for fold in [MonoFold.mixed(destination: "s:1"), .oneEar(port: "b:out_left")] {
            #expect(fold.words(for: mono) == nil)
            #expect(fold.words(for: bed)?.contains("layer `bed` needs both ears") == true)
            #expect(fold.words(for: two)?.contains("2 layers such as `bed` need both ears") == true)
        }
    }
}
