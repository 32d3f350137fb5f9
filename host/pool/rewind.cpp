// Restores a pool to an earlier step, for a run that continues from a checkpoint.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "host/pool/pool.hpp"
#include "optgap/status.hpp"

namespace optgap::pool {
namespace {

[[noreturn]] void cannot_keep(std::string const& path) {
    throw sqlite::failure(
        sqlite::problem::input_output, path,
        fmt::format("cannot be written: {}; expected to keep there what a rewind drops", std::strerror(errno)));
}

/// Writes the file whole, under its name and onto the disk, or throws: the pool deletes the same content next.
void keep(std::string const& path, std::string const& text) {
    if (std::ifstream known(path, std::ios::binary); known.is_open()) {
        if (std::string(std::istreambuf_iterator<char>(known), {}) == text) {
            return;  // left by a rewind that was killed, or one that was undone
        }
        throw sqlite::failure(sqlite::problem::cannot_open, path,
                              "is there with other content: expected to keep there what a rewind drops");
    }
    std::string const draft = path + ".new";
    int const fd = open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        cannot_keep(path);
    }
    bool whole = true;
    for (std::size_t at = 0; whole && at < text.size();) {
        ssize_t const wrote = ::write(fd, text.data() + at, text.size() - at);
        whole = wrote >= 0 || errno == EINTR;
        at += wrote > 0 ? std::size_t(wrote) : 0;
    }
    whole = whole && fsync(fd) == 0;
    int const reason = errno;
    close(fd);
    errno = reason;
    if (!whole || std::rename(draft.c_str(), path.c_str()) != 0) {
        cannot_keep(path);
    }
}

}  // namespace

rewind_counts pool::rewind(std::int64_t step, std::optional<instance_hash> expected) {
    if (step < 0 || step > now_.step) {
        throw field_error("step",
                          fmt::format("{}: expected one from 0 to {}, which {} is at", step, now_.step, file_.path()));
    }
    sqlite::transaction all(file_.base());
    instance_hash const then =
        step == 0 ? first_link(made_with()) : file_.link_after(step - 1).value_or(instance_hash{});
    if (expected && *expected != then) {
        throw field_error("hash",
                          fmt::format("{} had {} when {} steps had ended: expected {}, so it is another run's pool",
                                      file_.path(), hex32(then), step, hex32(*expected)));
    }
    rewind_counts out;
    if (step == now_.step) {
        return out;
    }
    auto const first = std::ranges::count_if(now_.standings, [&](standing const& one) { return one.born < step; });
    // The steps lead from that link to the newest one, which proves both the link and the steps.
    instance_hash link = then;
    std::string dropped;
    file_.each_step(step, first, [&](step_record const& one, instance_hash) {
        delta again;
        again.add({{one.number, 0, 0}, link, one.entries, one.outcomes});
        dropped += to_text(again);
        link = next_link(link, one);
        ++out.steps;
        out.entries += std::int64_t(one.entries.size());
        out.outcomes += std::int64_t(one.outcomes.size());
        out.gone += std::ranges::count_if(one.gone, [&](std::int64_t id) { return id < first; });
    });
    if (link != now_.link) {
        damaged(fmt::format("its steps from {} on are not what they were when it was opened", step));
    }
    out.kept = fmt::format("{}.dropped-{}-{:.8}", file_.path(), step, hex32(now_.link));
    keep(out.kept, dropped);
    file_.drop(step, first);
    memory before = std::exchange(now_, {.link = first_link(made_with())});
    try {
        read_on();
        if (now_.step != step || now_.link != then) {
            damaged(fmt::format("is not what it was at the end of {} steps: expected hash {}", step, hex32(then)));
        }
        all.commit();
    } catch (...) {
        now_ = std::move(before);
        throw;
    }
    return out;
}

}  // namespace optgap::pool
