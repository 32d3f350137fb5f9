#include "tools/cli/pay/outbox.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "tools/cli/rows/answers.hpp"

namespace optgap::cli {

outbox::outbox(std::string path) : path_(std::move(path)) {
    if (!path_.empty()) {
        file_.reset(std::fopen(path_.c_str(), "a"));
        if (file_ == nullptr) {
            throw usage_error(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
        }
    }
}

void outbox::add(json_row const& row, task_info const& info, std::span<std::int32_t const> instance,
                 std::span<std::int32_t const> answer, std::int64_t objective, baseline const& beaten) {
    if (file_ == nullptr) {
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
    if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size()) {
        throw io_error(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
    }
}

void outbox::flush() {
    if (file_ != nullptr && std::fflush(file_.get()) != 0) {
        throw io_error(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
    }
}

}  // namespace optgap::cli
