/// Robert Penner's 31 easing curves; ``value(at:)`` is in `EasingCurves.swift`. Its raw value is its name in files and messages.
package enum Easing: String, CaseIterable, Sendable {
    case linear
    case sineIn, sineOut, sineInOut
    case quadIn, quadOut, quadInOut
    case cubicIn, cubicOut, cubicInOut
    case quartIn, quartOut, quartInOut
    case quintIn, quintOut, quintInOut
    case expoIn, expoOut, expoInOut
    case circIn, circOut, circInOut
    case backIn, backOut, backInOut
    case elasticIn, elasticOut, elasticInOut
    case bounceIn, bounceOut, bounceInOut
}
