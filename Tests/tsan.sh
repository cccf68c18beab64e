#!/bin/bash
# The tests of what two threads share (ring, seqlock, engine) under thread sanitizer, in a build folder of their own.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
exec timeout 1200 swift test --sanitize=thread --scratch-path .build/tsan --filter 'RealTimeTests|EngineTests.LiveTests'
