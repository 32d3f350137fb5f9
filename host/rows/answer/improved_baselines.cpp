#include "host/rows/answer/improved_baselines.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "host/rows/read/answers.hpp"
#include "host/rows/read/fields.hpp"

namespace optgap::rows {

improved_baselines::improved_baselines(std::string path) : path_(std::move(path)) {
    if (!path_.empty()) {
        fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (fd_ < 0) {
            throw error(status::invalid_argument, fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
        }
    }
}

improved_baselines::~improved_baselines() {
    if (fd_ >= 0) {
        close(fd_);
    }
}

void improved_baselines::add(json_row const& row, task_info const& info, std::span<std::int32_t const> instance,
                             std::span<std::int32_t const> answer, std::int64_t objective, baseline const& beaten) {
    if (fd_ < 0) {
        return;
    }
    auto const number = [](std::int64_t value) { return value == no_objective ? "null" : std::to_string(value); };
    auto const key = string_of(row, "key");
    std::string line;
    row_writer out(line, nullptr);
    out.text("kind", beaten.proven() ? "proven" : "unproven");
    out.text("key", key ? *key : to_string(explicit_key(info, hash_words(instance))));
    out.raw("answer", answer_json(answer, info));
    out.integer("objective", objective);
    out.raw("baseline", fmt::format(R"({{"objective":{},"bound":{},"proven":{}}})", number(beaten.objective),
                                    number(beaten.bound), beaten.proven()));
    if (!key || parse_key(*key).is_explicit) {
        out.text("task", info.name);
        out.raw("instance", *row.find("instance"));
    }
    out.finish();
    append(line);
}

void improved_baselines::append(std::string_view line) const {
    flock(fd_, LOCK_EX);  // on a file system without locks, the file is whole as long as one run writes at a time
    off_t const size = lseek(fd_, 0, SEEK_END);
    off_t end = size;
    for (char last = '\0'; end > 0 && pread(fd_, &last, 1, end - 1) == 1 && last != '\n';) {
        --end;
    }
    bool const whole =
        (end >= size || ftruncate(fd_, end) == 0) && write(fd_, line.data(), line.size()) == ssize_t(line.size());
    int const why = errno;
    if (!whole) {
        static_cast<void>(!ftruncate(fd_, std::max<off_t>(end, 0)));
    }
    flock(fd_, LOCK_UN);
    if (!whole) {
        throw error(status::internal, fmt::format("cannot write {}: {}", path_, std::strerror(why)));
    }
}

}  // namespace optgap::rows
