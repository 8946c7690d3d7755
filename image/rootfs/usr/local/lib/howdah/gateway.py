"""The gateway: HAProxy, started with the addresses that may connect, and told of others while it runs.

    gateway.py                      becomes HAProxy
    gateway.py admit '<admission>'  changes who may connect, and ends the sessions of those who no longer may

An admission is JSON: `list`, what was asked for, and `admitted`, what follows from it: for each range "yes" or "no", of
which the narrowest one around an address decides. It stands in the volume, so that it holds from the first connection
on after any start. Whether it holds now is told by HAProxy itself, as the last thing: whatever was interrupted is not
told, and so done again.
"""

import contextlib
import fcntl
import ipaddress
import itertools
import json
import os
import re
import socket
import sys
import time

CONFIG = "/data/etc/haproxy.cfg"
ADMISSION = "/data/etc/admission.json"
ADMITTED = "/run/admitted.map"
TOLD = "/run/told.map"
SOCKET = "/run/haproxy.sock"
ANCHOR = "/run/anchor.sock"
LOCK = "/run/admission.lock"
ANSWER_WITHIN_S = 2
# Longer than HAProxy tries to reach a server.
SESSIONS_END_WITHIN_S = 5
LOOK_AGAIN_S = 0.02
# Of what fits into HAProxy's buffer.
COMMANDS_AT_ONCE = 100

SESSION = re.compile(r"(0x[0-9a-f]+): proto=\S+ src=(\S+):\d+ .*\bscf=\[\d+,([0-9a-f]+)h,.*\bscb=\[(\d+),")
# Its client's side when the client has sent its last byte (SC_FL_EOS).
SILENT = 0x40000
# The state of its server's side from which on it is connected (SC_ST_EST).
CONNECTED = 8


def run():
    with open(ADMISSION, encoding="utf-8") as file:
        admission = json.load(file)
    with open(ADMITTED, "w", encoding="utf-8") as file:
        file.writelines(f"{cidr} {verdict}\n" for cidr, verdict in admission["admitted"].items())
    with open(TOLD, "w", encoding="utf-8") as file:
        file.write(f"allowed {told(admission)}\n")
    environment = {**os.environ, "IPV6": "1"} if has_ipv6() else os.environ
    os.execvpe("haproxy", ["haproxy", "-W", "-db", "-f", CONFIG], environment)


def admit(admission):
    with open(LOCK, "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        keep(admission)
        open_door()  # Which one that died may have left shut.
        if "allowed" in entries(TOLD):
            ask(f"del map {TOLD} allowed")
        change_map(admission["admitted"])
        end_sessions(admission["admitted"])
        ask(f"add map {TOLD} allowed {told(admission)}")


def told(admission):
    """Without spaces, as HAProxy wants a value."""
    return json.dumps(admission["list"], separators=(",", ":"))


def has_ipv6():
    try:
        with socket.create_server(("::", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


def keep(admission):
    partial = ADMISSION + ".partial"
    with open(partial, "w", encoding="utf-8") as file:
        json.dump(admission, file)
        file.flush()
        os.fsync(file.fileno())
    os.rename(partial, ADMISSION)


def change_map(wanted):
    """Who may come comes in before anybody else is kept out, so that who may come all along never finds a closed door.

    Entry by entry and not by `prepare` and `commit`: while two versions are there, HAProxy 3.0 looks only at the
    narrowest range of both, and finds nothing where that is of the other version.
    """
    current = entries(ADMITTED)
    for cidr, verdict in sorted(wanted.items(), key=lambda entry: entry[1] != "yes"):
        if cidr not in current:
            ask(f"add map {ADMITTED} {cidr} {verdict}")
        elif current[cidr] != verdict:
            ask(f"set map {ADMITTED} {cidr} {verdict}")
    for cidr in current.keys() - wanted.keys():
        ask(f"del map {ADMITTED} {cidr}")


def end_sessions(admitted):
    """Only connected ones: HAProxy 3.0 forgets one that is shut down while it connects, and its client hangs for good.

    One whose client has closed already cannot be shut down, nor ask for anything more: it ends with the server's answer.
    """
    ranges = [(ipaddress.ip_network(cidr), verdict) for cidr, verdict in admitted.items()]
    deadline = time.monotonic() + SESSIONS_END_WITHIN_S
    while unwelcome := [each for each in sessions() if is_unwelcome(each, ranges)]:
        if time.monotonic() > deadline:
            raise SystemExit(f"{len(unwelcome)} sessions that may no longer be do not end: {unwelcome[0]['line']}")
        if any(each["connected"] for each in unwelcome):
            with door_held():
                ending = [each["id"] for each in sessions() if each["connected"] and is_unwelcome(each, ranges)]
                for some in itertools.batched(ending, COMMANDS_AT_ONCE):
                    ask(";".join(f"shutdown session {each}" for each in some), may_be_gone=True)
        time.sleep(LOOK_AGAIN_S)


@contextlib.contextmanager
def door_held():
    """No session begins meanwhile; who knocks waits for that moment.

    HAProxy calls a session by its place in memory. One that ends between a look and a command leaves its place to the
    next, who may be welcome, or still connecting. Where one session is the limit and there is one of our own, there is
    no next.
    """
    with socket.socket(socket.AF_UNIX) as own:
        own.settimeout(ANSWER_WITHIN_S)
        own.connect(ANCHOR)
        deadline = time.monotonic() + ANSWER_WITHIN_S
        while " fe=anchor " not in ask("show sess"):
            if time.monotonic() > deadline:
                raise SystemExit("HAProxy does not take the session that is to hold its door")
        try:
            ask("set maxconn global 1")
            yield
        finally:
            open_door()


def open_door():
    """Zero is as many as it was started with."""
    ask("set maxconn global 0")


def sessions():
    """Of clients; one that cannot be read is an error, since it might be one to end."""
    for line in ask("show sess").splitlines():
        if " fe=endpoint " not in line and " fe=pooled " not in line:
            continue
        session = SESSION.match(line)
        if not session:
            raise SystemExit(f"not a session as HAProxy 3.0 shows it: {line}")
        yield {
            "line": line,
            "id": session[1],
            "source": ipaddress.ip_address(session[2]),
            "silent": int(session[3], 16) & SILENT != 0,
            "connected": int(session[4]) >= CONNECTED,
        }


def is_unwelcome(session, ranges):
    if session["silent"]:
        return False
    around = [(network.prefixlen, verdict) for network, verdict in ranges if session["source"] in network]
    return max(around)[1] != "yes"


def entries(name):
    """What a map holds now: every line is a reference, a key and a value."""
    answer = ask(f"show map {name}")
    lines = [line.split(" ", 2) for line in answer.splitlines() if line]
    if any(len(line) < 3 or not line[0].startswith("0x") for line in lines):
        raise SystemExit(f"not a map as HAProxy 3.0 shows it: {answer}")
    return {key: value for _, key, value in lines}


def ask(command, may_be_gone=False):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_WITHIN_S)
        connection.connect(SOCKET)
        connection.sendall(f"{command}\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    if not command.startswith("show ") and answer.strip() and not may_be_gone:
        raise SystemExit(f"{command.split()[0:3]}: HAProxy says: {answer.strip()}")
    return answer


if __name__ == "__main__":
    if sys.argv[1:2] == ["admit"]:
        admit(json.loads(sys.argv[2]))
    else:
        run()
