"""A member: Patroni, with some of its delays shortened.

Each patch names what it changes and why; where Patroni has moved on and a name is gone, the member refuses to start
instead of running unpatched in silence, so that a new version of Patroni is looked at by a person.
"""

import json
import os
import socket
import subprocess
import time

ETC = "/data/etc"
DATA = "/data/pg"
PREPARED = "/data/pg.prepared"
INITDB = (
    "initdb --no-sync --data-checksums --username=postgres --auth-local=peer --auth-host=reject "
    "--encoding=UTF8 --locale=C.UTF-8 --locale-provider=builtin --builtin-locale=C.UTF-8"
).split()
ETCDCTL = (
    f"etcdctl --endpoints=https://etcd:2379 --cacert={ETC}/ca.crt --cert={ETC}/server.crt --key={ETC}/server.key "
    "--dial-timeout=5s --command-timeout=10s del"
).split()


def begins_anew():
    """
    Whether this is a service's first member and has not finished its bootstrap yet. What an interrupted try left was
    never complete and never led, so nobody has written to it.
    """
    return os.path.exists(f"{ETC}/bootstrap.sql") and not os.path.exists(f"{ETC}/bootstrapped")


def forget_interrupted_try():
    """Removes the key by which Patroni would take an interrupted bootstrap for one that still goes on."""
    with open(f"{ETC}/patroni.yml", encoding="utf-8") as file:
        config = json.load(file)
    key = config["namespace"] + config["scope"] + "/initialize"
    return subprocess.Popen(ETCDCTL + [key], stdout=subprocess.DEVNULL)


def initialise():
    """Begins the initdb while Patroni still loads."""
    subprocess.run(["rm", "-rf", PREPARED, DATA], check=True)
    return subprocess.Popen(INITDB + [PREPARED], stdout=subprocess.DEVNULL)


forgetting, initialising = (forget_interrupted_try(), initialise()) if begins_anew() else (None, None)

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
    if initialising is None or initialising.wait() != 0:
        return False
    os.rename(PREPARED, self.data_dir)
    return True


Postgresql.initdb = initdb

if forgetting is not None and forgetting.wait() != 0:
    raise SystemExit("etcd does not answer; the engine starts this member again")

main()
