import PatchFiles
import Patches
import Testing

/// The messages for invalid patches, word for word: a faulty text and the whole message.
private let table: [(text: String, message: String)] = [
    (
        "title: Rain\nlayers:\n  - tone:\n      carrier:\u{A0}200\n      gain: -6\n",
        #"""
        a.yaml:4:15: found an invisible character, U+00A0 (no-break space)
                  carrier:\#u{A0}200
                          ^
          replace it by a plain space, or remove it
        """#
    ),
    (
        "layers:\n\u{A0}\u{A0}- tone: {}\n",
        #"""
        a.yaml:2:1: found an invisible character, U+00A0 (no-break space)
            \#u{A0}\#u{A0}- tone: {}
            ^
          replace it by a plain space, or remove it
        """#
    ),
    (
        "title: Nuit\u{A0}!\nlayers: [{tone: {car\u{200B}rier: 200, gain: -6\u{202F}}}]\n",
        #"""
        a.yaml:2:21: found an invisible character, U+200B (zero width space)
            layers: [{tone: {car\#u{200B}rier: 200, gain: -6\#u{202F}}}]
                                ^
          replace it by a plain space, or remove it
        a.yaml:2:41: found an invisible character, U+202F (narrow no-break space)
            layers: [{tone: {car\#u{200B}rier: 200, gain: -6\#u{202F}}}]
                                                    ^
          replace it by a plain space, or remove it
        """#
    ),
    (
        "title: Nuit\u{A0}!\nlayers: [{tone: {carrier: 200, gain: -6\u{202F}}}]\n",
        #"""
        a.yaml:2:40: found an invisible character, U+202F (narrow no-break space)
            layers: [{tone: {carrier: 200, gain: -6\#u{202F}}}]
                                                   ^
          replace it by a plain space, or remove it
        """#
    ),
    (
        "layers: [{tone: {carrier: 0xC8, gain: \u{2013}6}}]\n",
        #"""
        a.yaml:1:27: found `0xC8`
            layers: [{tone: {carrier: 0xC8, gain: \#u{2013}6}}]
                                      ^
          expected a number of Hz, without the unit; did you mean `200`?
        a.yaml:1:39: found `\#u{2013}6`
            layers: [{tone: {carrier: 0xC8, gain: \#u{2013}6}}]
                                                  ^
          expected a number of dB, without the unit; did you mean `-6`?
        """#
    ),
    (
        "layers: [{tone: {carrier: \u{201C}200\u{201D}, gain: \u{2212}\u{FF16}}}]\n",
        #"""
        a.yaml:1:27: found `\#u{201C}200\#u{201D}`
            layers: [{tone: {carrier: \#u{201C}200\#u{201D}, gain: \#u{2212}\#u{FF16}}}]
                                      ^
          expected a number of Hz, without the unit; did you mean `200`?
        a.yaml:1:40: found `\#u{2212}\#u{FF16}`
            layers: [{tone: {carrier: \#u{201C}200\#u{201D}, gain: \#u{2212}\#u{FF16}}}]
                                                   ^
          expected a number of dB, without the unit; did you mean `-6`?
        """#
    ),
    (
        "title: Rain\n\u{200B}layers:\n  - \u{200B}tone: {}\n",
        #"""
        a.yaml:2:1: found an invisible character, U+200B (zero width space)
            \#u{200B}layers:
            ^
          replace it by a plain space, or remove it
        """#
    ),
    (
        "layers:\n  - name: a\n    \u{200B}tone: {}\n",
        #"""
        a.yaml:3:5: found an invisible character, U+200B (zero width space)
                \#u{200B}tone: {}
                ^
          replace it by a plain space, or remove it
        """#
    ),
    (
        "layers:\n  \u{2013} tone: {}\n",
        #"""
        a.yaml:2:3: found U+2013 (en dash) in place of the dash of a list's item
              \#u{2013} tone: {}
              ^
          write a plain `-`
        """#
    ),
    (
        "layers:\n\u{2014} tone: {}\n",
        #"""
        a.yaml:2:1: found U+2014 (em dash) in place of the dash of a list's item
            \#u{2014} tone: {}
            ^
          write a plain `-`
        """#
    ),
    (
        "comment: |\n  \u{2013} rain\nlayers:\n  - tone: {}\n  \u{2013} tone: {}\n",
        #"""
        a.yaml:5:3: found U+2013 (en dash) in place of the dash of a list's item
              \#u{2013} tone: {}
              ^
          write a plain `-`
        """#
    ),
    (
        "",
        #"""
        a.yaml: the file is empty
          expected a patch: at least `layers:` with one layer
        """#
    ),
    (
        "# only a comment\n",
        #"""
        a.yaml: the file is empty
          expected a patch: at least `layers:` with one layer
        """#
    ),
    (
        "hello",
        #"""
        a.yaml:1:1: found `hello`
            hello
            ^
          expected a mapping of `title`, `duration`, `layers` and so on
        """#
    ),
    (
        "- 1\n- 2\n",
        #"""
        a.yaml:1:1: found a list
            - 1
            ^
          expected a mapping of `title`, `duration`, `layers` and so on
        """#
    ),
    (
        "layers:\n  - binaural: {carrier: 200, baet: 10}\n",
        #"""
        a.yaml:2:30: unknown key `baet` in `binaural`
              - binaural: {carrier: 200, baet: 10}
                                         ^
          expected carrier, note, wave, backwards, beat, phase, gain, pan or width; did you mean `beat`?
        """#
    ),
    (
        "titel: x\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:1: unknown key `titel` in the patch
            titel: x
            ^
          expected title, artist, album, composer, genre, comment, artwork, duration, loop, clock, fade, gains, pitches, tuning, layers, chapters or cues; did you mean `title`?
        """#
    ),
    (
        "title: a\nlayers: [{tone: {}}]\ntitle: b\n",
        #"""
        a.yaml:3:1: key `title` appears twice, first on line 1
            title: b
            ^
          remove one of them
        """#
    ),
    (
        "layers:\n  - tone: {}\n    gain: -10\n    gain: -20\n    gain: -30\n",
        #"""
        a.yaml:4:5: key `gain` appears twice, first on line 3
                gain: -20
                ^
          remove one of them
        a.yaml:5:5: key `gain` appears twice, first on line 3
                gain: -30
                ^
          remove one of them
        """#
    ),
    (
        "title: Nuit\u{A0}!\n",
        #"""
        a.yaml:1:1: the patch has no `layers`
            title: Nuit\#u{A0}!
            ^
          write at least one, such as `layers: [{tone: {carrier: 440}}]`
        """#
    ),
    (
        "title: x\n",
        #"""
        a.yaml:1:1: the patch has no `layers`
            title: x
            ^
          write at least one, such as `layers: [{tone: {carrier: 440}}]`
        """#
    ),
    (
        "layers: []\n",
        #"""
        a.yaml:1:9: the number of layers is 0
            layers: []
                    ^
          expected 1 to 1024
        """#
    ),
    (
        "layers: {}\n",
        #"""
        a.yaml:1:9: found a mapping
            layers: {}
                    ^
          expected a list of layers
        """#
    ),
    (
        "layers:\n",
        #"""
        a.yaml:1:8: found nothing
            layers:
                   ^
          expected a list of layers
        """#
    ),
    (
        "layers: [{gain: -20}]\n",
        #"""
        a.yaml:1:10: the layer has no kind
            layers: [{gain: -20}]
                     ^
          expected tone, binaural, monaural, isochronic, bilateral, phase, spin, harmonicBox, bell, noise, file, input or keys
        """#
    ),
    (
        "layers: [{tone: {}, noise: {}}]\n",
        #"""
        a.yaml:1:10: the layer has several kinds: `tone`, `noise`
            layers: [{tone: {}, noise: {}}]
                     ^
          expected one; write a layer for each
        """#
    ),
    (
        "layers: [{phase: 90}, {phase: {phase: 90}}, {phase: {}, tone: {}}]\n",
        #"""
        a.yaml:1:10: the layer has no kind
            layers: [{phase: 90}, {phase: {phase: 90}}, {phase: {}, tone: {}}]
                     ^
          expected tone, binaural, monaural, isochronic, bilateral, phase, spin, harmonicBox, bell, noise, file, input or keys
        a.yaml:1:32: unknown key `phase` in `phase`
            layers: [{phase: 90}, {phase: {phase: 90}}, {phase: {}, tone: {}}]
                                           ^
          expected carrier, note, wave, beat, depth, gain or pan
        a.yaml:1:45: the layer has several kinds: `tone`, `phase`
            layers: [{phase: 90}, {phase: {phase: 90}}, {phase: {}, tone: {}}]
                                                        ^
          expected one; write a layer for each
        """#
    ),
    (
        "layers: [{gong: {}}]\n",
        #"""
        a.yaml:1:11: unknown kind of layer `gong`
            layers: [{gong: {}}]
                      ^
          expected tone, binaural, monaural, isochronic, bilateral, phase, spin, harmonicBox, bell, noise, file, input or keys
        """#
    ),
    (
        "layers: [tone]\n",
        #"""
        a.yaml:1:10: found `tone`
            layers: [tone]
                     ^
          expected a mapping of a kind, such as `tone: {carrier: 440}`, with `name`, `gain`, `pan`
        """#
    ),
    (
        "layers: [{tone: 440}]\n",
        #"""
        a.yaml:1:17: found `440`
            layers: [{tone: 440}]
                            ^
          expected a mapping of parameters; `tone: {}` takes the defaults
        """#
    ),
    (
        "layers: [{tone: }]\n",
        #"""
        a.yaml:1:17: found nothing
            layers: [{tone: }]
                            ^
          expected a mapping of parameters; `tone: {}` takes the defaults
        """#
    ),
    (
        "layers: [{tone: [1]}]\n",
        #"""
        a.yaml:1:17: found a list
            layers: [{tone: [1]}]
                            ^
          expected a mapping of parameters; `tone: {}` takes the defaults
        """#
    ),
    (
        "layers: [{tone: {carrier: fast}}]\n",
        #"""
        a.yaml:1:27: found `fast`
            layers: [{tone: {carrier: fast}}]
                                      ^
          expected a number of Hz, without the unit
        """#
    ),
    (
        "layers: [{tone: {carrier: 440 Hz}}]\n",
        #"""
        a.yaml:1:27: found `440 Hz`
            layers: [{tone: {carrier: 440 Hz}}]
                                      ^
          expected a number of Hz, without the unit; did you mean `440`?
        """#
    ),
    (
        "layers: [{tone: {carrier: \"440\"}}]\n",
        #"""
        a.yaml:1:27: found the quoted text `440`
            layers: [{tone: {carrier: "440"}}]
                                      ^
          expected a number of Hz, without the unit; did you mean `440`?
        """#
    ),
    (
        "layers: [{tone: {}, gain: '-6,5'}]\n",
        #"""
        a.yaml:1:27: found the quoted text `-6,5`
            layers: [{tone: {}, gain: '-6,5'}]
                                      ^
          expected a number of dB, without the unit; did you mean `-6.5`?
        """#
    ),
    (
        "layers: [{tone: {carrier: .inf}}]\n",
        #"""
        a.yaml:1:27: found `.inf`
            layers: [{tone: {carrier: .inf}}]
                                      ^
          expected a finite number
        """#
    ),
    (
        "layers: [{tone: {carrier: 1e999}}]\n",
        #"""
        a.yaml:1:27: found `1e999`
            layers: [{tone: {carrier: 1e999}}]
                                      ^
          expected a finite number
        """#
    ),
    (
        "layers: [{tone: {carrier: nan}}]\n",
        #"""
        a.yaml:1:27: found `nan`
            layers: [{tone: {carrier: nan}}]
                                      ^
          expected a finite number
        """#
    ),
    (
        "layers: [{tone: {carrier: 30000}}]\n",
        #"""
        a.yaml:1:27: carrier is 30000 Hz
            layers: [{tone: {carrier: 30000}}]
                                      ^
          expected 1 to 20000 Hz
        """#
    ),
    (
        "layers: [{tone: {}, gain: 3}]\n",
        #"""
        a.yaml:1:27: gain is 3 dB
            layers: [{tone: {}, gain: 3}]
                                      ^
          expected -120 to 0 dB
        """#
    ),
    (
        "layers: [{tone: {beat: 3}}]\n",
        #"""
        a.yaml:1:18: unknown key `beat` in `tone`
            layers: [{tone: {beat: 3}}]
                             ^
          expected carrier, note, wave, phase, gain or pan
        """#
    ),
    (
        "layers: [{tone: {note: H3}}]\n",
        #"""
        a.yaml:1:24: found `H3`
            layers: [{tone: {note: H3}}]
                                   ^
          expected a note from C-1 to G9, such as A3, C#4, Bb2 or A3+14 with cents
        """#
    ),
    (
        "layers: [{tone: {note: A3, carrier: 3}}]\n",
        #"""
        a.yaml:1:18: `note` and `carrier` in `tone` exclude each other
            layers: [{tone: {note: A3, carrier: 3}}]
                             ^
          keep one of them
        """#
    ),
    (
        "layers: [{tone: {wave: squere}}]\n",
        #"""
        a.yaml:1:24: unknown waveform `squere`
            layers: [{tone: {wave: squere}}]
                                   ^
          expected sine, triangle, square, sawtooth or table; did you mean `square`?
        """#
    ),
    (
        "layers: [{tone: {wave: table}}]\n",
        #"""
        a.yaml:1:24: found `table`
            layers: [{tone: {wave: table}}]
                                   ^
          expected a mapping of `table`, such as `{table: [0, 1, 0, -1]}`
        """#
    ),
    (
        "layers: [{tone: {wave: {tabel: [1, -1]}}}]\n",
        #"""
        a.yaml:1:24: `wave` has no `table`
            layers: [{tone: {wave: {tabel: [1, -1]}}}]
                                   ^
          write the samples of one cycle, such as `table: [0, 1, 0, -1]`
        a.yaml:1:25: unknown key `tabel` in `wave`
            layers: [{tone: {wave: {tabel: [1, -1]}}}]
                                    ^
          expected table; did you mean `table`?
        """#
    ),
    (
        "layers: [{tone: {wave: {table: [1]}}}, {bell: {wave: {table: [0, 2, .nan, x]}}}]\n",
        #"""
        a.yaml:1:32: the number of samples is 1
            layers: [{tone: {wave: {table: [1]}}}, {bell: {wave: {table: [0, 2, .nan, x]}}}]
                                           ^
          expected 2 to 2048
        a.yaml:1:66: a sample is 2
            layers: [{tone: {wave: {table: [1]}}}, {bell: {wave: {table: [0, 2, .nan, x]}}}]
                                                                             ^
          expected -1 to 1
        a.yaml:1:69: found `.nan`
            layers: [{tone: {wave: {table: [1]}}}, {bell: {wave: {table: [0, 2, .nan, x]}}}]
                                                                                ^
          expected a finite number
        a.yaml:1:75: found `x`
            layers: [{tone: {wave: {table: [1]}}}, {bell: {wave: {table: [0, 2, .nan, x]}}}]
                                                                                      ^
          expected a number
        """#
    ),
    (
        "layers: [{noise: {low: 10}}, {noise: {band: [800, 200]}}]\n",
        #"""
        a.yaml:1:24: low is 10 Hz
            layers: [{noise: {low: 10}}, {noise: {band: [800, 200]}}]
                                   ^
          expected 20 to 20000 Hz
        a.yaml:1:51: the end of a band is 200 Hz, after 800 Hz
            layers: [{noise: {low: 10}}, {noise: {band: [800, 200]}}]
                                                              ^
          write the ends from low to high, bands without overlaps
        """#
    ),
    (
        "layers: [{noise: {notch: [200, 210]}}, {spin: {low: 800, high: 300}}]\n",
        #"""
        a.yaml:1:26: the width of the band is 10 Hz
            layers: [{noise: {notch: [200, 210]}}, {spin: {low: 800, high: 300}}]
                                     ^
          expected 20 to 20000 Hz
        a.yaml:1:58: `high` and `low` in `spin` exclude each other
            layers: [{noise: {notch: [200, 210]}}, {spin: {low: 800, high: 300}}]
                                                                     ^
          keep one of them
        """#
    ),
    (
        "layers: [{spin: {wave: square}}, {spin: {delay: 6000}}, {bell: {decay: 4, color: pink}}]\n",
        #"""
        a.yaml:1:18: unknown key `wave` in `spin`
            layers: [{spin: {wave: square}}, {spin: {delay: 6000}}, {bell: {decay: 4, color: pink}}]
                             ^
          expected color, slope, spectrum, low, high, band, notch, seed, beat, delay, gain or pan
        a.yaml:1:49: delay is 6000 microseconds
            layers: [{spin: {wave: square}}, {spin: {delay: 6000}}, {bell: {decay: 4, color: pink}}]
                                                            ^
          expected 0 to 5000 microseconds
        a.yaml:1:75: unknown key `color` in `bell`
            layers: [{spin: {wave: square}}, {spin: {delay: 6000}}, {bell: {decay: 4, color: pink}}]
                                                                                      ^
          expected carrier, note, wave, decay, phase, gain or pan
        """#
    ),
    (
        "layers: [{noise: {color: pnik}}]\n",
        #"""
        a.yaml:1:26: unknown noise color `pnik`
            layers: [{noise: {color: pnik}}]
                                     ^
          expected white, pink, brown, blue or violet; did you mean `pink`?
        """#
    ),
    (
        "layers: [{noise: {seed: -1}}]\n",
        #"""
        a.yaml:1:25: found `-1`
            layers: [{noise: {seed: -1}}]
                                    ^
          expected a whole number from 0 to 18446744073709551615
        """#
    ),
    (
        "layers: [{name: 'my bed', tone: {}}]\n",
        #"""
        a.yaml:1:17: `my bed` cannot name a layer
            layers: [{name: 'my bed', tone: {}}]
                            ^
          expected 1 to 64 letters (a-z, A-Z), digits, `-` and `_`
        """#
    ),
    (
        "layers: [{name: a, tone: {}}, {name: a, tone: {}}]\n",
        #"""
        a.yaml:1:38: another layer is named `a`, on line 1
            layers: [{name: a, tone: {}}, {name: a, tone: {}}]
                                                 ^
          give each layer a name of its own
        """#
    ),
    (
        "layers: [{tone: {gain: -3}, gain: -4}]\n",
        #"""
        a.yaml:1:29: key `gain` appears twice, first on line 1
            layers: [{tone: {gain: -3}, gain: -4}]
                                        ^
          remove one of them
        """#
    ),
    (
        "duration: 0\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:11: duration is 0 s
            duration: 0
                      ^
          expected 0.001 to 31622400 s
        """#
    ),
    (
        "duration: 5m\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:11: found `5m`
            duration: 5m
                      ^
          expected a time: seconds, m:ss or h:mm:ss; did you mean `5:00`?
        """#
    ),
    (
        "duration: 1:5\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:11: found `1:5`
            duration: 1:5
                      ^
          expected a time: seconds, m:ss or h:mm:ss; did you mean `1:05`?
        """#
    ),
    (
        "duration: -3\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:11: found `-3`
            duration: -3
                      ^
          expected a time: seconds, m:ss or h:mm:ss
        """#
    ),
    (
        "duration: 10\nfade: {in: 6, out: 5}\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:2:7: fade in and out take 0:11, the patch lasts 0:10
            fade: {in: 6, out: 5}
                  ^
          expected shorter fades, or a longer duration
        """#
    ),
    (
        "fade: {inn: 3}\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:8: unknown key `inn` in `fade`
            fade: {inn: 3}
                   ^
          expected in or out; did you mean `in`?
        """#
    ),
    (
        "fade: {in: {ease: sine}}\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:12: `in` has no `over`
            fade: {in: {ease: sine}}
                       ^
          write how long it takes, such as `over: 5`
        a.yaml:1:19: unknown easing `sine`
            fade: {in: {ease: sine}}
                              ^
          expected linear, or In, Out or InOut of sine, quad, cubic, quart, quint, expo, circ, back, elastic or bounce, such as `sineInOut`; did you mean `sineIn`?
        """#
    ),
    (
        "fade: 3\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:7: found `3`
            fade: 3
                  ^
          expected a mapping of `in` and `out`
        """#
    ),
    (
        "layers: [{tone: {}}]\ncues:\n  - {at: 5:00, set: {tone1.gain: -20}}\n  - {at: 4:00}\n",
        #"""
        a.yaml:4:10: the cue begins at 4:00, the one before it at 5:00
              - {at: 4:00}
                     ^
          expected cues in order of time
        """#
    ),
    (
        "clock: 24:00:00\ngains: db\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:8: found `24:00:00`
            clock: 24:00:00
                   ^
          expected a time of day from 0:00 to 23:59:59: h:mm or h:mm:ss
        a.yaml:2:8: unknown gain law `db`
            gains: db
                   ^
          expected decibels or amplitude
        """#
    ),
    (
        "layers: [{tone: {}}]\nduration: 10:00\nchapters:\n  - {at: 5:00}\n  - {at: 4:00}\n  - {at: 10:00}\n",
        #"""
        a.yaml:5:10: the chapter begins at 4:00, the one before it at 5:00
              - {at: 4:00}
                     ^
          expected chapters in order of time, each later than the one before
        a.yaml:6:10: the chapter begins at 10:00, the patch ends at 10:00
              - {at: 10:00}
                     ^
          expected an earlier time, or a longer duration
        """#
    ),
    (
        "layers: [{tone: {}}]\nchapters: [{title: x}]",
        #"""
        a.yaml:2:12: chapter 1 has no `at`
            chapters: [{title: x}]
                       ^
          write its start time, such as `at: 5:00`
        """#
    ),
    (
        "layers: [{tone: {}}]\nchapters: [{at: 0, ease: sinInOut, ower: 3}]",
        #"""
        a.yaml:2:26: unknown easing `sinInOut`
            chapters: [{at: 0, ease: sinInOut, ower: 3}]
                                     ^
          expected linear, or In, Out or InOut of sine, quad, cubic, quart, quint, expo, circ, back, elastic or bounce, such as `sineInOut`; did you mean `sineInOut`?
        a.yaml:2:36: unknown key `ower` in chapter 1
            chapters: [{at: 0, ease: sinInOut, ower: 3}]
                                               ^
          expected at, title, over, ease or set; did you mean `over`?
        """#
    ),
    (
        "layers: [{tone: {}}]\nchapters: [{at: 0, set: {ton1.gain: 3, tone1.beat: 3, tone1: 3, tone1.gain: 5, .: 2, tone1.carrier: 100, tone1.note: A4}}]",
        #"""
        a.yaml:2:26: unknown layer `ton1`
            chapters: [{at: 0, set: {ton1.gain: 3, tone1.beat: 3, tone1: 3, tone1.gain: 5, .: 2, tone1.carrier: …
                                     ^
          expected tone1; did you mean `tone1`?
        a.yaml:2:40: layer `tone1` (tone) has no `beat`
            chapters: [{at: 0, set: {ton1.gain: 3, tone1.beat: 3, tone1: 3, tone1.gain: 5, .: 2, tone1.carrier: …
                                                   ^
          expected carrier, phase, gain or pan
        a.yaml:2:55: found `tone1`
            chapters: [{at: 0, set: {ton1.gain: 3, tone1.beat: 3, tone1: 3, tone1.gain: 5, .: 2, tone1.carrier: …
                                                                  ^
          expected LAYER.PARAMETER, such as `bed.beat`
        a.yaml:2:77: tone1.gain is 5 dB
            chapters: [{at: 0, set: {ton1.gain: 3, tone1.beat: 3, tone1: 3, tone1.gain: 5, .: 2, tone1.carrier: …
                                                                                        ^
          expected -120 to 0 dB
        a.yaml:2:80: found `.`
            chapters: [{at: 0, set: {ton1.gain: 3, tone1.beat: 3, tone1: 3, tone1.gain: 5, .: 2, tone1.carrier: …
                                                                                           ^
          expected LAYER.PARAMETER, such as `bed.beat`
        a.yaml:2:106: `note` and `carrier` in `set` exclude each other
            …beat: 3, tone1: 3, tone1.gain: 5, .: 2, tone1.carrier: 100, tone1.note: A4}}]
                                                                         ^
          keep one of them
        """#
    ),
    (
        "title: \"a\\eb\"\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:8: a title contains a control character
            title: "a\eb"
                   ^
          remove it
        """#
    ),
    (
        "layers:\n\t- tone: {}\n",
        #"""
        a.yaml:2:1: the line is indented with a tab
            	- tone: {}
            ^
          YAML is indented with spaces
        """#
    ),
    (
        "layers: [{tone: {carrier: 440}\n",
        #"""
        a.yaml:1:10: not YAML: did not find expected ',' or '}' (while parsing a flow mapping)
            layers: [{tone: {carrier: 440}
                     ^
          a bracket or brace is not closed, or a comma is missing
        """#
    ),
    (
        "title: a: b\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:9: not YAML: mapping values are not allowed in this context
            title: a: b
                    ^
          quote text that contains a colon and a space, and check the indentation
        """#
    ),
    (
        "title: \"abc\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:8: not YAML: found unexpected end of stream (while scanning a quoted scalar)
            title: "abc
                   ^
          a quote is not closed
        """#
    ),
    (
        "title: @x\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:8: not YAML: found character that cannot start any token (while scanning for the next token on line 1)
            title: @x
                   ^
          quote text that begins with this character
        """#
    ),
    (
        "layers:\n  - tone: {}\n gain: 3\n",
        #"""
        a.yaml:3:2: not YAML: did not find expected key (while parsing a block mapping on line 1)
             gain: 3
             ^
          check the indentation of this line
        """#
    ),
    (
        "layers: [{tone: {}}]\n---\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:2:1: a second document begins here
            ---
            ^
          a file holds one document: remove the line `---`
        """#
    ),
    (
        "layers: [{tone: {}}]\n{a: 1",
        #"""
        a.yaml:2:1: not YAML: could not find expected ':' (while scanning a simple key)
            {a: 1
            ^
          put a colon and a space after a key
        """#
    ),
    (
        "layers: [&a {tone: {}}, *a]\n",
        #"""
        a.yaml:1:10: anchors (`&name`) and aliases (`*name`) are not supported
            layers: [&a {tone: {}}, *a]
                     ^
          write the value out where it is needed; quote text that begins with & or *
        """#
    ),
    (
        "title: &x a\nartist: *x\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:8: anchors (`&name`) and aliases (`*name`) are not supported
            title: &x a
                   ^
          write the value out where it is needed; quote text that begins with & or *
        """#
    ),
    (
        "title: *x\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:8: anchors (`&name`) and aliases (`*name`) are not supported
            title: *x
                   ^
          write the value out where it is needed; quote text that begins with & or *
        """#
    ),
    (
        "? [a, b]\n: 1\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:3: found a list as a key
            ? [a, b]
              ^
          expected a name; quote text that contains { or [
        """#
    ),
    (
        "title: [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:8: found a list
            title: [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]
                   ^
          expected a title
        a.yaml:1:23: lists or mappings are nested more than 16 deep
            title: [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]
                                  ^
        """#
    ),
    (
        "title: a\0b\nlayers: [{tone: {}}]\n",
        #"""
        a.yaml:1:9: not YAML: control characters are not allowed
            title: a�b
                    ^
        """#
    ),
]

@Suite("Messages about invalid patches") struct FaultMessageTests {
    @Test("every fault is reported with its place, what was found, what was expected and a suggestion", arguments: table.indices)
    func message(index: Int) {
        let error = #expect(throws: Diagnostics.self) { try Patch.parse(table[index].text, file: "a.yaml") }
        #expect(error?.description == table[index].message)
    }
}
