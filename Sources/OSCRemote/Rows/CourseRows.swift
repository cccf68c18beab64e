import OSC
import Patches
import Playback

/// The addresses of the current item's course: its chapters and cues, and the values that they set.
enum CourseRows {
    static let all: [Row] = [
        Row(
            "course/place/list", in: [.press],
            "Answers course/place/item for the first 256 chapters and cues; then course/place/end.", role: .view,
            action: .exchange(.list("course/place") { $0.coursePlaces })),
        Row(
            "course/point/list", in: [.press],
            "Answers course/point/item for at most 1024 carriers, beats, rates, gains; course/point/end.",
            role: .view, action: .exchange(.chargedList("course/point") { $0.coursePoints })),
        Row(
            "course/start", in: [place, Input("start", .bounded(seconds))],
            "Moves a chapter or cue, numbered as in course/place/list, to a start in s; the order stays.",
            action: .commands { [.changeCourse(.start(place: ($0.integer(0) ?? 1) - 1, $0.decimal(1)))] }),
        Row(
            "course/over", in: [place, Input("over", .bounded(Quantity(CourseQuantity.overRange, "s")))],
            "Time in s that the moves of a chapter or cue take.",
            action: .commands { [.changeCourse(.over(place: ($0.integer(0) ?? 1) - 1, $0.decimal(1)))] }),
        Row(
            "course/value",
            in: [
                Input("place", .exact(0...1_000_000)), Input("layer", .exact(1...Patch.maximumLayerCount)),
                Input("parameter", .choice(Parameter.allCases.map(\.rawValue))), Input("value", .number(Quantity(-20_000...20_000, ""))),
            ], "Value that a place sets, within the parameter's range; place 0 is the start of the patch.",
            action: .commands { request in
                let place = request.integer(0) ?? 0
                let setting = Setting(
                    layer: (request.integer(1) ?? 1) - 1, parameter: Parameter.allCases[request.integer(2) ?? 0], value: request.decimal(3))
                return [.changeCourse(.value(place: place == 0 ? nil : place - 1, setting))]
            }),
        Row(
            "course/reset", in: [.press], "Discards all changes of the current item's chapters and cues, as one step of undo.",
            action: .commands { _ in [.resetCourse] }),
        Row(
            "course/revision", out: "ii", fields: [Field("revision"), Field("changes")],
            "Rises when the item's file, course or tuning changes; number of changes to chapters and cues.", group: .layers,
            isPatternTarget: true
        ) { reading in
            [.count(reading.player.current?.revision ?? 0), .count(reading.player.current?.course.count ?? 0)]
        },
    ]

    private static let place = Input("place", .exact(1...1_000_000))
    private static let seconds = Quantity(0...31_536_000, "s")
}

extension Reading {
    private static let placeLimit = 256
    private static let pointLimit = 1024

    private var places: [(place: Chapter, kind: String)] {
        let (chapters, cues) = (player.patch?.chapters ?? [], player.patch?.cues ?? [])
        let limit = Self.placeLimit
        return Array((chapters.prefix(limit).map { ($0, "chapter") } + cues.prefix(limit).map { ($0, "cue") }).prefix(limit))
    }

    fileprivate var coursePlaces: [[OSCArgument]] {
        places.enumerated().map { index, entry in
            let place = entry.place
            return [
                .count(index + 1), .string(entry.kind), .float(Float(place.start)), .float(Float(place.over ?? -1)), .text(place.title),
            ]
        }
    }

    fileprivate var coursePoints: [[OSCArgument]] {
        let layers = player.patch?.layers ?? []
        var points: [[OSCArgument]] = []
        func add(_ place: Int, _ layer: Int, _ parameter: Parameter, _ value: Double, at time: Double) {
            points.append([
                .count(points.count + 1), .count(place), .count(layer + 1), .string(parameter.rawValue), .float(Float(value)),
                .float(Float(time)),
            ])
        }
        for (index, layer) in layers.enumerated() {
            for parameter in Parameter.drawn where points.count < Self.pointLimit {
                if layer.leaders[parameter] == nil, let value = layer.value(of: parameter) { add(0, index, parameter, value, at: 0) }
            }
        }
        for (index, entry) in places.enumerated() {
            for setting in entry.place.settings where points.count < Self.pointLimit && Parameter.drawn.contains(setting.parameter) {
                let ramp = layers[setting.layer].description(of: setting.parameter)?.defaultRamp ?? 0
                add(index + 1, setting.layer, setting.parameter, setting.value, at: entry.place.start + (entry.place.over ?? ramp))
            }
        }
        return points
    }
}

extension Parameter {
    /// The parameters whose courses are the lines of a picture's first panels.
    fileprivate static let drawn: [Parameter] = [.carrier, .beat, .pulseRate, .gain]
}

extension OSCRequest {
    /// A number that is written into a file: that of the fewest digits whose float was sent, such as 0.1.
    fileprivate func decimal(_ index: Int) -> Double {
        let number = number(index)
        let float = Float(number)
        return Double(float) == number ? Double("\(float)") ?? number : number
    }
}
