"""A member: Patroni, with some of its delays shortened, and a bootstrap that can be cut off anywhere.

Patroni's child processes may import this file again under another name: at its top level stand definitions alone.
"""

from beginning import begin, clear_unfinished_copy
from logs import keep_logs
from reserve import keep_reserve


def run():
    keep_reserve()
    keep_logs()
    clear_unfinished_copy()
    beginning = begin()

    # Patroni parses its tables of PostgreSQL's parameters at every start; libyaml takes a tenth of the time.
    import yaml

    yaml.SafeLoader = yaml.CSafeLoader

    from patroni.__main__ import main
    from patroni.postgresql import Postgresql
    from patches import finish_rewinds, leave_readers_out, patch, shorten_waits

    shorten_waits()
    finish_rewinds()
    leave_readers_out()
    # A member that does not begin a database has no initdb to do, whatever Patroni may think.
    patch(Postgresql, "initdb", lambda _: lambda self, *_options: beginning is not None and beginning.complete())

    if beginning is not None:
        beginning.forget_interrupted_try()
    main()


if __name__ == "__main__":
    run()
