"""On a peer's PYTHONPATH: no connection leaves this machine, and who tries is written down in $LOOPBACK_LOG."""

import os
import socket

_connect, _lookup = socket.socket.connect, socket.getaddrinfo
_HERE = {"127.0.0.1", "::1", "localhost", "0.0.0.0", None, ""}


def _refuse(host):
    with open(os.environ["LOOPBACK_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{host}\n")
    raise OSError(f"{host} is not this machine")


def connect(self, address):
    if isinstance(address, tuple) and address[0] not in _HERE:
        _refuse(address[0])
    return _connect(self, address)


def lookup(host, *arguments, **options):
    name = host.decode() if isinstance(host, bytes) else host
    return _lookup(host, *arguments, **options) if name in _HERE else _refuse(name)


socket.socket.connect = connect
socket.getaddrinfo = lookup
