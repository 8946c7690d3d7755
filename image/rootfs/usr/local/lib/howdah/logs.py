"""PostgreSQL's own log, which its collector writes as JSON into files beside the data: a bounded number of bytes for a
bounded time. Files are named by when they begin, so that their names sort as they were written.
"""

import json
import logging
import os
import shutil
import threading
import time

VOLUME = "/data"
FOLDER = f"{VOLUME}/log"
CONFIG = f"{VOLUME}/etc/patroni.yml"
TRIM_EVERY_S = 5
# Where the disk has less than this left, all but a tenth of the log gives way.
LITTLE_BYTES = 512 * 1024**2

logger = logging.getLogger(__name__)


def keep_logs():
    """From now on, beside everything else. A member that is told no bounds, by an earlier version, keeps no log."""
    with open(CONFIG, encoding="utf-8") as file:
        bounds = json.load(file).get("howdah", {}).get("log")
    if bounds is None:
        return
    os.makedirs(FOLDER, mode=0o700, exist_ok=True)
    threading.Thread(target=watch, args=[bounds], name="logs", daemon=True).start()


def watch(bounds):
    while True:
        try:
            trim(bounds["bytes"], bounds["seconds"], time.time())
        except OSError as error:
            logger.warning("the log could not be trimmed: %s", error)
        time.sleep(TRIM_EVERY_S)


def files():
    """Newest first, without what is being written. Beside each file stands one with what did not come as JSON."""
    names = sorted((name for name in os.listdir(FOLDER) if name.startswith("postgresql-")), reverse=True)
    newest = {suffix: next((name for name in names if name.endswith(suffix)), None) for suffix in (".json", ".log")}
    return [name for name in names if name not in newest.values()]


def trim(most_bytes, most_seconds, now):
    """Removes the oldest files. The newest stays: the collector writes into it, and no more than a part of what is kept."""
    if shutil.disk_usage(VOLUME).free < LITTLE_BYTES:
        most_bytes //= 10
    kept = 0
    for name in files():
        path = f"{FOLDER}/{name}"
        found = os.stat(path)
        kept += found.st_size
        if kept > most_bytes or found.st_mtime < now - most_seconds:
            os.remove(path)
