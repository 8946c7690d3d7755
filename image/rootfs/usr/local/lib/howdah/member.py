"""A member: Patroni, with some of its delays shortened, and a bootstrap that can be cut off anywhere.

Each patch names what it changes and why; where Patroni has moved on and a name is gone, the member refuses to start
instead of running unpatched in silence, so that a new version of Patroni is looked at by a person.

Patroni's child processes import this file again under another name: at its top level stand definitions alone.
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
START_POLL_S = 0.02
START_PATIENCE_S = 0.9


class Bootstrap:
    """The first moments of a service's first member, begun while Patroni still loads.

    Whatever an interrupted try has left was never complete and never led, so nobody has written to it: it goes, and so
    does the key by which Patroni would take that try for one that still goes on.
    """

    @staticmethod
    def is_due():
        return os.path.exists(f"{ETC}/bootstrap.sql") and not os.path.exists(f"{ETC}/bootstrapped")

    def __init__(self):
        subprocess.run(["rm", "-rf", PREPARED, DATA], check=True)
        with open(f"{ETC}/patroni.yml", encoding="utf-8") as file:
            config = json.load(file)
        key = config["namespace"] + config["scope"] + "/initialize"
        self.forgetting = subprocess.Popen(ETCDCTL + [key], stdout=subprocess.DEVNULL)
        self.initialising = subprocess.Popen(INITDB + [PREPARED], stdout=subprocess.DEVNULL)

    def forget_interrupted_try(self):
        if self.forgetting.wait() != 0:
            raise SystemExit("etcd does not answer; the engine starts this member again")

    def finish_initdb(self):
        """The directory gets its name only when it is whole."""
        if self.initialising.wait() != 0:
            return False
        os.rename(PREPARED, DATA)
        return True


def patch(owner, name, make):
    """Replaces a function of Patroni's by one made from it."""
    original = getattr(owner, name, None)
    if not callable(original):
        raise SystemExit(f"Patroni's {name} is not what this image was made for")
    setattr(owner, name, make(original))


def without_delay(set_socket_options):
    """Small requests to etcd otherwise wait for delayed acknowledgements, 40 ms each."""

    def patched(self, sock, socket_options):
        set_socket_options(self, sock, socket_options)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    return patched


def impatient(pg_isready):
    """Patroni asks once a second while PostgreSQL starts; asking again within that second saves most of it."""
    from patroni.postgresql import STATE_NO_RESPONSE, STATE_REJECT

    def patched(self):
        deadline = time.monotonic() + START_PATIENCE_S
        while True:
            state = pg_isready(self)
            waiting = state in (STATE_NO_RESPONSE, STATE_REJECT) and self.is_starting() and self.is_running()
            if not waiting or time.monotonic() > deadline:
                return state
            time.sleep(START_POLL_S)

    return patched


def run():
    bootstrap = Bootstrap() if Bootstrap.is_due() else None

    # Patroni parses its tables of PostgreSQL's parameters at every start; libyaml takes a tenth of the time.
    import yaml

    yaml.SafeLoader = yaml.CSafeLoader

    import patroni.postgresql
    from patroni.__main__ import main
    from patroni.dcs.etcd3 import Etcd3
    from patroni.postgresql import Postgresql

    # After a demotion Patroni looks only once a second whether the old primary is down before it gives the lead away.
    if patroni.postgresql.STOP_POLLING_INTERVAL != 1:
        raise SystemExit("Patroni's STOP_POLLING_INTERVAL is not what this image was made for")
    patroni.postgresql.STOP_POLLING_INTERVAL = 0.1

    patch(Etcd3, "set_socket_options", without_delay)
    patch(Postgresql, "pg_isready", impatient)
    # A member that does not begin a database has no initdb to do, whatever Patroni may think.
    patch(Postgresql, "initdb", lambda _: lambda self, *_options: bootstrap is not None and bootstrap.finish_initdb())

    if bootstrap is not None:
        bootstrap.forget_interrupted_try()
    main()


if __name__ == "__main__":
    run()
