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


CONTROL_RATE, AUDIO_RATE = 1, 2
SUBTRACT, MULTIPLY = 1, 2


class SynthDefinition:
    """The units of a synth. An input is a number, or a unit as `add` and `parameters` return it."""

    def __init__(self):
        self.names, self.constants, self.units = [], [], []

    def parameters(self, *names):
        self.names = names
        self.units.append(("Control", CONTROL_RATE, [], [CONTROL_RATE] * len(names), 0))
        return [(0, index) for index in range(len(names))]

    def add(self, kind, *inputs, rate=AUDIO_RATE, special=0):
        outputs = [] if kind == "Out" else [rate]
        self.units.append((kind, rate, [self.source(value) for value in inputs], outputs, special))
        return len(self.units) - 1, 0

    def multiply(self, one, other):
        return self.add("BinaryOpUGen", one, other, special=MULTIPLY)

    def source(self, value):
        if isinstance(value, tuple):
            return value
        if float(value) not in self.constants:
            self.constants.append(float(value))
        return -1, self.constants.index(float(value))

    @property
    def data(self):
        """Synth definition file, version 2."""
        def name(text):
            return struct.pack(">B", len(text)) + text.encode()

        data = b"SCgf" + struct.pack(">ih", 2, 1) + name("layer")
        data += struct.pack(">i", len(self.constants)) + b"".join(struct.pack(">f", value) for value in self.constants)
        data += struct.pack(">i", len(self.names)) + struct.pack(">f", 0) * len(self.names)
        data += struct.pack(">i", len(self.names)) + b"".join(name(text) + struct.pack(">i", i) for i, text in enumerate(self.names))
        data += struct.pack(">i", len(self.units))
        for kind, rate, inputs, outputs, special in self.units:
            data += name(kind) + struct.pack(">biih", rate, len(inputs), len(outputs), special)
            data += b"".join(struct.pack(">ii", *source) for source in inputs) + bytes(outputs)
        return data + struct.pack(">h", 0)


def sines(moving):
    """A sine in each ear with a gain; moving: frequencies and gain come from a Line.kr over the whole time."""
    def make(synth, seconds):
        values = synth.parameters("left", "right", "gain", "left2", "right2", "gain2")
        begin, end = values[:3], values[3:]
        if moving:
            begin = [synth.add("Line", *way, seconds, 0, rate=CONTROL_RATE) for way in zip(begin, end)]
        left, right, gain = begin
        return [synth.multiply(synth.add("SinOsc", frequency, 0), gain) for frequency in (left, right)]
    return make


def both_ears(sound):
    """A sound of the left frequency with a gain, in both ears."""
    def make(synth, seconds):
        left, right, gain = synth.parameters("left", "right", "gain")
        one = synth.multiply(sound(synth, left, right), gain)
        return [one, one]
    return make


def tone(synth, left, right):
    return synth.add("SinOsc", left, 0)


def monaural(synth, left, right):
    return synth.add("BinaryOpUGen", synth.add("SinOsc", left, 0), synth.add("SinOsc", right, 0))


def isochronic(synth, left, right):
    return synth.multiply(synth.add("SinOsc", left, 0), synth.add("Lag", synth.add("LFPulse", 10, 0, 0.5), 0.02))


def bell(synth, left, right):
    return synth.multiply(synth.add("SinOsc", left, 0), synth.add("Decay2", synth.add("Impulse", 0, 0), 0.005, 4))


def bilateral(synth, seconds):
    left, right, gain = synth.parameters("left", "right", "gain")
    sine, pulse = synth.multiply(synth.add("SinOsc", left, 0), gain), synth.add("LFPulse", 10, 0, 0.5)
    other = synth.add("BinaryOpUGen", 1, pulse, special=SUBTRACT)
    return [synth.multiply(sine, synth.add("Lag", wave, 0.02)) for wave in (pulse, other)]


def phase(synth, seconds):
    left, right, gain = synth.parameters("left", "right", "gain")
    swing = synth.add("SinOsc", 10, 0)
    return [synth.multiply(synth.add("SinOsc", left, synth.multiply(swing, depth)), gain) for depth in (0.785, -0.785)]


def harmonic_box(synth, seconds):
    left, right, gain = synth.parameters("left", "right", "gain")
    return [synth.multiply(monaural(synth, one, other), gain) for one, other in ((left, right), (right, left))]


def noise(kind):
    def make(synth, seconds):
        gain = synth.parameters("left", "right", "gain")[2]
        return [synth.multiply(synth.add(kind), gain) for _ in range(2)]
    return make


def differences(kind):
    def make(synth, seconds):
        gain = synth.parameters("left", "right", "gain")[2]
        return [synth.multiply(synth.add("HPZ1", synth.add(kind)), gain) for _ in range(2)]
    return make


def spin(synth, seconds):
    gain = synth.parameters("left", "right", "gain")[2]
    source, swing = synth.multiply(synth.add("PinkNoise"), gain), synth.add("SinOsc", 10, 0)
    delays = [synth.add("BinaryOpUGen", synth.multiply(swing, way), 0.0003) for way in (0.0003, -0.0003)]
    return [synth.add("DelayC", source, 0.01, delay) for delay in delays]


def scsynth(make):
    def prepare(folder, count, seconds):
        score = folder / "score.osc"
        synth = SynthDefinition()
        ears = make(synth, seconds)
        synth.add("Out", 0, *ears)
        begin = [osc_message("/d_recv", synth.data)]
        for index in range(count):
            left, right = layer(index)
            values = {"left": left, "right": right, "gain": GAIN, "left2": left + 20, "right2": right + 20, "gain2": GAIN / 2}
            pairs = [part for name in synth.names for part in (name, float(values[name]))]
            begin.append(osc_message("/s_new", "layer", 1000 + index, 1, 0, *pairs))
        bundles = [osc_bundle(0, [message]) for message in begin]
        score.write_bytes(b"".join(bundles) + osc_bundle(seconds, [osc_message("/c_set", 0, 0.0)]))
        return ["scsynth", "-N", str(score), "_", str(folder / "scsynth.wav"), str(SAMPLE_RATE), "WAV", "int16",
                "-z", str(BLOCK_SIZE), "-i", "0", "-o", "2", "-n", "2048"]
    return prepare


# Csound: an orchestra with one instrument, an event for every layer.

def csound(lines):
    """`lines` make aleft and aright of the amplitude p4 and the frequencies p5 and p6."""
    def prepare(folder, count, seconds):
        piece = folder / "layers.csd"
        events = "\n".join("i1 0 %d %r %r %r" % (seconds, GAIN, *layer(i)) for i in range(count))
        piece.write_text(f"""<CsoundSynthesizer>
<CsInstruments>
sr = {SAMPLE_RATE}
ksmps = {BLOCK_SIZE}
nchnls = 2
0dbfs = 1
gisine ftgen 1, 0, 8192, 10, 1
gipulse ftgen 2, 0, 8192, 7, 0, 1638, 1, 820, 1, 1638, 0, 4096, 0
instr 1
{lines}
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
    Rival("SuperCollider, SinOsc", "scsynth", scsynth(sines(moving=False))),
    Rival("SuperCollider, SinOsc, all on Line.kr", "scsynth", scsynth(sines(moving=True))),
    Rival("Csound, oscili", "csound", csound("aleft oscili p4, p5, 1\naright oscili p4, p6, 1")),
    Rival("Csound, poscil", "csound", csound("aleft poscil p4, p5\naright poscil p4, p6")),
    Rival("Pure Data, osc~", "pd", pure_data),
    Rival("Faust, os.osc, gcc -O3 -ffast-math", "faust", faust),
]

# Kind of layer to what comes nearest in other programs.
KIND_RIVALS = {
    "tone": [
        Rival("SuperCollider, SinOsc", "scsynth", scsynth(both_ears(tone))),
        Rival("Csound, oscili", "csound", csound("aleft oscili p4, p5, 1\naright = aleft"))],
    "monaural": [
        Rival("SuperCollider, two SinOsc", "scsynth", scsynth(both_ears(monaural))),
        Rival("Csound, two oscili", "csound", csound("a1 oscili p4, p5, 1\na2 oscili p4, p6, 1\naleft = a1 + a2\naright = aleft"))],
    "isochronic": [
        Rival("SuperCollider, SinOsc by Lag of LFPulse", "scsynth", scsynth(both_ears(isochronic))),
        Rival("Csound, oscili by oscili of a drawn pulse", "csound", csound(
            "apulse oscili p4, 10, 2\nasine oscili 1, p5, 1\naleft = asine * apulse\naright = aleft"))],
    "bilateral": [
        Rival("SuperCollider, SinOsc by Lag of LFPulse, in each ear", "scsynth", scsynth(bilateral)),
        Rival("Csound, oscili by oscili of a drawn pulse, in each ear", "csound", csound(
            "apulse oscili p4, 10, 2\naother oscili p4, 10, 2, 0.5\nasine oscili 1, p5, 1\naleft = asine * apulse\naright = asine * aother"))],
    "bell": [
        Rival("SuperCollider, SinOsc by Decay2", "scsynth", scsynth(both_ears(bell))),
        Rival("Csound, oscili by expon", "csound", csound(
            "adecay expon p4, 4, p4 * 0.001\nasine oscili 1, p5, 1\naleft = asine * adecay\naright = aleft"))],
    "phase": [
        Rival("SuperCollider, two SinOsc with the phase from a SinOsc", "scsynth", scsynth(phase)),
        Rival("Csound, two tablei with the phase from an oscili", "csound", csound(
            "aphase phasor p5\naswing oscili 0.125, 10, 1\nafirst tablei aphase + aswing, 1, 1, 0, 1\nasecond tablei aphase - aswing, 1, 1, 0, 1\n"
            "aleft = afirst * p4\naright = asecond * p4"))],
    "spin": [
        Rival("SuperCollider, PinkNoise and two DelayC", "scsynth", scsynth(spin)),
        Rival("Csound, pinkish and two vdelay3", "csound", csound(
            "anoise pinkish p4\naswing oscili 0.3, 10, 1\naleft vdelay3 anoise, 0.4 + aswing, 10\naright vdelay3 anoise, 0.4 - aswing, 10"))],
    "noise-white": [
        Rival("SuperCollider, two WhiteNoise", "scsynth", scsynth(noise("WhiteNoise"))),
        Rival("Csound, two noise", "csound", csound("aleft noise p4, 0\naright noise p4, 0"))],
    "noise-pink": [
        Rival("SuperCollider, two PinkNoise", "scsynth", scsynth(noise("PinkNoise"))),
        Rival("Csound, two pinkish", "csound", csound("aleft pinkish p4\naright pinkish p4"))],
    "noise-brown": [
        Rival("SuperCollider, two BrownNoise", "scsynth", scsynth(noise("BrownNoise"))),
        Rival("Csound, two fractalnoise", "csound", csound("aleft fractalnoise p4, 2\naright fractalnoise p4, 2"))],
    # The difference of two samples turns pink into blue and white into violet.
    "noise-blue": [
        Rival("SuperCollider, HPZ1 of PinkNoise, twice", "scsynth", scsynth(differences("PinkNoise"))),
        Rival("Csound, diff of pinkish, twice", "csound", csound("a1 pinkish p4\na2 pinkish p4\naleft diff a1\naright diff a2"))],
    "noise-violet": [
        Rival("SuperCollider, HPZ1 of WhiteNoise, twice", "scsynth", scsynth(differences("WhiteNoise"))),
        Rival("Csound, diff of noise, twice", "csound", csound("a1 noise p4, 0\na2 noise p4, 0\naleft diff a1\naright diff a2"))],
    "harmonicBox": [
        Rival("SuperCollider, two SinOsc in each ear", "scsynth", scsynth(harmonic_box)),
        Rival("Csound, two oscili in each ear", "csound", csound(
            "a1 oscili p4, p5, 1\na2 oscili p4, p6, 1\na3 oscili p4, p6, 1\na4 oscili p4, p5, 1\naleft = a1 + a2\naright = a3 + a4"))],
}


# Offline: 16 binaural layers for ffmpeg's sbg demuxer, and the same as a patch.

def sbg_text(count):
    tones = " ".join(f"{100 + 20 * i}{4 + i % 8:+d}/3" for i in range(count))
    return f"all: {tones}\nNOW all\n"


def patch_text(count, minutes):
    layers = "".join(
        f"  - name: layer{i}\n    binaural: {{carrier: {100 + 20 * i}, beat: {4 + i % 8}}}\n    gain: -30.5\n" for i in range(count))
    return f"title: Benchmark\nduration: {minutes}:00\nlayers:\n{layers}"
