"""JACK's transport as any client sees and moves it."""
import ctypes


class Position(ctypes.Structure):
    """jack_position_t"""
    _pack_ = 1
    _fields_ = [("unique_1", ctypes.c_uint64), ("usecs", ctypes.c_uint64), ("frame_rate", ctypes.c_uint32), ("frame", ctypes.c_uint32),
                ("valid", ctypes.c_uint32), ("bar", ctypes.c_int32), ("beat", ctypes.c_int32), ("tick", ctypes.c_int32),
                ("bar_start_tick", ctypes.c_double), ("beats_per_bar", ctypes.c_float), ("beat_type", ctypes.c_float),
                ("ticks_per_beat", ctypes.c_double), ("beats_per_minute", ctypes.c_double), ("rest", ctypes.c_uint8 * 256)]


TIMEBASE = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_uint32, ctypes.POINTER(Position), ctypes.c_int, ctypes.c_void_p)


class Transport:
    """JACK's transport as any client sees and moves it."""

    def __init__(self, name):
        self.jack, self.callback, self.callbacks = ctypes.CDLL("libjack.so.0"), None, []
        self.jack.jack_client_open.restype = ctypes.c_void_p
        self.client = ctypes.c_void_p(self.jack.jack_client_open(name.encode(), 1, None))
        assert self.client, "no client for the transport"
        assert self.jack.jack_activate(self.client) == 0

    def look(self):
        """Whether it rolls, its frame, and the timebase master's beats a minute, None without one."""
        position = Position()
        state = self.jack.jack_transport_query(self.client, ctypes.byref(position))
        return state == 1, position.frame, position.beats_per_minute if position.valid & 0x10 else None

    @property
    def rolls(self):
        return self.look()[0]

    @property
    def frame(self):
        return self.look()[1]

    @property
    def tempo(self):
        return self.look()[2]

    @property
    def beats(self):
        """Whole beats before the frame, as counted by the timebase master; None without one. The meaning of a tick varies."""
        position = Position()
        self.jack.jack_transport_query(self.client, ctypes.byref(position))
        return (position.bar - 1) * position.beats_per_bar + position.beat - 1 if position.valid & 0x10 else None

    def start(self):
        self.jack.jack_transport_start(self.client)

    def stop(self):
        self.jack.jack_transport_stop(self.client)

    def locate(self, frame):
        assert self.jack.jack_transport_locate(self.client, ctypes.c_uint32(frame)) == 0

    def be_master(self, **values):
        """Becomes the timebase master of 4/4 at 120, except for these values; `asked` counts its calls, also as its tick."""
        def fill_position(_state, _frames, position, _is_new, _argument):
            said = dict(bar=1, beat=1, tick=self.asked, beats_per_bar=4, beat_type=4, ticks_per_beat=1920, beats_per_minute=120) | values
            for name, value in said.items():
                setattr(position.contents, name, value)
            position.contents.valid = 0x10
            self.asked += 1
        self.asked, before = 0, self.callback
        self.callback = TIMEBASE(fill_position)
        assert self.jack.jack_set_timebase_callback(self.client, 0, self.callback, None) == 0
        # As long as a cycle may still call it.
        self.callbacks.append(before)

    def timebase_is_free(self):
        """Whether there is no timebase master: tested by becoming it conditionally, and releasing it."""
        callback = TIMEBASE(lambda *_: None)
        answer = self.jack.jack_set_timebase_callback(self.client, 1, callback, None)
        if answer == 0:
            self.jack.jack_release_timebase(self.client)
            self.callbacks.append(callback)  # as long as a cycle may still call it
        return answer == 0

    def close(self):
        self.jack.jack_client_close(self.client)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
