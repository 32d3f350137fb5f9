"""System calls by number (x86-64), and filters for a test's own children that imitate another kernel or container."""

import ctypes
import errno
import struct

FORBIDDEN = {
    "ptrace": 101,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "bpf": 321,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "userfaultfd": 323,
    "keyctl": 250,
    "add_key": 248,
    "request_key": 249,
    "unshare": 272,
    "setns": 308,
    "mount": 165,
    "umount2": 166,
    "pivot_root": 155,
    "chroot": 161,
    "perf_event_open": 298,
    "open_by_handle_at": 304,
    "name_to_handle_at": 303,
    "pidfd_open": 434,
    "pidfd_getfd": 438,
    "pidfd_send_signal": 424,
    "personality": 135,
    "modify_ldt": 154,
    "kexec_load": 246,
    "init_module": 175,
    "finit_module": 313,
    "iopl": 172,
    "x32_getpid": 0x40000000 + 39,
}

NEW_NAMESPACES = 0x7E020000  # CLONE_NEW* of clone
_NAMESPACES = {"unshare": 272, "mount": 165, "setns": 308, "umount2": 166, "pivot_root": 155}
_LANDLOCK = {"create": 444, "add": 445, "restrict": 446}
KINDS = {
    "namespaces": (_NAMESPACES, errno.EPERM, True),
    "landlock": (_LANDLOCK, errno.ENOSYS, False),
    "memory": ({"memfd_create": 319}, errno.ENOMEM, False),
    # Calls that moby's default profile refuses and a sandbox could use.
    "docker": (
        {
            **_NAMESPACES,
            "perf_event_open": 298,
            "keyctl": 250,
            "bpf": 321,
            "userfaultfd": 323,
            "kcmp": 312,
            "chroot": 161,
            "open_by_handle_at": 304,
            "io_uring_setup": 425,
            "pidfd_getfd": 438,
        },
        errno.EPERM,
        True,
    ),
    "seccomp": ({}, errno.EINVAL, False),
}


def _statement(code, k, yes=0, no=0):
    return struct.pack("HBBI", code, yes, no, k)


def program(kind):
    """The filter's instructions."""
    calls, refusal, clone = KINDS[kind]
    load_number, load_argument = _statement(0x20, 0), _statement(0x20, 16)
    refuse, allow = _statement(0x06, 0x00050000 | refusal), _statement(0x06, 0x7FFF0000)
    out = [load_number]
    for number in calls.values():
        out += [_statement(0x15, number, 0, 1), refuse]
    if kind == "docker":
        out += [_statement(0x15, 435, 0, 1), _statement(0x06, 0x00050000 | errno.ENOSYS)]  # clone3
    if clone:  # only with a flag of namespaces
        out += [_statement(0x15, 56, 0, 4), load_argument, _statement(0x45, NEW_NAMESPACES, 0, 1), refuse, load_number]
    if kind == "seccomp":  # seccomp(2), and prctl(PR_SET_SECCOMP)
        out += [
            _statement(0x15, 317, 0, 1),
            refuse,
            _statement(0x15, 157, 0, 4),
            load_argument,
            _statement(0x15, 22, 0, 1),
            refuse,
            load_number,
        ]
    return b"".join([*out, allow])


def refuse(kind):
    """Installs the filter for this process and its descendants."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = program(kind)
    buffer = ctypes.create_string_buffer(code, len(code))

    class Filter(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_void_p)]

    given = Filter(len(code) // 8, ctypes.addressof(buffer))
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.byref(given), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no filter")
