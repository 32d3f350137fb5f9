#include "host/pool/delta.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "optgap/status.hpp"

namespace optgap::pool {
namespace {

using json = nlohmann::ordered_json;

constexpr std::int64_t delta_format = 1;

json line_of(entry const& one) {
    auto const number = [](std::int64_t value) { return value == no_objective ? json() : json(value); };
    json out;
    out["task"] = one.task;
    out["version"] = one.version;
    out["canonical"] = hex32(one.canonical);
    out["coarse"] = one.coarse;
    out["words"] = one.words;
    out["infeasible"] = one.infeasible;
    out["objective"] = number(one.objective);
    out["floor"] = number(one.floor);
    out["greedy"] = number(one.greedy);
    out["steps"] = one.steps;
    out["budget"] = one.budget;
    out["answer"] = one.answer;
    out["origin"] = origin_names[std::size_t(one.kind)];
    out["parent"] = one.parent == instance_hash() ? json() : json(hex32(one.parent));
    out["step"] = one.step;
    return out;
}

std::int64_t value_or_none(json const& value) { return value.is_null() ? no_objective : value.get<std::int64_t>(); }

entry entry_from(json const& line) {
    entry out;
    out.task = line.at("task").get<std::string>();
    out.version = line.at("version").get<std::int32_t>();
    out.canonical = hash_from(line.at("canonical").get<std::string>(), "canonical");
    out.coarse = line.at("coarse").get<bool>();
    out.words = line.at("words").get<std::vector<std::int32_t>>();
    out.infeasible = line.at("infeasible").get<bool>();
    out.objective = value_or_none(line.at("objective"));
    out.floor = value_or_none(line.at("floor"));
    out.greedy = value_or_none(line.at("greedy"));
    out.steps = line.at("steps").get<std::int64_t>();
    out.budget = line.at("budget").get<std::int64_t>();
    out.answer = line.at("answer").get<std::vector<std::int32_t>>();
    std::string const kind = line.at("origin").get<std::string>();
    std::size_t which = 0;
    while (which < std::size(origin_names) && kind != origin_names[which]) {
        ++which;
    }
    if (which == std::size(origin_names)) {
        throw field_error("origin", fmt::format("'{}': expected {}", kind, fmt::join(origin_names, ", ")));
    }
    out.kind = origin(which);
    out.parent =
        line.at("parent").is_null() ? instance_hash() : hash_from(line.at("parent").get<std::string>(), "parent");
    out.step = line.at("step").get<std::int64_t>();
    return out;
}

/// Reads lines, and names a malformed one.
class delta_reader {
public:
    explicit delta_reader(std::string_view text) : rest_(text) {}

    delta read() {
        delta out;
        while (!rest_.empty()) {
            guarded([&] { out.add(read_part()); });
        }
        if (out.empty()) {
            throw field_error("line 1", "is none: expected the head of a part");
        }
        return out;
    }

private:
    template <class Work>
    void guarded(Work const& work) const {
        try {
            work();
        } catch (json::exception const& broken) {
            throw field_error(fmt::format("line {}", number_),
                              fmt::format("{}: expected a line of a delta (optgap pool add --delta)", broken.what()));
        } catch (field_error const& broken) {
            if (broken.field().starts_with("line ")) {
                throw;
            }
            throw field_error(fmt::format("line {}", number_), fmt::format("{}: {}", broken.field(), broken.rule()));
        }
    }

    json next_line() {
        ++number_;
        if (rest_.empty()) {
            throw field_error("line", "is missing: expected as many as the part's head says");
        }
        std::size_t const end = rest_.find('\n');
        if (end == std::string_view::npos) {
            throw field_error("line", "is cut off: expected an end of line");
        }
        json out = json::parse(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        return out;
    }

    part read_part() {
        json const head = next_line();
        if (head.at("pool_delta").get<std::int64_t>() != delta_format) {
            throw field_error("pool_delta",
                              fmt::format("is {}: expected {}", head.at("pool_delta").dump(), delta_format));
        }
        part out;
        out.name = {head.at("step").get<std::int64_t>(), head.at("rank").get<std::int32_t>(),
                    head.at("part").get<std::int32_t>()};
        out.base = hash_from(head.at("base").get<std::string>(), "base");
        for (auto left = head.at("entries").get<std::int64_t>(); left > 0; --left) {
            out.entries.push_back(entry_from(next_line()));
        }
        for (auto left = head.at("outcomes").get<std::int64_t>(); left > 0; --left) {
            auto const values = next_line().get<std::vector<std::int64_t>>();
            if (values.size() != 5) {
                throw field_error("outcome", "expected [entry, attempts, solved, quality, quality_sq]");
            }
            out.outcomes.push_back({values[0], values[1], values[2], values[3], values[4]});
        }
        if (digest_of(out) != hash_from(head.at("digest").get<std::string>(), "digest")) {
            throw field_error("digest", "is not that of the part's lines: expected them as they were written");
        }
        return out;
    }

    std::string_view rest_;
    std::int64_t number_ = 0;
};

}  // namespace

std::string to_string(part_name const& name) {
    return fmt::format("step {}, rank {}, part {}", name.step, name.rank, name.sequence);
}

instance_hash digest_of(part const& one) {
    byte_line line;
    line.text("pool part 1");
    line.number(one.name.step);
    line.number(one.name.rank);
    line.number(one.name.sequence);
    line.hash(one.base);
    line.number(std::int64_t(one.entries.size()));
    for (entry const& each : one.entries) {
        line.hash(digest_of(each));
    }
    for (outcome const& each : one.outcomes) {
        line.number(each.entry);
        line.number(each.attempts);
        line.number(each.solved);
        line.number(each.quality);
        line.number(each.quality_sq);
    }
    return line.hash();
}

bool delta::add(part one) {
    if (auto const known = parts_.find(one.name); known != parts_.end()) {
        if (digest_of(known->second) != digest_of(one)) {
            throw field_error("delta", fmt::format("{} comes twice with different content: expected one part a name",
                                                   to_string(one.name)));
        }
        return false;
    }
    part_name const name = one.name;
    parts_.emplace(name, std::move(one));
    return true;
}

void delta::join(delta const& other) {
    for (auto const& [name, one] : other.parts_) {
        add(one);
    }
}

delta delta::of_step(std::int64_t step) const {
    delta out;
    for (auto const& [name, one] : parts_) {
        if (name.step == step) {
            out.parts_.emplace(name, one);
        }
    }
    return out;
}

std::string to_text(delta const& all) {
    std::string out;
    for (auto const& [name, one] : all.parts()) {
        json head;
        head["pool_delta"] = delta_format;
        head["step"] = name.step;
        head["rank"] = name.rank;
        head["part"] = name.sequence;
        head["base"] = hex32(one.base);
        head["entries"] = one.entries.size();
        head["outcomes"] = one.outcomes.size();
        head["digest"] = hex32(digest_of(one));
        out += head.dump() + "\n";
        for (entry const& each : one.entries) {
            out += line_of(each).dump() + "\n";
        }
        for (outcome const& each : one.outcomes) {
            out += json({each.entry, each.attempts, each.solved, each.quality, each.quality_sq}).dump() + "\n";
        }
    }
    return out;
}

delta delta_from(std::string_view text) { return delta_reader(text).read(); }

}  // namespace optgap::pool
