#include "host/store/canonical.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "optgap/answer.hpp"

namespace optgap::store {
namespace {

constexpr char const* status_names[] = {"unknown", "bounded", "optimal", "infeasible"};

std::string number(std::int64_t value) { return value == no_objective ? "null" : std::to_string(value); }

/// The names are those of tasks, bounds, solvers and files; JSON needs escapes only for quotes, backslashes and control
/// characters.
std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    for (char const c : text) {
        auto const code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (code < 0x20) {
            out += fmt::format("\\u{:04x}", code);
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string text_or_null(std::string_view text) { return text.empty() ? "null" : json_quoted(text); }

}  // namespace

struct content_hash::state {
    XXH3_state_t inner;
};

content_hash::content_hash() : state_(std::make_unique<state>()) { XXH3_128bits_reset(&state_->inner); }
content_hash::~content_hash() = default;
void content_hash::add(std::string_view text) { XXH3_128bits_update(&state_->inner, text.data(), text.size()); }
std::string content_hash::text() const {
    XXH128_hash_t const hash = XXH3_128bits_digest(&state_->inner);
    return hex32({hash.high64, hash.low64});
}

task_info const* find_task(engine const& by, std::string const& task, std::int32_t version) {
    for (task_info const& info : by.tasks()) {
        if (info.name == task && info.version == version) {
            return &info;
        }
    }
    return nullptr;
}

sense direction_of(engine const& by, std::string const& task) {
    return by.tasks()[std::size_t(by.task_index(task))].objective_sense;
}

std::string answer_text(std::vector<std::int32_t> const& block, task_info const* info) {
    if (block.empty()) {
        return "null";
    }
    if (block[0] == answer_word && block.size() > 1) {
        auto const which = std::size_t(block[1]);
        std::string word = info != nullptr && which < info->words.size() ? std::string(info->words[which])
                                                                         : fmt::format("word {}", which);
        word[0] = char(std::toupper(static_cast<unsigned char>(word[0])));
        return json_quoted(word);
    }
    if (block[0] == answer_flat) {
        return fmt::format("[{}]", fmt::join(block.begin() + 1, block.end(), ","));
    }
    auto const lists = std::size_t(block[0]);
    std::string out = "[";
    std::size_t next = 1 + lists;
    for (std::size_t r = 0; r < lists && next <= block.size(); ++r) {
        std::size_t const end = std::min(block.size(), next + std::size_t(block[1 + r]));
        out += fmt::format("{}[{}]", r == 0 ? "" : ",",
                           fmt::join(block.begin() + std::ptrdiff_t(next), block.begin() + std::ptrdiff_t(end), ","));
        next = end;
    }
    return out + "]";
}

void append_line(std::string& out, row const& one, own_instance const* own, engine const& by) {
    task_info const* const info = find_task(by, one.key.task, one.key.version);
    bool const bounded = one.excluded || one.bound != no_objective;
    bool const told = !bounded && one.published != no_objective;
    out += fmt::format(
        R"({{"answer":{},"bound":{},"bound_budget":{},"bound_engine":{},"bound_kind":{},"bound_steps":{},)",
        answer_text(one.answer, info), number(told ? one.published : one.bound),
        bounded ? std::to_string(one.bounded.budget) : "null", text_or_null(one.bounded.engine),
        told ? "\"published\"" : text_or_null(one.bound_kind), bounded ? std::to_string(one.bounded.steps) : "null");
    bool const answered = one.objective != no_objective;
    out += fmt::format(R"("budget":{},"engine":{},"floor":{},"greedy":{},"hash":"{}",)",
                       answered ? std::to_string(one.found.budget) : "null", text_or_null(one.found.engine),
                       number(one.floor), number(one.greedy), hex32(one.hash));
    if (own != nullptr && info != nullptr) {
        out += fmt::format(R"("instance":{},)", by.instance_json(by.task_index(one.key.task), own->words));
    }
    out += fmt::format(R"("key":{},)", json_quoted(to_string(one.key, one.hash)));
    if (own != nullptr) {
        out += fmt::format(R"("name":{},)", json_quoted(own->name));
    }
    out += fmt::format(R"("objective":{},"proven":{},"published":{},"solver":{},"status":"{}","steps":{},"task":{}}})",
                       number(one.objective), one.proven(), number(one.published), text_or_null(one.found.solver),
                       status_names[std::size_t(one.status())],
                       answered ? std::to_string(one.found.steps) : number(bounded ? one.bounded.steps : no_objective),
                       json_quoted(one.key.task));
    out += '\n';
}

std::string hash_of(std::string const& path, engine const& by) {
    reader rows(path);
    content_hash out;
    std::string line;
    while (auto const one = rows.next([&](std::string const& task) { return direction_of(by, task); })) {
        line.clear();
        auto const own = one->key.part == explicit_part ? rows.instance(one->key) : std::nullopt;
        append_line(line, *one, own ? &*own : nullptr, by);
        out.add(line);
    }
    return out.text();
}

}  // namespace optgap::store
