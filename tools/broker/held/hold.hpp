#pragma once
// Workers: long-lived Python processes that answer over a socket, such as external environments (docs/external.md). The
// process that starts one watches, ends and waits for it as for any child. This code drops the worker's rights.

namespace optgap::broker {

/// Runs the command line `optgap-broker hold NAME=VALUE… -- WORD…`, given its words after "hold". Drops the rights that
/// no worker needs and becomes WORD…. Throws std::runtime_error with the failed step, as long as the worker has not
/// begun.
///
///     read=PATH       a file, or a folder with all beneath; may be given again
///     execute=PATH    a file, likewise
///     write=FOLDER    one that exists, for its temporary files; in namespaces a file system in memory lies there
///     keep=N          the descriptor of its socket; beside 0, 1 and 2 all others are closed
///     memory_mb=N     of address space
///     bubblewrap=PATH first makes namespaces that hold the paths above and nothing else
[[noreturn]] void hold(int count, char** words);

}  // namespace optgap::broker
