#include "kernels/text/layout_json.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "kernels/core/check_layout.hpp"
#include "kernels/text/graph_json.hpp"
#include "kernels/text/json_fields.hpp"

namespace optgap {
namespace {

/// Reads sizes first, each from the first list that determines it, then field after field. A value is the library's or
/// flat.
template <class Value>
class layout_reader {
public:
    layout_reader(std::span<field const> layout, Value const& instance) : layout_(layout), instance_(instance) {
        field const& last = layout.back();
        wide_ = last.optional && has_field(instance, last.name);
    }

    std::vector<std::int32_t> read() {
        require_fields(instance_, names());
        read_sizes();
        for (std::size_t f = 0; f < layout_.size(); ++f) {
            read_field(f);
        }
        return std::move(words_);
    }

private:
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (field const& own : layout_) {
            if (is_graph(own) && std::ranges::find(all, "n") == all.end()) {
                all.emplace_back("n");  // all graphs of an instance have the same n
            }
            if (own.kind != field_kind::size && is_there(own)) {
                all.emplace_back(own.name);
            }
        }
        return all;
    }
    /// An optional field and the field it replaces are never both present.
    [[nodiscard]] bool is_there(field const& own) const {
        std::int32_t const replaced = wide_ ? layout_.back().replaces : -1;
        return own.optional ? wide_ : replaced < 0 || &own != &layout_[std::size_t(replaced)];
    }

    /// Returns a function for the name of the field, or of its row.
    static auto namer(field const& own) {
        return [&own] { return std::string(own.name); };
    }
    static auto namer(field const& own, std::size_t row) {
        return [&own, row] { return entry_name(own.name, row); };
    }

    void read_sizes() {
        for (field const& own : layout_) {
            if (own.kind == field_kind::size || own.kind == field_kind::number || is_graph(own) || !is_there(own)) {
                continue;
            }
            Value const& rows = instance_[own.name];
            show(own, own.rows, rows, namer(own));
            if (own.kind == field_kind::lists && rows.is_array() && own.columns.field >= 0) {
                show_longest(own, rows);
            }
            if (own.kind == field_kind::table && rows.is_array() && !rows.empty()) {
                show(own, own.columns, rows[0], namer(own, 0));
            }
        }
    }
    /// The list's length determines the size that `count` refers to, unless that is known.
    template <class Where>
    void show(field const& own, amount count, Value const& list, Where const& where) {
        if (count.field < 0 || layout_[std::size_t(count.field)].kind != field_kind::size || shown_by_[count.field]) {
            return;
        }
        field const& size = layout_[std::size_t(count.field)];
        std::int64_t const low = size.low.plus + count.plus;
        std::int64_t const high = size.high.plus + count.plus;
        if (!list.is_array() || std::int64_t(list.size()) < low || std::int64_t(list.size()) > high) {
            throw field_error(where(),
                              "must be a list of length " + std::to_string(low) + " to " + std::to_string(high));
        }
        shown_by_[count.field] = own.name;
        values_.set(std::size_t(count.field), std::int64_t(list.size()) - count.plus);
    }

    void show_longest(field const& own, Value const& lists) {
        std::size_t longest = 0;
        std::size_t most = 0;
        std::size_t r = 0;
        for (Value const& list : lists) {
            if (r == 0 || list.size() > most) {
                longest = r;
                most = list.size();
            }
            ++r;
        }
        show(own, own.columns, lists.empty() ? lists : lists[longest], namer(own, longest));
    }

    void read_field(std::size_t f) {
        field const& own = layout_[f];
        if (own.kind == field_kind::size) {
            if (shown_by_[f] == nullptr) {
                throw field_error("instance", std::string("no list shows ") + own.name);
            }
            words_.push_back(std::int32_t(values_(of(std::int32_t(f)))));
            return;
        }
        if (!is_there(own)) {
            words_.resize(words_.size() + (own.optional ? 0 : std::size_t(field_words(own, values_, 0))));
            return;
        }
        Value const& value = instance_[own.name];
        switch (own.kind) {
            case field_kind::size: break;
            case field_kind::number:
                append(own, value, namer(own));
                values_.set(f, words_.back());
                break;
            case field_kind::list: read_list(own, own.rows, value, namer(own)); break;
            case field_kind::table:
                require_length(own, own.rows, value, namer(own));
                for (std::size_t r = 0; Value const& row : value) {
                    read_list(own, own.columns, row, namer(own, r++));
                }
                break;
            case field_kind::lists: read_lists(own, value); break;
            case field_kind::sets: read_sets(own, value); break;
            case field_kind::graph: append_graph(f, read_graph(instance_["n"], value, own.name)); break;
            case field_kind::weighted_graph:
                append_graph(f, read_weighted_graph(instance_["n"], value, own.name, std::int32_t(own.low.plus)));
                break;
        }
    }

    /// `where()` returns the name of the value.
    template <class Where>
    void append(field const& own, Value const& value, Where const& where) {
        std::int64_t const low = values_(own.low);
        std::int64_t const high = values_(own.high);
        auto const found = integer_within(value, low, high);
        if (!found) {
            throw field_error(where(), integer_rule(low, high));
        }
        words_.push_back(*found);
    }
    template <class Where>
    void require_length(field const& own, amount count, Value const& list, Where const& where) {
        std::int64_t const length = values_(count);
        if (!list.is_array() || std::int64_t(list.size()) != length) {
            char const* const like = count.field < 0 || count.plus != 0 ? nullptr : shown_by_[count.field];
            throw field_error(where(), "must be a list of length " + std::to_string(length) +
                                           (like == nullptr || like == own.name ? "" : std::string(", as ") + like));
        }
    }
    template <class Where>
    void read_list(field const& own, amount count, Value const& list, Where const& where) {
        require_length(own, count, list, where);
        words_.reserve(words_.size() + (own.kind == field_kind::list ? list.size() : 0));
        for (std::size_t i = 0; Value const& entry : list) {
            append(own, entry, [&] { return entry_name(where(), i); });
            ++i;
        }
    }
    void read_lists(field const& own, Value const& lists) {
        require_length(own, own.rows, lists, namer(own));
        std::size_t const columns = std::size_t(values_(own.columns));
        for (std::size_t r = 0; Value const& list : lists) {
            if (!list.is_array() || list.size() > columns) {
                throw field_error(entry_name(own.name, r), "must be a list of at most " + std::to_string(columns));
            }
            for (std::size_t i = 0; Value const& entry : list) {
                append(own, entry, [&] { return entry_name(own.name, r, i); });
                if (words_.back() == 0) {
                    throw field_error(entry_name(own.name, r, i), "must not be 0");
                }
                ++i;
            }
            words_.resize(words_.size() + columns - list.size());
            ++r;
        }
    }
    void read_sets(field const& own, Value const& sets) {
        require_length(own, own.rows, sets, namer(own));
        std::int64_t const universe = values_(own.columns);
        std::int64_t const row_words = bitset_words(universe);
        if (std::int64_t(sets.size()) * row_words > max_set_words) {
            throw field_error(
                own.name, "must have at most " + std::to_string(max_set_words) + " words, each one for 32 elements");
        }
        std::size_t row = words_.size();
        words_.resize(row + sets.size() * std::size_t(row_words));
        for (std::size_t s = 0; Value const& set : sets) {
            if (!set.is_array()) {
                throw field_error(entry_name(own.name, s), "must be a list of elements");
            }
            for (std::size_t i = 0; Value const& element : set) {
                auto const e = integer_within(element, 0, universe - 1);
                if (!e) {
                    throw field_error(entry_name(own.name, s, i), integer_rule(0, universe - 1));
                }
                std::int32_t& word = words_[row + std::size_t(*e / 32)];
                word = std::int32_t(std::uint32_t(word) | 1u << (*e % 32));
                ++i;
            }
            row += std::size_t(row_words);
            ++s;
        }
    }
    void append_graph(std::size_t f, std::vector<std::int32_t> const& graph) {
        values_.set(f, graph[0]);
        words_.insert(words_.end(), graph.begin(), graph.end());
    }

    std::span<field const> layout_;
    Value const& instance_;
    field_values values_;
    std::vector<std::int32_t> words_;
    char const* shown_by_[max_fields] = {};  ///< for each size: the list that determined it
    bool wide_ = false;                      ///< the optional field is present
};

json list_of(std::int32_t const* words, std::int64_t count) { return std::vector<std::int32_t>(words, words + count); }

/// The elements of the set that the words represent.
json elements_of(std::int32_t const* words, std::int64_t universe) {
    auto const* const set = reinterpret_cast<std::uint32_t const*>(words);
    json found = json::array();
    for (std::int32_t e = 0; e < universe; ++e) {
        if (contains(set, e)) {
            found.push_back(e);
        }
    }
    return found;
}

}  // namespace

json layout_to_json(std::span<field const> layout, words_view instance) {
    json out = json::object();
    field_values values;
    std::int32_t const* at = instance.data;
    std::int32_t const* const end = instance.data + instance.count;
    for (std::size_t f = 0; f < layout.size(); ++f) {
        field const& own = layout[f];
        if (own.optional) {
            if (at == end) {
                break;
            }
            if (own.replaces >= 0) {
                out.erase(layout[std::size_t(own.replaces)].name);
            }
        }
        std::int64_t const columns = values(own.columns);
        std::int64_t const count = field_words(own, values, has_value(own) ? *at : 0);
        if (has_value(own)) {
            values.set(f, *at);
        }
        switch (own.kind) {
            case field_kind::size: break;
            case field_kind::number: out[own.name] = *at; break;
            case field_kind::list: out[own.name] = list_of(at, count); break;
            case field_kind::table:
            case field_kind::lists: {
                json& rows = out[own.name] = json::array();
                for (std::int64_t r = 0; r < values(own.rows); ++r) {
                    words_view const row{at + r * columns, columns};
                    rows.push_back(list_of(row.data, own.kind == field_kind::table ? columns : list_length(row)));
                }
                break;
            }
            case field_kind::sets: {
                json& sets = out[own.name] = json::array();
                for (std::int64_t r = 0; r < values(own.rows); ++r) {
                    sets.push_back(elements_of(at + r * bitset_words(columns), columns));
                }
                break;
            }
            case field_kind::graph:
                out["n"] = *at;
                out[own.name] = graph_edges({at, count});
                break;
            case field_kind::weighted_graph:
                out["n"] = *at;
                out[own.name] = weighted_graph_edges({at, count});
                break;
        }
        at += count;
    }
    return out;
}

std::vector<std::int32_t> layout_from_json(std::span<field const> layout, json const& instance) {
    return layout_reader<json>(layout, instance).read();
}
std::vector<std::int32_t> layout_from_json(std::span<field const> layout, flat_value const& instance) {
    return layout_reader<flat_value>(layout, instance).read();
}

json instance_to_json(task_text const& task, words_view instance) {
    return task.to_json != nullptr ? task.to_json(instance) : layout_to_json(task.layout, instance);
}

namespace {

template <class Value>
std::vector<std::int32_t> by_layout(task_text const& task, Value const& instance) {
    std::vector<std::int32_t> words = layout_from_json(task.layout, instance);
    char const* const broken = task.check != nullptr ? task.check({words.data(), std::int64_t(words.size())}) : nullptr;
    if (broken != nullptr) {
        throw field_error("instance", broken);
    }
    return words;
}

}  // namespace

std::vector<std::int32_t> instance_from_json(task_text const& task, json const& instance) {
    return task.from_json != nullptr ? task.from_json(instance) : by_layout(task, instance);
}
std::vector<std::int32_t> instance_from_json(task_text const& task, flat_value const& instance) {
    return task.from_flat != nullptr ? task.from_flat(instance) : by_layout(task, instance);
}

}  // namespace optgap
