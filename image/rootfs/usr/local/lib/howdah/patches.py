"""Patroni's delays, shortened in memory. None of this touches how it elects, fences or replicates; but a member that
ends cleanly takes its name off the list itself, which Patroni leaves to expire, and one whose rewind was cut off begins anew.

Each patch names what it changes and why; where Patroni has moved on and a name is gone, the member refuses to start
instead of running unpatched in silence, so that a new version of Patroni is looked at by a person.
"""

import logging
import multiprocessing
import pathlib
import socket
import subprocess
import sys
import threading
import time

POLL_S = 0.1
PROMOTION_POLL_S = 0.03
START_POLL_S = 0.02
START_PATIENCE_S = 0.9
REWINDING = pathlib.Path("/data/rewinding")

logger = logging.getLogger(__name__)


def patch(owner, name, make):
    """Replaces a function of Patroni's by one made from it."""
    original = getattr(owner, name, None)
    if not callable(original):
        raise SystemExit(f"Patroni's {name} is not what this image was made for")
    setattr(owner, name, make(original))


def shorten_waits():
    import patroni.ha
    import patroni.postgresql
    import patroni.postgresql.postmaster
    from patroni.dcs.etcd3 import Etcd3
    from patroni.ha import Ha
    from patroni.postgresql import Postgresql

    # After a demotion Patroni looks only once a second whether the old primary is down before it gives the lead away.
    if patroni.postgresql.STOP_POLLING_INTERVAL != 1:
        raise SystemExit("Patroni's STOP_POLLING_INTERVAL is not what this image was made for")
    patroni.postgresql.STOP_POLLING_INTERVAL = POLL_S

    # It looks as rarely whether a promotion is through, and whether a synchronous standby that ends was let go.
    patch(patroni.postgresql, "polling_loop", more_often)
    patch(patroni.ha, "polling_loop", more_often)

    patch(Etcd3, "set_socket_options", without_delay)
    patch(Postgresql, "pg_isready", impatient)
    patch(patroni.postgresql.postmaster, "pg_ctl_start", lambda original: original)
    patroni.postgresql.postmaster.multiprocessing = Launching
    patch(Ha, "shutdown", leaving_at_once)
    patch(Ha, "__init__", seeing_the_server_end)


def finish_rewinds():
    from patroni.ha import Ha
    from patroni.postgresql.rewind import Rewind

    patch(Rewind, "pg_rewind", marked)
    patch(Ha, "_run_cycle", never_half_rewound)
    patch(Ha, "handle_starting_instance", following_from_the_start)


def leave_readers_out():
    from patroni.ha import Ha

    patch(Ha, "_failsafe_config", without_readers)


def without_readers(failsafe_config):
    """
    While etcd is away, a primary goes on as long as every member that could have taken its place says that it has not. One
    that never leads has nothing to say in that, and must not take the primary with it when it is gone.
    """

    def patched(self):
        members = failsafe_config(self)
        return members and {name: url for name, url in members.items() if not name.startswith("read-")}

    return patched


def more_often(polling_loop):
    def patched(timeout, interval=1):
        return polling_loop(timeout, min(interval, PROMOTION_POLL_S))

    return patched


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


class Launching:
    """
    Patroni starts PostgreSQL from a process of its own, so that the server is not its child, and for that process loads
    itself a second time: 0.3 s at every start. It takes the place of `multiprocessing` there; see pg_ctl_start.
    """

    # What the server prints goes where its log goes: it must not keep the pipe open through which its id comes.
    CODE = (
        "import os, sys; print(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, "
        "file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)]))"
    )

    @classmethod
    def get_context(cls, _method):
        return cls

    Pipe = staticmethod(multiprocessing.Pipe)

    class Process:
        def __init__(self, target, args):
            self.connection, self.command, self.environment = args

        def start(self):
            launched = subprocess.run(
                [sys.executable, "-I", "-S", "-c", Launching.CODE, *self.command],
                env=self.environment,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
            self.connection.send(int(launched.stdout) if launched.returncode == 0 else None)
            self.connection.close()

        def join(self):
            pass


def marked(pg_rewind):
    def patched(self, conn_kwargs):
        REWINDING.touch()
        is_whole = pg_rewind(self, conn_kwargs)
        if is_whole:
            REWINDING.unlink()
        return is_whole

    return patched


def never_half_rewound(run_cycle):
    """
    A rewind that was cut off, by the end of the primary or of this member, leaves files of both histories, which Patroni
    would start. They are kept until there is a primary to copy, and then the member begins with a copy.
    """

    from patroni.exceptions import DCSError

    def patched(self):
        if not REWINDING.exists() or self._async_executor.busy or self.state_handler.is_running():
            return run_cycle(self)
        try:
            self.load_cluster_from_dcs()
        except DCSError:
            return "a rewind was cut off: waiting for etcd"
        leader = self.cluster.leader
        status = leader and leader.name != self.state_handler.name and self.fetch_node_status(leader.member)
        if not status or not status.reachable or status.in_recovery:
            return "a rewind was cut off: waiting for a primary to copy"
        logger.warning("a rewind was cut off: what it has left is removed, to begin with a copy of %s", leader.name)
        self.state_handler.remove_data_directory()
        REWINDING.unlink()
        return run_cycle(self)

    return patched


def seeing_the_server_end(init):
    """Patroni finds out once a second whether its server still runs; a server that has died needs it at once."""

    def patched(self, *options):
        init(self, *options)
        threading.Thread(target=wake_at_ends, args=[self], daemon=True).start()

    return patched


def wake_at_ends(ha):
    pid_file = pathlib.Path(ha.state_handler.data_dir, "postmaster.pid")
    ran = False
    while True:
        try:
            runs = pathlib.Path("/proc", pid_file.read_text().partition("\n")[0]).exists()
        except OSError:
            runs = False
        if ran and not runs:
            ha.dcs.event.set()
        ran = runs
        time.sleep(POLL_S)


def following_from_the_start(handle_starting_instance):
    """
    A standby that begins while nobody leads is told of nobody to follow, and Patroni tells it of nobody before it answers.
    One that lacks WAL to answer would wait for ever.
    """

    def patched(self):
        handled = handle_starting_instance(self)
        server, leader = self.state_handler, self.cluster.leader
        if handled is None and server.is_starting() and leader and leader.conn_url and leader.name != server.name:
            data = pathlib.Path(server.data_dir)
            told = f"host={leader.conn_kwargs().get('host')} " in (data / "postgresql.conf").read_text()
            if not told and (data / "standby.signal").exists():
                logger.info("the server is told while it starts whom to follow: %s", leader.name)
                server.follow(leader, do_reload=True)
        return handled

    return patched


def leaving_at_once(shutdown):
    """
    A primary that ends gives its replicas a second to catch up before it hands over; where there is none, nobody needs it.
    And a member that has ended cleanly is none: its key goes at once, and not when it would expire, so that whoever leads,
    or wants to lead, does not ask for it in vain, two seconds each time.
    """
    from patroni.exceptions import DCSError

    def patched(self):
        stop = self.state_handler.stop
        etcd_answers = True
        try:
            self.load_cluster_from_dcs()
            if self.is_leader() and not self.get_failover_candidates(True):
                self.dcs.write_failsafe(self._failsafe_config() or {})
                self.state_handler.stop = lambda **options: stop(**{**options, "on_shutdown": None})
        except DCSError:
            etcd_answers = False
        shutdown(self)
        if etcd_answers and not self.state_handler.is_running():
            try:
                self.dcs._client.deleterange(self.dcs.member_path)
            except Exception as error:
                logger.info("the key of this member stays until it expires: %r", error)

    return patched
