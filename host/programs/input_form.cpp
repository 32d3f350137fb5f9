#include "host/programs/input_form.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr std::int32_t deepest = 3;

std::int32_t depth_of(field const& own) {
    switch (own.kind) {
        case field_kind::size:
        case field_kind::number: return 0;
        case field_kind::list: return 1;
        default: return 2;
    }
}

std::vector<input_field> all_fields(task_text const& task) {
    std::vector<input_field> out;
    for (json_rule const& own : task.json_fields) {
        out.push_back({own.name, own.depth, own.rule});
    }
    bool has_n = false;
    for (field const& own : task.layout) {
        bool const said = std::ranges::any_of(
            task.json_fields, [&](json_rule const& rule) { return std::string_view(rule.name) == own.name; });
        if (own.kind == field_kind::size || said) {
            continue;
        }
        if (is_graph(own) && !has_n) {
            has_n = true;
            out.push_back({"n", 0, "the number of vertices, which are 0 to n - 1"});
        }
        out.push_back({own.name, depth_of(own), own.rule});
    }
    return out;
}

// --- plain text ---

void append_scalar(std::string& out, json const& value) {
    out += value.is_string() ? value.get_ref<std::string const&>() : value.dump();
}

void append_row(std::string& out, json const& list) {
    out += std::to_string(list.size());
    for (json const& value : list) {
        out += ' ';
        append_scalar(out, value);
    }
    out += '\n';
}

void append_plain(std::string& out, json const& value, std::int32_t depth) {
    if (depth == 0) {
        append_scalar(out, value);
        out += '\n';
        return;
    }
    out += std::to_string(value.size());
    out += '\n';
    if (depth == 1) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            out += i > 0 ? " " : "";
            append_scalar(out, value[i]);
        }
        out += '\n';
        return;
    }
    for (json const& row : value) {
        depth == 2 ? append_row(out, row) : append_plain(out, row, depth - 1);
    }
}

/// Reads the words of the text one after another.
class plain_reader {
public:
    explicit plain_reader(std::string_view text) : rest_(text) {}

    json read(input_field const& own) { return read(own.depth, own.name); }
    void end() {
        if (!next_word().empty()) {
            throw field_error("input", "goes on behind its last field");
        }
    }

private:
    json read(std::int32_t depth, std::string const& name) {
        if (depth == 0) {
            return scalar(name);
        }
        std::string_view const word = next_word();
        json const count = json::parse(word, nullptr, false);
        // Each value takes at least one byte, so a list longer than the text is refused.
        if (!count.is_number_unsigned() || count.get<std::uint64_t>() > rest_.size()) {
            throw field_error("input", "a length of " + name + " is '" + std::string(word.substr(0, 40)) + "'");
        }
        json list = json::array();
        for (std::uint64_t i = 0; i < count.get<std::uint64_t>(); ++i) {
            list.push_back(read(depth - 1, name));
        }
        return list;
    }
    json scalar(std::string const& name) {
        std::string_view const word = next_word();
        if (word.empty()) {
            throw field_error("input", "ends within " + name);
        }
        json number = json::parse(word, nullptr, false);
        return number.is_number() ? number : json(std::string(word));
    }
    std::string_view next_word() {
        constexpr std::string_view blanks = " \n";
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        std::string_view const word = rest_.substr(0, rest_.find_first_of(blanks));
        rest_.remove_prefix(word.size());
        return word;
    }

    std::string_view rest_;
};

// --- the statement's section ---

/// The minimum and maximum of a quantity over all instances.
struct span_of_values {
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    void add(std::int64_t value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    [[nodiscard]] bool any() const { return low <= high; }
    [[nodiscard]] std::string text() const {
        return low == high ? std::to_string(low) : std::to_string(low) + " to " + std::to_string(high);
    }
};

struct field_ranges {
    span_of_values count, inner, value;

    void add(json const& given, std::int32_t level) {
        if (given.is_array()) {
            (level == 0 ? count : inner).add(std::int64_t(given.size()));
            for (json const& one : given) {
                add(one, level + 1);
            }
        } else if (given.is_number_integer()) {
            value.add(given.get<std::int64_t>());
        }
    }
};

std::string shape_text(input_form form, std::int32_t depth) {
    constexpr char const* in_json[] = {"a number", "a list of numbers", "a list of lists of numbers",
                                       "a list of lists of lists of numbers"};
    constexpr char const* in_plain[] = {
        "one number on a line", "a line with the length m of a list, then a line with its m numbers",
        "a line with the number m of lists, then m lines: the length of a list and its numbers",
        "a line with their number m, then m times: a line with the number k of lists, then k lines with the length of "
        "a "
        "list and its numbers"};
    return (form == input_form::json ? in_json : in_plain)[std::min(depth, deepest)];
}

}  // namespace

std::string_view name_of(input_form form) { return form == input_form::plain ? "plain" : "json"; }

input_form input_form_named(std::string_view name) {
    if (name != "plain" && name != "json") {
        misuse("input: '" + std::string(name.substr(0, 60)) + "' is not one of plain, json");
    }
    return name == "plain" ? input_form::plain : input_form::json;
}

input_form input_form_of(std::string_view name, program_interface interface) {
    input_form const form = input_form_named(name);
    if (interface == program_interface::solve && form != input_form::json) {
        misuse("input: plain has no effect with interface solve, whose arguments are made of json");
    }
    return form;
}

std::vector<input_field> input_fields(task_text const& task, json const& instance) {
    std::vector<input_field> out;
    for (input_field& own : all_fields(task)) {
        if (instance.contains(own.name)) {
            out.push_back(std::move(own));
        }
    }
    std::size_t f = 0;
    for (auto const& [name, value] : instance.items()) {
        if (f == out.size() || out[f++].name != name) {
            throw error(status::internal, std::string(task.title) + ": its JSON form has a field " + name +
                                              " that is said nowhere, or in another order");
        }
    }
    return out;
}

std::string write_input(std::vector<input_field> const& fields, json const& instance, input_form form) {
    if (form == input_form::json) {
        return instance.dump() + "\n";
    }
    std::string out;
    for (input_field const& own : fields) {
        append_plain(out, instance[own.name], own.depth);
    }
    return out;
}

json read_input(std::vector<input_field> const& fields, std::string_view text, input_form form) {
    if (form == input_form::json) {
        json whole = json::parse(text, nullptr, false);
        if (!whole.is_object()) {
            throw field_error("input", "is no JSON object");
        }
        return whole;
    }
    plain_reader reader(text);
    json out = json::object();
    for (input_field const& own : fields) {
        out[own.name] = reader.read(own);
    }
    reader.end();
    return out;
}

std::string input_section(std::vector<input_field> const& fields, std::vector<json> const& instances, input_form form,
                          program_interface interface) {
    bool const called = interface == program_interface::solve;
    std::string out = called ? "The program defines this function, whose arguments are given by name:\n\n" +
                                   solve_signature(fields, instances) + "\n\n"
                      : form == input_form::json
                          ? "Standard input is one line with a JSON object. Its fields:\n"
                          : "Standard input holds these, one after the other, numbers separated by blanks:\n";
    for (input_field const& own : fields) {
        field_ranges seen;
        for (json const& instance : instances) {
            seen.add(instance[own.name], 0);
        }
        bool const word = own.depth == 0 && !seen.value.any();
        out += "- " + own.name + ": " + (word ? "a word" : shape_text(form, own.depth)) + "; ";
        out += own.rule;
        out += ". Here: ";
        std::string here;
        auto const say = [&](char const* what, span_of_values const& range) {
            here += !range.any() ? "" : (here.empty() ? "" : ", ") + std::string(what) + range.text();
        };
        say(own.depth < 2 ? "length " : "outer length ", seen.count);
        say("inner lengths ", seen.inner);
        say(own.depth == 0 ? "" : "numbers ", seen.value);
        out += (here.empty() ? "as in the example" : here) + ".\n";
    }
    return out;
}

}  // namespace optgap::programs
