"""Scores that make other programs do the work of a number of binaural layers: two sines, each with a gain, mixed into two channels."""

import struct
import subprocess
from pathlib import Path

SAMPLE_RATE = 48_000
BLOCK_SIZE = 64


def layer(index):
    """Left and right frequency in Hz of a layer."""
    carrier = 100 + 3 * index
    beat = 4 + index % 16
    return carrier + beat / 2, carrier - beat / 2


GAIN = 0.001


class Rival:
    """A program that renders `count` layers for `seconds` of sound without a sound card: `command` is its command line."""

    def __init__(self, name, program, prepare):
        self.name = name
        self.program = program
        self.prepare = prepare

    def command(self, folder, count, seconds):
        return self.prepare(Path(folder), count, seconds)


# SuperCollider: a score for scsynth -N, with a synth for every layer.

def osc_string(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def osc_message(address, *arguments):
    types = ","
    data = b""
    for argument in arguments:
        if isinstance(argument, int):
            types, data = types + "i", data + struct.pack(">i", argument)
        elif isinstance(argument, float):
            types, data = types + "f", data + struct.pack(">f", argument)
        elif isinstance(argument, str):
            types, data = types + "s", data + osc_string(argument)
        else:
            types, data = types + "b", data + struct.pack(">i", len(argument)) + argument + b"\0" * (-len(argument) % 4)
    return osc_string(address) + osc_string(types) + data


def osc_bundle(seconds, messages):
    data = osc_string("#bundle") + struct.pack(">Q", int(seconds * 2**32))
    for message in messages:
        data += struct.pack(">i", len(message)) + message
    return struct.pack(">i", len(data)) + data


def synth_definition(seconds, moving):
    """SinOsc.ar(left) * gain and SinOsc.ar(right) * gain to Out.ar(0); moving: all three come from a Line.kr over the whole time."""
    control, audio = 1, 2
    names = ["left", "right", "gain", "left2", "right2", "gain2"]
    constants = [0.0, float(seconds)]
    units = [("Control", control, [], [control] * len(names), 0)]
    sources = [(0, 0), (0, 1), (0, 2)]
    if moving:
        for index in range(3):
            units.append(("Line", control, [(0, index), (0, index + 3), (-1, 1), (-1, 0)], [control], 0))
            sources[index] = (len(units) - 1, 0)
    ears = []
    for ear in range(2):
        units.append(("SinOsc", audio, [sources[ear], (-1, 0)], [audio], 0))
        units.append(("BinaryOpUGen", audio, [(len(units) - 1, 0), sources[2]], [audio], 2))
        ears.append((len(units) - 1, 0))
    units.append(("Out", audio, [(-1, 0)] + ears, [], 0))

    def name(text):
        return struct.pack(">B", len(text)) + text.encode()

    data = b"SCgf" + struct.pack(">ih", 2, 1) + name("layer")
    data += struct.pack(">i", len(constants)) + b"".join(struct.pack(">f", value) for value in constants)
    data += struct.pack(">i", len(names)) + struct.pack(">f", 0) * len(names)
    data += struct.pack(">i", len(names)) + b"".join(name(text) + struct.pack(">i", i) for i, text in enumerate(names))
    data += struct.pack(">i", len(units))
    for kind, rate, inputs, outputs, special in units:
        data += name(kind) + struct.pack(">biih", rate, len(inputs), len(outputs), special)
        data += b"".join(struct.pack(">ii", *source) for source in inputs) + bytes(outputs)
    return data + struct.pack(">h", 0)


def scsynth(moving):
    def prepare(folder, count, seconds):
        score = folder / "score.osc"
        begin = [osc_message("/d_recv", synth_definition(seconds, moving))]
        for index in range(count):
            left, right = layer(index)
            values = {"left": left, "right": right, "gain": GAIN, "left2": left + 20, "right2": right + 20, "gain2": GAIN / 2}
            pairs = [part for key, value in values.items() for part in (key, float(value))]
            begin.append(osc_message("/s_new", "layer", 1000 + index, 1, 0, *pairs))
        bundles = [osc_bundle(0, [message]) for message in begin]
        score.write_bytes(b"".join(bundles) + osc_bundle(seconds, [osc_message("/c_set", 0, 0.0)]))
        return ["scsynth", "-N", str(score), "_", str(folder / "scsynth.wav"), str(SAMPLE_RATE), "WAV", "int16",
                "-z", str(BLOCK_SIZE), "-i", "0", "-o", "2", "-n", "2048"]
    return prepare


# Csound: an orchestra with one instrument, an event for every layer.

def csound(opcode, table):
    def prepare(folder, count, seconds):
        piece = folder / "layers.csd"
        events = "\n".join(f"i1 0 {seconds} {layer(i)[0]} {layer(i)[1]} {GAIN}" for i in range(count))
        piece.write_text(f"""<CsoundSynthesizer>
<CsInstruments>
sr = {SAMPLE_RATE}
ksmps = {BLOCK_SIZE}
nchnls = 2
0dbfs = 1
gisine ftgen 1, 0, 8192, 10, 1
instr 1
  aleft {opcode} p6, p4{table}
  aright {opcode} p6, p5{table}
  outs aleft, aright
endin
</CsInstruments>
<CsScore>
{events}
e {seconds}
</CsScore>
</CsoundSynthesizer>
""")
        return ["csound", "-n", "-d", "-m0", str(piece)]
    return prepare


# Pure Data: a patch with two osc~ for every layer, summed over two throw~/catch~ buses.

def pure_data(folder, count, seconds):
    patch = folder / "layers.pd"
    objects, wires = [], []

    def add(text):
        objects.append(text)
        return len(objects) - 1

    bang = add("#X obj 0 0 loadbang;")
    wires.append((bang, 0, add("#X msg 0 0 \\; pd dsp 1;"), 0))
    delay = add(f"#X obj 0 0 delay {seconds * 1000};")
    wires.append((bang, 0, delay, 0))
    wires.append((delay, 0, add("#X msg 0 0 \\; pd quit;"), 0))
    for ear in ("left", "right"):
        add(f"#X obj 0 0 catch~ {ear};")
    for index in range(count):
        for ear, frequency in zip(("left", "right"), layer(index)):
            oscillator = add(f"#X obj 0 0 osc~ {frequency};")
            gain = add(f"#X obj 0 0 *~ {GAIN};")
            bus = add(f"#X obj 0 0 throw~ {ear};")
            wires += [(oscillator, 0, gain, 0), (gain, 0, bus, 0)]
    lines = ["#N canvas 0 0 450 300 10;"] + objects + ["#X connect %d %d %d %d;" % wire for wire in wires]
    patch.write_text("\n".join(lines) + "\n")
    return ["pd", "-batch", "-nogui", "-r", str(SAMPLE_RATE), str(patch)]


# Faust: C made by its compiler, with a loop around it.

def faust(folder, count, seconds):
    program = folder / f"faust{count}"
    if not program.exists():
        voices = ", ".join(f"os.osc({frequency}) * {GAIN}" for i in range(count) for frequency in layer(i))
        (folder / "layers.dsp").write_text(f'import("stdfaust.lib");\nprocess = {voices or "0, 0"} :> _, _;\n')
        subprocess.run(["faust", "-lang", "c", "-cn", "layers", "layers.dsp", "-o", "layers.c"], cwd=folder, check=True)
        (folder / "main.c").write_text(f"""#include <stdlib.h>
#include "faust/gui/CInterface.h"
static inline int min(int a, int b) {{ return a < b ? a : b; }}
static inline int max(int a, int b) {{ return a > b ? a : b; }}
#include "layers.c"
int main(int count, char **arguments) {{
    layers *dsp = newlayers();
    float left[{BLOCK_SIZE}], right[{BLOCK_SIZE}], *outputs[] = {{left, right}};
    volatile float sink = 0;
    initlayers(dsp, {SAMPLE_RATE});
    for (long block = 0; block < atol(arguments[1]); block++) {{
        computelayers(dsp, {BLOCK_SIZE}, NULL, outputs);
        sink = left[0] + right[0];
    }}
    deletelayers(dsp);
}}
""")
        subprocess.run(["gcc", "-O3", "-ffast-math", "-o", str(program), "main.c", "-lm"], cwd=folder, check=True)
    return [str(program), str(seconds * SAMPLE_RATE // BLOCK_SIZE)]


RIVALS = [
    Rival("SuperCollider, SinOsc", "scsynth", scsynth(moving=False)),
    Rival("SuperCollider, SinOsc, all on Line.kr", "scsynth", scsynth(moving=True)),
    Rival("Csound, oscili", "csound", csound("oscili", ", 1")),
    Rival("Csound, poscil", "csound", csound("poscil", "")),
    Rival("Pure Data, osc~", "pd", pure_data),
    Rival("Faust, os.osc, gcc -O3 -ffast-math", "faust", faust),
]


# Offline: 16 binaural layers for ffmpeg's sbg demuxer, and the same as a patch.

def sbg_text(count):
    tones = " ".join(f"{100 + 20 * i}{4 + i % 8:+d}/3" for i in range(count))
    return f"all: {tones}\nNOW all\n"


def patch_text(count, minutes):
    layers = "".join(
        f"  - name: layer{i}\n    binaural: {{carrier: {100 + 20 * i}, beat: {4 + i % 8}}}\n    gain: -30.5\n" for i in range(count))
    return f"title: Benchmark\nduration: {minutes}:00\nlayers:\n{layers}"
