import Foundation
import Testing

/// The release program as its users have it: real JACK servers, real OSC peers, what comes out of its ports. One after the other, since
/// they measure sound in real time.
///
/// BINAURAL_FIGURES=FILE saves the measurements.
@Suite(.serialized) struct AcceptanceTests {}

/// `make stress`: the long versions.
let isStress = ProcessInfo.processInfo.environment["BINAURAL_STRESS"] != nil
