#include "kernels/text/layout_json.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "kernels/core/graph.hpp"
#include "kernels/text/graph_json.hpp"

namespace optgap {
namespace {

std::string range(std::int64_t low, std::int64_t high) {
    return low == high ? std::to_string(low) : std::to_string(low) + " to " + std::to_string(high);
}

json list_of(std::int32_t const* words, std::int64_t count) { return std::vector<std::int32_t>(words, words + count); }

/// Reads field after field; words of sizes are set by the first list that shows them.
class layout_reader {
public:
    layout_reader(std::span<field const> layout, json const& instance) : layout_(layout), instance_(instance) {}

    std::vector<std::int32_t> read() {
        require_known_fields();
        for (std::size_t f = 0; f < layout_.size(); ++f) {
            field const& own = layout_[f];
            switch (own.kind) {
                case field_kind::size:
                    place_[f] = words_.size();
                    open_[f] = true;
                    words_.push_back(0);
                    break;
                case field_kind::number:
                    append(own, instance_[own.name], own.name);
                    values_.set(f, words_.back());
                    break;
                case field_kind::list: read_list(own, own.rows, instance_[own.name], own.name); break;
                case field_kind::table: read_table(own); break;
                case field_kind::graph: {
                    std::vector<std::int32_t> const graph = read_graph(instance_["n"], instance_[own.name]);
                    values_.set(f, graph[0]);
                    words_.insert(words_.end(), graph.begin(), graph.end());
                    break;
                }
            }
        }
        return std::move(words_);
    }

private:
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (field const& own : layout_) {
            if (own.kind == field_kind::graph) {
                all.emplace_back("n");
            }
            if (own.kind != field_kind::size) {
                all.emplace_back(own.name);
            }
        }
        return all;
    }
    void require_known_fields() const {
        std::string list;
        for (std::string const& name : names()) {
            list += (list.empty() ? "" : ", ") + name;
        }
        if (!instance_.is_object()) {
            throw field_error("instance", "must be an object with " + list);
        }
        for (auto const& [name, value] : instance_.items()) {
            bool known = false;
            for (std::string const& own : names()) {
                known = known || own == name;
            }
            if (!known) {
                throw field_error(name, "unknown field; an instance has " + list);
            }
        }
        for (std::string const& name : names()) {
            if (!instance_.contains(name)) {
                throw field_error(name, "is missing");
            }
        }
    }

    void append(field const& own, json const& value, std::string const& where) {
        std::int64_t const low = values_(own.low);
        std::int64_t const high = values_(own.high);
        // Unsigned numbers past int64 wrap to negative ones, and low is never below -2^31.
        bool const fits = value.is_number_integer() &&
                          !(value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX)) &&
                          value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high;
        if (!fits) {
            throw field_error(where, "must be an integer, " + range(low, high));
        }
        words_.push_back(value.get<std::int32_t>());
    }
    /// A list's length is that of a size which no list has shown yet, or must be `count`.
    void require_length(amount count, json const& list, std::string const& where) {
        std::int64_t low = values_(count);
        std::int64_t high = low;
        bool const shows = count.field >= 0 && open_[count.field];
        if (shows) {
            low = values_(layout_[std::size_t(count.field)].low);
            high = values_(layout_[std::size_t(count.field)].high);
        }
        if (!list.is_array() || std::int64_t(list.size()) < low || std::int64_t(list.size()) > high) {
            throw field_error(where, "must be a list of length " + range(low, high));
        }
        if (shows) {
            open_[count.field] = false;
            values_.set(std::size_t(count.field), std::int64_t(list.size()));
            words_[place_[count.field]] = std::int32_t(list.size());
        }
    }
    void read_list(field const& own, amount count, json const& list, std::string const& where) {
        require_length(count, list, where);
        for (std::size_t i = 0; i < list.size(); ++i) {
            append(own, list[i], where + "[" + std::to_string(i) + "]");
        }
    }
    void read_table(field const& own) {
        json const& rows = instance_[own.name];
        require_length(own.rows, rows, own.name);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            read_list(own, own.columns, rows[r], std::string(own.name) + "[" + std::to_string(r) + "]");
        }
    }

    std::span<field const> layout_;
    json const& instance_;
    field_values values_;
    std::vector<std::int32_t> words_;
    std::size_t place_[max_fields] = {};
    bool open_[max_fields] = {};  ///< sizes that no list has shown yet
};

}  // namespace

json layout_to_json(std::span<field const> layout, words_view instance) {
    json out = json::object();
    field_values values;
    std::int32_t const* at = instance.data;
    for (std::size_t f = 0; f < layout.size(); ++f) {
        field const& own = layout[f];
        std::int64_t const rows = values(own.rows);
        std::int64_t const columns = values(own.columns);
        switch (own.kind) {
            case field_kind::size: values.set(f, *at++); break;
            case field_kind::number:
                values.set(f, *at);
                out[own.name] = *at++;
                break;
            case field_kind::list:
                out[own.name] = list_of(at, rows);
                at += rows;
                break;
            case field_kind::table: {
                json& table = out[own.name] = json::array();
                for (std::int64_t r = 0; r < rows; ++r, at += columns) {
                    table.push_back(list_of(at, columns));
                }
                break;
            }
            case field_kind::graph: {
                json graph = graph_to_json({at, graph_words(*at)});
                out["n"] = graph["n"];
                out[own.name] = std::move(graph["edges"]);
                values.set(f, *at);
                at += graph_words(*at);
                break;
            }
        }
    }
    return out;
}

std::vector<std::int32_t> layout_from_json(std::span<field const> layout, json const& instance) {
    return layout_reader(layout, instance).read();
}

json instance_to_json(task_text const& task, words_view instance) {
    return task.to_json != nullptr ? task.to_json(instance) : layout_to_json(task.layout, instance);
}

std::vector<std::int32_t> instance_from_json(task_text const& task, json const& instance) {
    if (task.from_json != nullptr) {
        return task.from_json(instance);
    }
    std::vector<std::int32_t> words = layout_from_json(task.layout, instance);
    if (char const* const broken = task.check({words.data(), std::int64_t(words.size())})) {
        throw field_error("instance", broken);
    }
    return words;
}

}  // namespace optgap
