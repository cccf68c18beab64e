"""Runs a program to its end and prints what it took: seconds of the processor, and kilobytes of memory at most."""

import resource
import subprocess
import sys

subprocess.run(sys.argv[1:], capture_output=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
