import OSC
import OSCRemote
import Patches
import Playback

/// Chapters and cues.
extension RowTests {
    private static func place(_ index: Int32, _ start: Float, _ over: Float, _ title: String) -> OSCMessage {
        OSCMessage("course/place/item", [.int32(index), .string("chapter"), .float(start), .float(over), .string(title)])
    }

    private static func point(
        _ index: Int32, _ place: Int32, _ layer: Int32, _ parameter: String, _ value: Float, _ time: Float
    ) -> OSCMessage {
        OSCMessage("course/point/item", [.int32(index), .int32(place), .int32(layer), .string(parameter), .float(value), .float(time)])
    }

    static let course: [Case] = [
        Case(
            "course/place/list", [],
            answers: [
                place(1, 0, -1, "Settle"), place(2, 100, 10, "Drop"), place(3, 300, -1, "Stay"),
                OSCMessage("course/place/end", [.int32(3)]),
            ]),
        Case(
            "course/point/list", [],
            answers: [point(1, 0, 1, "carrier", 440, 0), point(2, 0, 1, "gain", -26, 0)] + [
                OSCMessage("course/point/end", [.int32(2)])
            ], after: { $0.send("queue/select", .int32(2)) }),
        Case("course/start", [.int32(2), .float(90)], performs: .changeCourse(.start(place: 1, 90))),
        Case("course/over", [.int32(2), .float(20)], performs: .changeCourse(.over(place: 1, 20))),
        Case(
            "course/value", [.int32(2), .int32(1), .string("beat"), .float(5)],
            performs: .changeCourse(.value(place: 1, Setting(layer: 0, parameter: .beat, value: 5)))),
        Case(
            "course/value", [.int32(0), .int32(1), .string("carrier"), .float(180)],
            performs: .changeCourse(.value(place: nil, Setting(layer: 0, parameter: .carrier, value: 180)))),
        Case("course/reset", performs: .resetCourse),
        Case("course/revision", is: .int32(1), .int32(0)),
        Case("course/revision", is: .int32(2), .int32(1), after: { $0.send("course/start", .int32(2), .float(90)) }),
        Case(
            "course/place/list", [],
            answers: [
                place(1, 0, -1, "Settle"), place(2, 90, 10, "Drop"), place(3, 300, -1, "Stay"),
                OSCMessage("course/place/end", [.int32(3)]),
            ], after: { $0.send("course/start", .int32(2), .float(90)) }),
    ]
}
