"""Room on the disk that is kept for one purpose: a server that ended on a full disk has to recover before anybody can
free space, and recovery itself writes. The file that holds this room is given up when that is so, and made again later.
"""

import logging
import os
import threading
import time

VOLUME = "/data"
RESERVE = f"{VOLUME}/reserve"
PIDFILE = f"{VOLUME}/pg/postmaster.pid"
# Three segments of WAL: the rest of what is replayed, the first one of a new timeline, and the one after it.
RESERVE_BYTES = 3 * 16 * 1024**2
# Made only where it cannot be what makes the disk full: far from where the guard calls it low.
PLENTY_BYTES = 4 * 1024**3
LOOK_EVERY_S = 0.5

logger = logging.getLogger(__name__)


def keep_reserve():
    """Looks at once, before anything writes, and from then on beside everything else."""
    look(ready=False)
    threading.Thread(target=watch, name="reserve", daemon=True).start()


def watch():
    while True:
        time.sleep(LOOK_EVERY_S)
        try:
            look(is_ready())
        except OSError as error:
            logger.warning("the reserve on the disk could not be looked after: %s", error)


def look(ready):
    volume = os.statvfs(VOLUME)
    available = volume.f_bavail * volume.f_frsize
    there = os.path.exists(RESERVE)
    if there and not ready and available < RESERVE_BYTES:
        os.remove(RESERVE)
        logger.warning("the disk is full, and PostgreSQL is not up: the reserve was given up, so that it can recover")
    elif not there and ready and available > min(PLENTY_BYTES, volume.f_blocks * volume.f_frsize * 3 // 4):
        make()


def make():
    """It gets its name only when it is whole."""
    partial = RESERVE + ".partial"
    with open(partial, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)
    os.rename(partial, RESERVE)


def is_ready():
    """As the postmaster itself says on the last line of its file. One that is gone has left that as it was."""
    try:
        with open(PIDFILE, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except FileNotFoundError:
        return False
    ready = len(lines) > 7 and lines[7].strip() in ("ready", "standby")
    return ready and os.path.exists(f"/proc/{lines[0].strip()}")
