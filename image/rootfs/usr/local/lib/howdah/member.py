"""A member: Patroni, with some of its delays shortened.

Each patch names what it changes and why; where Patroni has moved on and a name is gone, the member refuses to start
instead of running unpatched in silence, so that a new version of Patroni is looked at by a person.
"""

import os
import socket
import subprocess
import time

DATA = "/data/pg"
PREPARED = "/data/pg.prepared"
INITDB = (
    "initdb --no-sync --data-checksums --username=postgres --auth-local=peer --auth-host=reject "
    "--encoding=UTF8 --locale=C.UTF-8 --locale-provider=builtin --builtin-locale=C.UTF-8"
).split()


def prepare():
    """Begins the initdb of a service's first member while Patroni still loads; None where there is none to do."""
    if not os.path.exists("/data/etc/bootstrap.sql") or os.path.exists(DATA):
        return None
    subprocess.run(["rm", "-rf", PREPARED], check=True)
    return subprocess.Popen(INITDB + [PREPARED], stdout=subprocess.DEVNULL)


preparation = prepare()

import yaml  # noqa: E402

# Patroni parses its tables of PostgreSQL's parameters at every start; libyaml takes a tenth of the time.
yaml.SafeLoader = yaml.CSafeLoader

import patroni.postgresql
from patroni.__main__ import main
from patroni.dcs.etcd3 import Etcd3
from patroni.postgresql import STATE_NO_RESPONSE, STATE_REJECT, Postgresql

# After a demotion Patroni looks only once a second whether the old primary is down before it gives the lead away.
if patroni.postgresql.STOP_POLLING_INTERVAL != 1:
    raise SystemExit("Patroni's STOP_POLLING_INTERVAL is not what this image was made for")
patroni.postgresql.STOP_POLLING_INTERVAL = 0.1


# Small requests to etcd otherwise wait for delayed acknowledgements, 40 ms each.
_set_socket_options = Etcd3.set_socket_options


def set_socket_options(self, sock, socket_options):
    _set_socket_options(self, sock, socket_options)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


Etcd3.set_socket_options = set_socket_options


# Patroni asks pg_isready once a second while PostgreSQL starts; asking again within that second saves most of it.
_pg_isready = Postgresql.pg_isready
START_POLL_S = 0.02
START_PATIENCE_S = 0.9


def pg_isready(self):
    deadline = time.monotonic() + START_PATIENCE_S
    while True:
        state = _pg_isready(self)
        waiting = state in (STATE_NO_RESPONSE, STATE_REJECT) and self.is_starting() and self.is_running()
        if not waiting or time.monotonic() > deadline:
            return state
        time.sleep(START_POLL_S)


Postgresql.pg_isready = pg_isready

# The place of Patroni's own initdb is taken by the one begun above. Its directory gets its name only when it is whole.
if not callable(Postgresql.initdb):
    raise SystemExit("Patroni's Postgresql.initdb is not what this image was made for")


def initdb(self, *_options):
    if preparation is None or preparation.wait() != 0:
        return False
    os.rename(PREPARED, self.data_dir)
    return True


Postgresql.initdb = initdb

if __name__ == "__main__":
    main()
