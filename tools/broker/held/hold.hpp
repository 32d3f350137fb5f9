#pragma once
// Workers: processes of Python that stay and answer over a socket, as environments of others do (docs/external.md).
// Whoever starts one watches it, ends it and waits for it as for any child of its own; what stands here takes its
// rights.

namespace optgap::broker {

/// Of the command line `optgap-broker hold NAME=VALUE… -- WORD…`, its words behind "hold": gives up what no worker
/// needs and becomes WORD…. Throws std::runtime_error, which says the step, while nothing of the worker has begun.
///
///     read=PATH       a file, or a folder with all beneath; may be given again
///     execute=PATH    a file, likewise
///     write=FOLDER    one that exists, for its temporary files; in namespaces a file system in memory lies there
///     keep=N          the descriptor of its socket; beside 0, 1 and 2 all others are closed
///     memory_mb=N     of address space
///     bubblewrap=PATH first makes namespaces that hold the paths above and nothing else
[[noreturn]] void hold(int count, char** words);

}  // namespace optgap::broker
