#include "tools/wasm/wasi.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include <unistd.h>

namespace optgap::wasm {
namespace {

// Numbers of WASI preview 1's errno.
constexpr std::int32_t good = 0, bad_descriptor = 8, bad_address = 21, invalid = 28, not_supported = 58,
                       seek_a_pipe = 70, not_capable = 76;

/// One call: its arguments, and the module's memory, against which every access is checked.
class call_frame {
public:
    call_frame(world& of, caller* from, value const* arguments)
        : here(of), context_(of.of->caller_context(from)), arguments_(arguments) {
        exported found{};
        if (of.of->caller_export(from, "memory", 6, &found) && found.kind == exported_memory) {
            data_ = of.of->memory_data(context_, &found.as_memory);
            size_ = of.of->memory_size(context_, &found.as_memory);
        }
    }
    [[nodiscard]] std::uint32_t number(int k) const { return std::uint32_t(arguments_[k].i32); }
    [[nodiscard]] std::int64_t wide(int k) const { return arguments_[k].i64; }
    /// Returns null when [at, at + count) is not inside of the memory.
    [[nodiscard]] std::uint8_t* at(std::uint64_t at, std::uint64_t count) const {
        return count <= size_ && at <= size_ - count ? data_ + at : nullptr;
    }
    template <class Number>
    [[nodiscard]] bool put(std::uint32_t where, Number what) const {
        std::uint8_t* const to = at(where, sizeof what);
        if (to != nullptr) {
            std::memcpy(to, &what, sizeof what);
        }
        return to != nullptr;
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t where) const {
        std::uint32_t out = 0;
        std::memcpy(&out, at(where, 4), 4);
        return out;
    }
    [[nodiscard]] std::uint64_t fuel() const {
        std::uint64_t left = 0;
        here.of->get_fuel(context_, &left);
        return left;
    }
    /// Charges steps. Returns false when too few are left, which ends the run.
    [[nodiscard]] bool reward(std::uint64_t steps) const {
        std::uint64_t const left = fuel();
        if (left < steps) {
            here.of->set_fuel(context_, 0);
            here.why = stopped::steps;
            return false;
        }
        here.of->set_fuel(context_, left - steps);
        return true;
    }
    world& here;

private:
    context* context_;
    value const* arguments_;
    std::uint8_t* data_ = nullptr;
    std::uint64_t size_ = 0;
};

using answer = std::int32_t (*)(call_frame const&);

/// A call of the interface: its parameters as letters (i: 32 bits, I: 64 bits), and the function that answers it. A
/// null `does` answers not_capable.
struct call_entry {
    char const* name;
    char const* parameters;
    answer does;
};

std::int32_t nothing_of(call_frame const& in) {
    return in.put(in.number(0), std::uint32_t(0)) && in.put(in.number(1), std::uint32_t(0)) ? good : bad_address;
}

/// The start of the calendar clock, as for native programs (host/programs/native/toolchain_texts.cpp).
constexpr std::uint64_t clock_base = std::uint64_t(1'700'000'000) * 1'000'000'000;

std::int32_t tell_time(call_frame const& in) {
    std::uint64_t const used = in.here.limits.steps - in.fuel();
    std::uint64_t const base = in.number(0) == 0 ? clock_base : 0;
    return in.put(in.number(2), base + used / steps_per_nanosecond) ? good : bad_address;
}

std::int32_t tell_resolution(call_frame const& in) {
    return in.put(in.number(1), std::uint64_t(1)) ? good : bad_address;
}

std::int32_t describe(call_frame const& in) {
    std::uint8_t* const to = in.at(in.number(1), 24);
    if (in.number(0) > 2 || in.here.closed[in.number(0)]) {
        return bad_descriptor;
    }
    if (to == nullptr) {
        return bad_address;
    }
    std::memset(to, 0, 24);
    to[8] = in.number(0) == 0 ? 1 << 1 : 1 << 6;  // fd_read, fd_write; of an unknown kind, so it is not a terminal
    return good;
}

/// Calls `each` for every piece of a list of (address, count) pairs, until one takes less than its whole piece.
template <class Each>
std::int32_t for_pieces(call_frame const& in, Each const& each) {
    std::uint32_t const count = in.number(2);
    std::uint32_t const list = in.number(1);
    if (count > 1024 || in.at(list, std::uint64_t(count) * 8) == nullptr) {
        return count > 1024 ? invalid : bad_address;
    }
    std::uint64_t done = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        std::uint32_t const size = in.word(list + 8 * k + 4);
        std::uint8_t* const piece = in.at(in.word(list + 8 * k), size);
        if (piece == nullptr) {
            return bad_address;
        }
        std::int64_t const took = each(piece, size);
        if (took < 0) {
            return invalid;  // the run was stopped
        }
        done += std::uint64_t(took);
        if (std::uint64_t(took) < size) {
            break;
        }
    }
    return in.put(in.number(3), std::uint32_t(done)) ? good : bad_address;
}

std::int32_t read_input(call_frame const& in) {
    if (in.number(0) != 0 || in.here.closed[0]) {
        return bad_descriptor;
    }
    world& here = in.here;
    return for_pieces(in, [&](std::uint8_t* piece, std::uint32_t size) -> std::int64_t {
        std::size_t const count = std::min<std::size_t>(size, here.input.size() - here.read_to);
        if (!in.reward(count)) {
            return -1;
        }
        std::memcpy(piece, here.input.data() + here.read_to, count);
        here.read_to += count;
        return std::int64_t(count);
    });
}

std::int32_t write_output(call_frame const& in) {
    std::uint32_t const descriptor = in.number(0);
    if (descriptor < 1 || descriptor > 2 || in.here.closed[descriptor]) {
        return bad_descriptor;
    }
    world& here = in.here;
    return for_pieces(in, [&](std::uint8_t const* piece, std::uint32_t size) -> std::int64_t {
        if (!in.reward(size)) {
            return -1;
        }
        std::uint64_t& seen = descriptor == 1 ? here.output_seen : here.errors_seen;
        std::size_t const room = descriptor == 1 ? here.limits.output_bytes - seen : kept_errors - here.errors.size();
        (descriptor == 1 ? here.pending : here.errors)
            .append(reinterpret_cast<char const*>(piece), std::min<std::size_t>(room, size));
        if (here.pending.size() >= 65536) {
            std::string told;
            add_frame(told, programs::wire::frame::output, here.pending);
            write_all(STDOUT_FILENO, told);
            here.pending.clear();
        }
        seen += size;
        if (seen > here.limits.output_bytes) {
            seen = here.limits.output_bytes;
            here.why = stopped::output;
            return -1;
        }
        return size;
    });
}

std::int32_t leave(call_frame const& in) {
    in.here.why = stopped::exit;
    in.here.status = std::int32_t(in.number(0));
    return good;
}

std::int32_t give_random(call_frame const& in) {
    std::uint32_t const count = in.number(1);
    std::uint8_t* const to = in.at(in.number(0), count);
    if (to == nullptr) {
        return bad_address;
    }
    if (!in.reward(count)) {
        return invalid;
    }
    for (std::uint32_t k = 0; k < count; ++k) {  // splitmix64, one byte per step
        std::uint64_t mixed = in.here.random += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        to[k] = std::uint8_t(mixed >> 56);
    }
    return good;
}

std::int32_t close_one(call_frame const& in) {
    std::uint32_t const descriptor = in.number(0);
    if (descriptor > 2 || in.here.closed[descriptor]) {
        return bad_descriptor;
    }
    in.here.closed[descriptor] = true;
    return good;
}

std::int32_t yield_turn(call_frame const&) { return good; }
std::int32_t refuse_seek(call_frame const& in) { return in.number(0) <= 2 ? seek_a_pipe : bad_descriptor; }
std::int32_t refuse_descriptor(call_frame const&) { return bad_descriptor; }
std::int32_t refuse_sleep(call_frame const&) { return not_supported; }

constexpr call_entry calls[] = {
    {"args_get", "ii", yield_turn},
    {"args_sizes_get", "ii", nothing_of},
    {"clock_res_get", "ii", tell_resolution},
    {"clock_time_get", "iIi", tell_time},
    {"environ_get", "ii", yield_turn},
    {"environ_sizes_get", "ii", nothing_of},
    {"fd_close", "i", close_one},
    {"fd_fdstat_get", "ii", describe},
    {"fd_prestat_get", "ii", refuse_descriptor},
    {"fd_prestat_dir_name", "iii", refuse_descriptor},
    {"fd_read", "iiii", read_input},
    {"fd_seek", "iIii", refuse_seek},
    {"fd_tell", "ii", refuse_seek},
    {"fd_write", "iiii", write_output},
    {"poll_oneoff", "iiii", refuse_sleep},
    {"proc_exit", "i", leave},
    {"random_get", "ii", give_random},
    {"sched_yield", "", yield_turn},
    {"fd_advise", "iIIi", nullptr},
    {"fd_allocate", "iII", nullptr},
    {"fd_datasync", "i", nullptr},
    {"fd_fdstat_set_flags", "ii", nullptr},
    {"fd_fdstat_set_rights", "iII", nullptr},
    {"fd_filestat_get", "ii", nullptr},
    {"fd_filestat_set_size", "iI", nullptr},
    {"fd_filestat_set_times", "iIIi", nullptr},
    {"fd_pread", "iiiIi", nullptr},
    {"fd_pwrite", "iiiIi", nullptr},
    {"fd_readdir", "iiiIi", nullptr},
    {"fd_renumber", "ii", nullptr},
    {"fd_sync", "i", nullptr},
    {"path_create_directory", "iii", nullptr},
    {"path_filestat_get", "iiiii", nullptr},
    {"path_filestat_set_times", "iiiiIIi", nullptr},
    {"path_link", "iiiiiii", nullptr},
    {"path_open", "iiiiiIIii", nullptr},
    {"path_readlink", "iiiiii", nullptr},
    {"path_remove_directory", "iii", nullptr},
    {"path_rename", "iiiiii", nullptr},
    {"path_symlink", "iiiii", nullptr},
    {"path_unlink_file", "iii", nullptr},
    {"proc_raise", "i", nullptr},
    {"sock_accept", "iii", nullptr},
    {"sock_recv", "iiiiii", nullptr},
    {"sock_send", "iiiii", nullptr},
    {"sock_shutdown", "ii", nullptr},
};

/// The data that wasmtime passes back with a call.
struct bound_call {
    world* here = nullptr;
    call_entry const* entry = nullptr;
};

trap* enter(void* environment, caller* from, value const* arguments, std::size_t, value* results,
            std::size_t result_count) {
    bound_call const& bound = *static_cast<bound_call const*>(environment);
    world& here = *bound.here;
    call_frame const frame(here, from, arguments);
    std::int32_t code = not_capable;
    if (frame.reward(call_steps) && bound.entry->does != nullptr) {
        code = bound.entry->does(frame);
    }
    if (here.why != stopped::no) {
        constexpr std::string_view said = "stopped";
        return here.of->trap_new(said.data(), said.size());
    }
    if (result_count == 1) {
        results[0].kind = kind_i32;
        results[0].i32 = code;
    }
    return nullptr;
}

}  // namespace

failure* define_calls(linker* to, world& of) {
    static bound_call bound[std::size(calls)];
    constexpr std::string_view module = "wasi_snapshot_preview1";
    api const& use = *of.of;
    for (std::size_t k = 0; k < std::size(calls); ++k) {
        bound[k] = {&of, &calls[k]};
        std::string_view const letters = calls[k].parameters;
        value_type* parameters[16] = {};
        for (std::size_t p = 0; p < letters.size(); ++p) {
            parameters[p] = use.value_type_new(letters[p] == 'I' ? kind_i64 : kind_i32);
        }
        bool const returns = calls[k].does != leave;
        value_type* result = returns ? use.value_type_new(kind_i32) : nullptr;
        type_vector takes;
        type_vector gives;
        use.type_vector_new(&takes, letters.size(), parameters);
        use.type_vector_new(&gives, returns ? 1 : 0, &result);
        failure* const failed =
            use.linker_define(to, module.data(), module.size(), calls[k].name, std::string_view(calls[k].name).size(),
                              use.function_type_new(&takes, &gives), enter, &bound[k], nullptr);
        if (failed != nullptr) {
            return failed;
        }
    }
    return nullptr;
}

void write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t const wrote = write(descriptor, bytes.data(), bytes.size());
        if (wrote <= 0) {
            return;
        }
        bytes.remove_prefix(std::size_t(wrote));
    }
}

void add_frame(std::string& to, programs::wire::frame what, std::string_view bytes) {
    programs::wire::frame_head const head{what, std::uint32_t(bytes.size())};
    to.append(reinterpret_cast<char const*>(&head), sizeof head);
    to += bytes;
}

}  // namespace optgap::wasm
