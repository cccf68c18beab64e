import Foundation
import TestSupport

/// Patches that tests play.
package enum TestPatch {
    /// The sound file `surf.wav`: two and a half seconds of noise at another sample rate than JACK's.
    package static var surf: Data {
        var state: UInt64 = 1
        let noise = (0..<2).map { _ in
            (0..<110_250).map { _ -> Float in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return 0.5 * Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
            }
        }
        return WaveBytes.file(noise, sampleRate: 44_100, .int16)
    }

    /// Every kind of layer and every way to move them, for half a minute. Noise makes each moment unique.
    package static let moving = """
        title: Moving
        duration: 30
        fade: {in: 2, out: 3}
        layers:
          - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -26}
          - {name: rain, noise: {color: pink, correlation: 0.3}, gain: -36}
          - {name: sea, noise: {color: brown, amDepth: 0.5, bands: [100, 900]}, gain: -36}
          - {name: snow, noise: {color: white}, gain: -40}
          - {name: pulse, isochronic: {carrier: 300, pulseRate: 7}, gain: -34}
          - {name: hum, monaural: {carrier: 150, beat: 5}, gain: -34}
          - {name: tone, tone: {carrier: 432, pan: -0.3}, gain: -36}
          - {name: bowl, bell: {carrier: 220, wave: {table: [0, 1, 0.2, -1]}}, gain: -36}
          - {name: wind, spin: {color: pink, beat: 0.2}, gain: -40}
          - {name: sway, phase: {carrier: 180, beat: 4}, gain: -40}
          - {name: sides, bilateral: {carrier: 90, pulseRate: 1}, gain: -40}
          - {name: box, harmonicBox: {carrier: 240, beat: 6}, gain: -40}
          - {name: surf, file: {path: surf.wav, pulses: true, pulseRate: 3, beat: 4, bands: [200, 2000]}, gain: -36}
          - {name: own, input: {pulses: true, beat: 4, bands: [300, 3000]}, gain: -36}
          - {name: hands, keys: {beat: 4, wave: triangle}, gain: -40}
        chapters:
          - {at: 0, title: Settle}
          - {at: 4, title: Drop, over: 10, ease: sineInOut, set: {bed.beat: 4, rain.gain: -30, tone.carrier: 300}}
          - {at: 15, title: Bounce, over: 6, ease: bounceOut, set: {pulse.pulseRate: 12, hum.gain: -28, bed.carrier: 180}}
          - {at: 24, title: Stay}

        """

    /// All kinds of layers and three chapters in which nothing moves.
    package static let still = """
        title: Still
        duration: 600
        layers:
          - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -26}
          - {name: rain, noise: {color: pink, correlation: 0.3}, gain: -36}
          - {name: sea, noise: {color: brown, pulseDepth: 0, amDepth: 0, spinDepth: 0, spinDelay: 0}, gain: -36}
          - {name: snow, noise: {color: white}, gain: -40}
          - {name: pulse, isochronic: {carrier: 300, pulseRate: 7, distance: 1}, gain: -34}
          - {name: hum, monaural: {carrier: 150, beat: 5}, gain: -34}
          - {name: tone, tone: {carrier: 432, pan: -0.3}, gain: -36}
          - {name: bowl, bell: {carrier: 220, wave: {table: [0, 1, 0.2, -1]}}, gain: -36}
          - {name: wind, spin: {color: pink, beat: 0.2}, gain: -40}
          - {name: sway, phase: {carrier: 180, beat: 4}, gain: -40}
          - {name: sides, bilateral: {carrier: 90, pulseRate: 1}, gain: -40}
          - {name: box, harmonicBox: {carrier: 240, beat: 6}, gain: -40}
          - {name: hands, keys: {beat: 4, wave: triangle}, gain: -40}
        chapters:
          - {at: 0, title: One}
          - {at: 200, title: Two}
          - {at: 400, title: Three}

        """

    /// In the left ear 50 - 50 Hz, stopped at a quarter of its cycle.
    package static let dcOffset = "layers:\n  - {binaural: {carrier: 50, beat: -100, phase: 90}, gain: -30}\n"

    /// One sine of 200 Hz in both ears, for ever.
    package static let tone = "title: Tone\nlayers:\n  - {name: a, tone: {carrier: 200, phase: 90}, gain: -20}\n"

    /// Noise that makes each moment unique, for a minute, with early chapters.
    package static let noise = """
        title: Noise
        duration: 60
        layers:
          - {name: snow, noise: {color: white}, gain: -30}
        chapters:
          - {at: 0, title: One}
          - {at: 2, title: Two}
          - {at: 40, title: Three}

        """
}
