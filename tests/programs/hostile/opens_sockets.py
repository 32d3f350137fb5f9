# ok
import _socket
for family in (_socket.AF_INET, _socket.AF_INET6, _socket.AF_UNIX, _socket.AF_NETLINK, 40, 17, 38):
    for kind in (_socket.SOCK_STREAM, _socket.SOCK_DGRAM, _socket.SOCK_RAW):
        try:
            _socket.socket(family, kind, 0)
            print("ALLOWED", family, kind)
        except OSError:
            print("refused", family, kind)
try:
    _socket.socketpair()
    print("ALLOWED pair")
except OSError:
    print("refused pair")
