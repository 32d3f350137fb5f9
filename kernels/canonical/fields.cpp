#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

#include "kernels/canonical/form.hpp"
#include "kernels/core/check_layout.hpp"
#include "kernels/core/graph.hpp"

namespace optgap::canonical {
namespace {

bool same_name(char const* a, char const* b) { return a != nullptr && b != nullptr && std::string_view(a) == b; }

/// A field's words, and its sizes.
struct placed_field {
    field const* own = nullptr;
    std::int32_t const* at = nullptr;
    std::int64_t count = 0, rows = 0, columns = 0;
};

std::vector<placed_field> place_fields(std::span<field const> layout, words_view instance) {
    std::vector<placed_field> out;
    field_values values;
    std::int32_t const* at = instance.data;
    std::int32_t const* const end = instance.data + instance.count;
    for (std::size_t f = 0; f < layout.size() && (at < end || !layout[f].optional); ++f) {
        field const& own = layout[f];
        std::int64_t const rows = values(own.rows), columns = values(own.columns);
        std::int64_t const count = field_words(own, values, has_value(own) ? *at : 0);
        if (has_value(own)) {
            values.set(f, *at);
        }
        out.push_back({&own, at, count, rows, columns});
        at += count;
    }
    return out;
}

/// One listing of an instance.
class lister {
public:
    lister(symmetry const& of, std::vector<placed_field> const& placed, std::uint32_t mirrored, structure& out)
        : of_(of), placed_(placed), out_(out) {
        for (std::size_t a = 0; a < std::size(of.axes) && of.axes[a].name != nullptr; ++a) {
            label_axis const& own = of.axes[a];
            std::int64_t const labels = count_labels(own);
            bool const named = own.moves != label_moves::mirrored;
            bool const depot = own.moves == label_moves::but_first;
            std::int32_t const first = named ? out.add_nodes(std::int32_t(a), labels) : 0;
            if (depot && labels > 0) {
                out.say_of(first, {depot_fact});
            }
            axes_.push_back({&own, labels, first, named, (mirrored >> a & 1) != 0});
        }
        exchanged_ = of.exchanged[0] != nullptr && (mirrored >> axes_.size() & 1) != 0;
    }

    void list() {
        for (std::size_t f = 0; f < placed_.size(); ++f) {
            list_field(std::int32_t(f));
        }
    }

    [[nodiscard]] std::int64_t labels_of(char const* name) const { return axis_of(name)->labels; }

private:
    static constexpr std::int32_t depot_fact = -1;
    static constexpr std::int32_t anonymous = 1000;  ///< kinds of nodes from here on are rows without a label
    struct axis {
        label_axis const* own;
        std::int64_t labels;
        std::int32_t first;  ///< node
        bool named;          ///< whether its labels are nodes; otherwise they are places
        bool mirrored;
    };
    /// A label: a node, or a number.
    struct place {
        std::int32_t node = -1;
        std::int32_t number = 0;
    };

    axis const* axis_of(char const* name) const {
        for (axis const& one : axes_) {
            if (same_name(one.own->name, name)) {
                return &one;
            }
        }
        return nullptr;
    }
    placed_field const* field_named(char const* name) const {
        for (placed_field const& one : placed_) {
            if (same_name(one.own->name, name)) {
                return &one;
            }
        }
        return nullptr;
    }
    labelled_list const* list_named(char const* name) const {
        for (labelled_list const& one : of_.fields) {
            if (same_name(one.name, name)) {
                return &one;
            }
        }
        return nullptr;
    }

    std::int64_t count_labels(label_axis const& own) const {
        if (own.count != nullptr) {
            if (placed_field const* const by = field_named(own.count); by != nullptr) {
                bool const is_number = by->own->kind == field_kind::number || by->own->kind == field_kind::size;
                return is_number ? by->at[0] : by->rows;
            }
            for (placed_field const& one : placed_) {  // "n" of a graph is not a field of the layout
                if (is_graph(*one.own)) {
                    return one.at[0];
                }
            }
        }
        for (labelled_list const& list : of_.fields) {
            placed_field const* const one = list.name == nullptr ? nullptr : field_named(list.name);
            if (one != nullptr && same_name(list.rows, own.name)) {
                return one->rows;
            }
            if (one != nullptr && same_name(list.columns, own.name)) {
                return one->columns;
            }
        }
        throw error(status::internal, "no field says how many labels the axis '" + std::string(own.name) + "' has");
    }

    /// The label at a place of an axis; the place of the first label is 0.
    static place at(axis const* of, std::int64_t i) {
        if (of == nullptr) {
            return {-1, std::int32_t(i)};
        }
        if (of->named) {
            return {of->first + std::int32_t(i), 0};
        }
        return {-1, std::int32_t(of->mirrored ? of->labels - 1 - i : i)};
    }
    /// The label that an integer names, if it names one.
    static place named(axis const* of, std::int32_t value, bool& negative) {
        negative = false;
        if (of == nullptr) {
            return {-1, value};
        }
        std::int64_t i = std::int64_t(value) - of->own->first;
        if (of->own->negated && value < 0) {
            negative = true;
            i = -std::int64_t(value) - of->own->first;
        }
        if (i < 0 || i >= of->labels) {
            negative = false;
            return {-1, value};
        }
        place out = at(of, i);
        out.number += out.node < 0 ? of->own->first : 0;
        return out;
    }

    void list_field(std::int32_t f) {
        placed_field const& one = placed_[std::size_t(f)];
        labelled_list const* const list = list_named(one.own->name);
        switch (one.own->kind) {
            case field_kind::size:
            case field_kind::number: out_.say({f, one.at[0]}); return;
            case field_kind::graph: list_graph(f, one, *list); return;
            case field_kind::weighted_graph: list_weighted(f, one, *list); return;
            case field_kind::list:
            case field_kind::table:
            case field_kind::lists:
            case field_kind::sets: break;
        }
        if (list == nullptr) {
            std::vector<std::int32_t> words{f};
            words.insert(words.end(), one.at, one.at + one.count);
            out_.say(words);
            return;
        }
        list_rows(f, one, *list);
    }
    void list_graph(std::int32_t f, placed_field const& one, labelled_list const& list) {
        graph_view const graph = view_graph({one.at, one.count});
        std::int32_t const first = axis_of(list.names[0])->first;
        for (std::int32_t u = 0; u < graph.n; ++u) {
            std::uint32_t const* const row = graph.row(u);
            for (std::int32_t w = u / 32; w < graph.row_words; ++w) {
                for (std::uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
                    std::int32_t const v = 32 * w + std::int32_t(__builtin_ctz(bits));
                    if (v > u) {
                        out_.join(first + u, first + v, std::uint32_t(f));
                    }
                }
            }
        }
    }
    void list_weighted(std::int32_t f, placed_field const& one, labelled_list const& list) {
        std::int32_t const n = one.at[0], first = axis_of(list.names[0])->first;
        for (std::int64_t u = 0; u < n; ++u) {
            for (std::int64_t v = u + 1; v < n; ++v) {
                if (std::int32_t const weight = one.at[1 + u * n + v]; weight != 0) {
                    out_.join(first + std::int32_t(u), first + std::int32_t(v), std::uint32_t(f), weight);
                }
            }
        }
    }

    void list_rows(std::int32_t f, placed_field const& one, labelled_list const& list) {
        axis const* const rows = axis_of(list.rows);
        axis const* const columns = axis_of(list.columns);
        std::int32_t width = 0;
        while (width < 4 && list.names[width] != nullptr) {
            ++width;
        }
        bool const flat = one.own->kind == field_kind::list;
        bool const square = rows != nullptr && rows == columns && rows->named;
        if (square) {
            list_square(f, one, *rows);
            return;
        }
        // Rows whose entries name no labels are listed as whole facts.
        axis const* const names = width > 0 ? axis_of(list.names[0]) : nullptr;
        std::vector<std::int32_t> words;
        for (std::int64_t r = 0; r < one.rows; ++r) {
            row_of(one, r, words);
            if (names != nullptr && names->named) {
                list_names(f, one, *names, r, rows, columns, words, flat);
            } else {
                list_plain(f, list, r, rows, columns, width, words, flat);
            }
        }
    }
    /// The integers of a row; for a set, its elements.
    static void row_of(placed_field const& one, std::int64_t r, std::vector<std::int32_t>& out) {
        out.clear();
        if (one.own->kind == field_kind::sets) {
            std::int64_t const row_words = bitset_words(one.columns);
            auto const* const row = reinterpret_cast<std::uint32_t const*>(one.at + r * row_words);
            for (std::int64_t w = 0; w < row_words; ++w) {
                for (std::uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
                    out.push_back(std::int32_t(32 * w) + std::int32_t(__builtin_ctz(bits)));
                }
            }
            return;
        }
        std::int64_t const columns = one.own->kind == field_kind::list ? 1 : one.columns;
        words_view const row{one.at + r * columns, columns};
        out.assign(row.data, row.data + (one.own->kind == field_kind::lists ? list_length(row) : columns));
    }

    /// Lists entries that name nodes: each is joined to its row's node, or becomes a fact about the named node.
    void list_names(std::int32_t f, placed_field const& one, axis const& names, std::int64_t r, axis const* rows,
                    axis const* columns, std::vector<std::int32_t> const& words, bool flat) {
        bool const unordered = one.own->kind == field_kind::sets || names.own->negated;
        bool const by_place = rows != nullptr && !rows->named;
        place row = rows != nullptr ? at(rows, r) : place{};
        if (rows == nullptr && !flat) {
            row.node = out_.add_nodes(anonymous + f, 1);
        }
        for (std::size_t c = 0; c < words.size(); ++c) {
            bool negative = false;
            place const label = named(&names, words[c], negative);
            place const column = columns != nullptr ? at(columns, std::int64_t(c)) : place{-1, std::int32_t(c)};
            if (label.node < 0) {  // a number that is not a label, such as that of an empty cell
                out_.say({f, row.number, column.number, label.number});
            } else if (by_place || row.node < 0) {
                out_.say_of(label.node, {f, row.number, flat ? 0 : column.number});
            } else {
                out_.point(row.node, label.node, std::uint32_t(2 * f + 100 + std::int32_t(negative)),
                           unordered ? 0 : column.number);
            }
        }
    }
    /// Lists rows of numbers and of places.
    void list_plain(std::int32_t f, labelled_list const& list, std::int64_t r, axis const* rows, axis const* columns,
                    std::int32_t width, std::vector<std::int32_t>& words, bool flat) {
        bool negative = false;
        if (rows != nullptr && !rows->named && columns != nullptr) {
            place const row = at(rows, r);
            for (std::size_t c = 0; c < words.size(); ++c) {
                place const column = at(columns, std::int64_t(c));
                place const value = named(width > 0 ? axis_of(list.names[0]) : nullptr, words[c], negative);
                if (exchanges(list.rows, list.columns)) {
                    out_.say({f, column.number, row.number, value.number});
                } else {
                    out_.say({f, row.number, column.number, value.number});
                }
            }
            return;
        }
        for (std::size_t c = 0; c < words.size() && width > 0; ++c) {
            words[c] = named(axis_of(list.names[c % std::size_t(width)]), words[c], negative).number;
        }
        for (std::int32_t i = 0; i + 1 < width && std::size_t(i) + 1 < words.size(); ++i) {
            if (exchanges(list.names[i], list.names[i + 1])) {
                std::swap(words[std::size_t(i)], words[std::size_t(i) + 1]);
            }
        }
        if (axis const* const along = axis_of(list.along); along != nullptr && along->mirrored) {
            std::reverse(words.begin(), words.end());
        }
        if (axis const* const order = axis_of(list.order); order != nullptr && order->mirrored) {
            std::rotate(words.begin(), words.begin() + std::ptrdiff_t(words.size() / 2), words.end());
        }
        (void)flat;
        std::vector<std::int32_t> fact{f};
        if (rows == nullptr || rows->named) {
            fact.insert(fact.end(), words.begin(), words.end());
            if (rows == nullptr) {
                out_.say(fact);
            } else {
                out_.say_of(at(rows, r).node, fact);
            }
            return;
        }
        fact.push_back(at(rows, r).number);
        fact.insert(fact.end(), words.begin(), words.end());
        out_.say(fact);
    }
    [[nodiscard]] bool exchanges(char const* a, char const* b) const {
        return exchanged_ && same_name(a, of_.exchanged[0]) && same_name(b, of_.exchanged[1]);
    }
    /// Lists one number for each pair of labels of an axis.
    void list_square(std::int32_t f, placed_field const& one, axis const& of) {
        std::int64_t const n = one.rows;
        for (std::int64_t i = 0; i < n; ++i) {
            out_.say_of(of.first + std::int32_t(i), {f, one.at[i * n + i]});
            for (std::int64_t j = i + 1; j < n; ++j) {
                std::int32_t const forth = one.at[i * n + j], back = one.at[j * n + i];
                std::int32_t const u = of.first + std::int32_t(i), v = of.first + std::int32_t(j);
                if (forth == back) {
                    out_.join(u, v, std::uint32_t(f), forth);
                } else {
                    out_.point(u, v, std::uint32_t(f + 50), forth);
                    out_.point(v, u, std::uint32_t(f + 50), back);
                }
            }
        }
    }

    symmetry const& of_;
    std::vector<placed_field> const& placed_;
    structure& out_;
    std::vector<axis> axes_;
    bool exchanged_ = false;
};

}  // namespace

std::vector<std::uint32_t> fields::ways(words_view instance) const {
    std::uint32_t movable = 0, bits = 0;
    for (; bits < std::size(of_.axes) && of_.axes[bits].name != nullptr; ++bits) {
        movable |= of_.axes[bits].moves == label_moves::mirrored ? 1u << bits : 0;
    }
    if (of_.exchanged[0] != nullptr) {
        std::vector<placed_field> const placed = place_fields(layout_, instance);
        structure unused;
        lister const any(of_, placed, 0, unused);
        movable |= any.labels_of(of_.exchanged[0]) == any.labels_of(of_.exchanged[1]) ? 1u << bits : 0;
    }
    std::vector<std::uint32_t> out;
    for (std::uint32_t way = movable;; way = (way - 1) & movable) {
        out.push_back(way);
        if (way == 0) {
            return out;
        }
    }
}

void fields::list(words_view instance, std::uint32_t mirrored, structure& out) const {
    std::vector<placed_field> const placed = place_fields(layout_, instance);
    lister(of_, placed, mirrored, out).list();
}

}  // namespace optgap::canonical
