"""The first moments of a service's first member, begun while Patroni still loads: a new database, or a fork of another.

Both can be cut off anywhere. Until the member has led once, its bootstrap begins again at every start; the key by which
Patroni would take the earlier try for one that still goes on is removed first.
"""

import json
import os
import subprocess

ETC = "/data/etc"
DATA = "/data/pg"
# Under this name stands what is no database of the service yet.
PREPARED = "/data/pg.prepared"
# Where copy-parent leaves a copy that is whole.
COPY = "/data/pg.fork"
# Where Patroni puts a database whose bootstrap has failed.
FAILED = "/data/pg.failed"
INITDB = (
    "initdb --no-sync --data-checksums --username=postgres --auth-local=peer --auth-host=reject "
    "--encoding=UTF8 --locale=C.UTF-8 --locale-provider=builtin --builtin-locale=C.UTF-8"
).split()
ETCDCTL = (
    f"etcdctl --endpoints=https://etcd:2379 --cacert={ETC}/ca.crt --cert={ETC}/server.crt --key={ETC}/server.key "
    "--dial-timeout=5s --command-timeout=10s del"
).split()


def begin():
    """Begins where a bootstrap is due; None for a member that joins, or has led."""
    if not os.path.exists(f"{ETC}/bootstrap.sql") or os.path.exists(f"{ETC}/bootstrapped"):
        return None
    with open(f"{ETC}/patroni.yml", encoding="utf-8") as file:
        config = json.load(file)
    beginning = Fork if config["bootstrap"].get("method") == "fork" else NewDatabase
    return beginning(config["namespace"] + config["scope"] + "/initialize")


def clear_unfinished_copy():
    """
    A copy of the primary that was cut off: what makes it a database comes last, and no server has ever run on it. Patroni
    takes such a directory for a broken database, and leaves it to people.
    """
    if not any(os.path.exists(f"{DATA}/{name}") for name in ("global/pg_control", "postmaster.opts")):
        subprocess.run(["rm", "-rf", DATA], check=True)


class Beginning:
    def __init__(self, key):
        self.forgetting = subprocess.Popen(ETCDCTL + [key], stdout=subprocess.DEVNULL)

    def forget_interrupted_try(self):
        if self.forgetting.wait() != 0:
            raise SystemExit("etcd does not answer; the engine starts this member again")


class NewDatabase(Beginning):
    """Whatever an interrupted try has left was never complete and never led, so nobody has written to it: it goes."""

    def __init__(self, key):
        super().__init__(key)
        subprocess.run(["rm", "-rf", PREPARED, DATA, FAILED], check=True)
        self.initialising = subprocess.Popen(INITDB + [PREPARED], stdout=subprocess.DEVNULL)

    def complete(self):
        """The directory gets its name only when it is whole."""
        if self.initialising.wait() != 0:
            return False
        os.rename(PREPARED, DATA)
        return True


class Fork(Beginning):
    """
    There is only the one copy, and it moves: a try that was cut off has left it under another name, as a database like
    any after a crash. Nobody but that try has written to it, so it serves the next one.
    """

    def __init__(self, key):
        super().__init__(key)
        for left in (DATA, FAILED):
            # An empty directory in the place of data is no data.
            if os.path.exists(f"{left}/PG_VERSION") and not os.path.exists(COPY):
                forget_server(left)
                os.rename(left, COPY)
            subprocess.run(["rm", "-rf", left], check=True)

    def complete(self):
        if not os.path.exists(COPY):
            return False
        os.rename(COPY, DATA)
        return True


def forget_server(data):
    """What a server that was killed leaves behind; its process ids belong to others by now."""
    for name in ("postmaster.pid", "postmaster.opts", "patroni.dynamic.json"):
        if os.path.exists(f"{data}/{name}"):
            os.remove(f"{data}/{name}")
