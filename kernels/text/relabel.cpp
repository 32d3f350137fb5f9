#include "kernels/text/relabel.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "optgap/answer.hpp"

namespace optgap {
namespace {

/// The number of draws for a copy that differs from the original.
constexpr std::uint32_t max_draws = 16;
/// The number of purposes for one draw's random words: one for each axis.
constexpr std::uint32_t purposes_of_a_draw = 8;

/// For one axis: the new position of the first label, the second, …
using new_places = std::vector<std::int32_t>;

bool same(char const* a, char const* b) { return a != nullptr && b != nullptr && std::string_view(a) == b; }

std::size_t axis_count(symmetry const& of) {
    std::size_t count = 0;
    while (count < std::size(of.axes) && of.axes[count].name != nullptr) {
        ++count;
    }
    return count;
}

std::size_t axis_named(symmetry const& of, char const* name) {
    for (std::size_t a = 0; a < axis_count(of); ++a) {
        if (same(of.axes[a].name, name)) {
            return a;
        }
    }
    throw error(status::internal, "a symmetry names the axis '" + std::string(name) + "', which it does not have");
}

symmetry const& symmetry_of(task_text const& task) {
    if (task.twins == nullptr || axis_count(*task.twins) == 0) {
        throw error(status::invalid_argument,
                    std::string(task.title) + ": its instances have no other labels, so they have no twins");
    }
    return *task.twins;
}

bool can_exchange(symmetry const& of) { return of.exchanged[0] != nullptr; }

/// An answer is numbers, or rows of them. Relabelling it needs no tree of the JSON library, which takes longer.
using plain_list = std::vector<std::int32_t>;
using plain_lists = std::vector<plain_list>;

bool is_list(json const& member) { return member.is_array(); }
[[maybe_unused]] bool is_list(std::int32_t) { return false; }  // not asked where rows are numbers by their type
bool is_list(plain_list const&) { return true; }
bool is_label(json const& member) { return member.is_number_integer(); }
bool is_label(std::int32_t) { return true; }
std::int32_t label_of(json const& member) { return member.get<std::int32_t>(); }
std::int32_t label_of(std::int32_t member) { return member; }

/// Applies new labels to lists of an instance's JSON, or of an answer.
class relabelling {
public:
    relabelling(symmetry const& of, std::vector<new_places> moved) : of_(of), moved_(std::move(moved)) {}

    /// A list that does not have the positions of its axes keeps its order.
    template <class List>
    void apply(labelled_list const& list, List& value) const {
        rename_innermost(list, value);
        if (list.rows == nullptr || !fits(list, value)) {
            return;
        }
        permute(moved(list.rows), value);
        if (list.columns != nullptr) {
            apply_columns(list, value);
        }
    }

private:
    void apply_columns(labelled_list const&, plain_list&) const {}  // they have no columns
    template <class Rows>
    void apply_columns(labelled_list const& list, Rows& value) const {
        for (auto& row : value) {
            permute(moved(list.columns), row);
        }
        if (exchanges() && same(list.rows, of_.exchanged[0]) && same(list.columns, of_.exchanged[1])) {
            transpose(value);
        }
    }
    [[nodiscard]] new_places const& moved(char const* axis) const { return moved_[axis_named(of_, axis)]; }
    [[nodiscard]] bool exchanges() const { return can_exchange(of_) && moved_.back().front() == 1; }

    [[nodiscard]] bool mirrors(char const* axis) const {
        return axis != nullptr && !moved(axis).empty() && moved(axis).front() > moved(axis).back();
    }

    void rename_innermost(labelled_list const& list, plain_list& value) const { rename(list, value); }
    template <class List>
    void rename_innermost(labelled_list const& list, List& value) const {
        if (std::none_of(value.begin(), value.end(), [](auto const& row) { return is_list(row); })) {
            if constexpr (std::is_same_v<List, json>) {
                rename(list, value);
            }
            return;
        }
        for (auto& row : value) {
            rename(list, row);
        }
    }
    [[nodiscard]] bool fits(labelled_list const& list, plain_list const& value) const {
        return value.size() == moved(list.rows).size() && list.columns == nullptr;
    }
    template <class List>
    [[nodiscard]] bool fits(labelled_list const& list, List const& value) const {
        return value.size() == moved(list.rows).size() &&
               (list.columns == nullptr || std::all_of(value.begin(), value.end(), [&](auto const& row) {
                    return is_list(row) && row.size() == moved(list.columns).size();
                }));
    }

    template <class Row>
    void rename(labelled_list const& list, Row& row) const {
        std::size_t width = 0;
        while (width < std::size(list.names) && list.names[width] != nullptr) {
            ++width;
        }
        if (width > 1 && row.size() != width) {
            return;
        }
        for (std::size_t i = 0; width > 0 && i < row.size(); ++i) {
            if (char const* const axis = list.names[i % width]; *axis != 0 && is_label(row[i])) {
                row[i] = renamed(axis, label_of(row[i]));
            }
        }
        for (std::size_t i = 0; exchanges() && i + 1 < width; ++i) {
            if (same(list.names[i], of_.exchanged[0]) && same(list.names[i + 1], of_.exchanged[1])) {
                std::swap(row[i], row[i + 1]);
            }
        }
        if (mirrors(list.along)) {
            std::reverse(row.begin(), row.end());
        }
        if (mirrors(list.order)) {
            std::rotate(row.begin(), row.begin() + std::ptrdiff_t(row.size() / 2), row.end());
        }
    }
    [[nodiscard]] std::int32_t renamed(char const* axis, std::int32_t label) const {
        new_places const& to = moved(axis);
        label_axis const& own = of_.axes[axis_named(of_, axis)];
        std::int32_t const first = own.first;
        if (own.negated && label < 0 && label != INT32_MIN) {
            return -renamed_place(to, first, -label);
        }
        return renamed_place(to, first, label);
    }
    static std::int32_t renamed_place(new_places const& to, std::int32_t first, std::int32_t label) {
        std::int64_t const place = std::int64_t(label) - first;
        return place < 0 || place >= std::int64_t(to.size()) ? label : first + to[std::size_t(place)];
    }

    static void permute(new_places const& to, json& list) {
        json::array_t placed(list.size());
        for (std::size_t i = 0; i < to.size(); ++i) {
            placed[std::size_t(to[i])] = std::move(list[i]);
        }
        list = std::move(placed);
    }
    template <class Member>
    static void permute(new_places const& to, std::vector<Member>& list) {
        std::vector<Member> placed(list.size());
        for (std::size_t i = 0; i < to.size(); ++i) {
            placed[std::size_t(to[i])] = std::move(list[i]);
        }
        list = std::move(placed);
    }
    template <class Square>
    static void transpose(Square& square) {
        for (std::size_t i = 0; i < square.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                std::swap(square[i][j], square[j][i]);
            }
        }
    }

    symmetry const& of_;
    std::vector<new_places> moved_;  ///< one for each axis, then one for the two that may exchange roles
};

std::size_t labels_of(symmetry const& of, label_axis const& axis, json const& instance) {
    if (axis.count != nullptr) {
        json const& count = instance.at(axis.count);
        return count.is_array() ? count.size() : count.get<std::size_t>();
    }
    for (labelled_list const& list : of.fields) {
        if (list.name == nullptr || !instance.contains(list.name)) {
            continue;
        }
        json const& value = instance[list.name];
        if (same(list.rows, axis.name)) {
            return value.size();
        }
        if (same(list.columns, axis.name)) {
            return value.empty() ? 0 : value[0].size();
        }
    }
    throw error(status::internal, "no field says how many labels the axis '" + std::string(axis.name) + "' has");
}

new_places draw_places(label_moves moves, std::size_t count, draw source, std::uint32_t purpose) {
    draw_stream stream(source, purpose);
    new_places to(count);
    std::iota(to.begin(), to.end(), 0);
    if (moves == label_moves::any) {
        shuffle(stream, to.data(), std::int32_t(count));
    } else if (moves == label_moves::but_first) {
        shuffle(stream, to.data() + (count > 0 ? 1 : 0), std::int32_t(count) - 1);
    } else if (stream.uniform(0, 1) == 1) {
        std::reverse(to.begin(), to.end());
    }
    return to;
}

std::vector<new_places> draw_all_places(symmetry const& of, json const& instance, draw source, std::uint32_t purpose) {
    std::vector<new_places> all;
    for (std::size_t a = 0; a < axis_count(of); ++a) {
        all.push_back(
            draw_places(of.axes[a].moves, labels_of(of, of.axes[a], instance), source, purpose + std::uint32_t(a)));
    }
    if (can_exchange(of)) {
        bool const square = all[axis_named(of, of.exchanged[0])].size() == all[axis_named(of, of.exchanged[1])].size();
        all.push_back(square ? draw_places(label_moves::any, 2, source, purpose + std::uint32_t(all.size()))
                             : new_places{0, 1});
    }
    return all;
}

label_words words_of(symmetry const& of, std::vector<new_places> const& all) {
    label_words words;
    for (std::size_t a = 0; a < all.size(); ++a) {
        std::int32_t const first = a < axis_count(of) ? of.axes[a].first : 0;
        words.push_back(std::int32_t(all[a].size()));
        for (std::int32_t const place : all[a]) {
            words.push_back(first + place);
        }
    }
    return words;
}

[[noreturn]] void refuse_labels() {
    throw error(status::invalid_argument, "labels: expected those of a twin, each label of each axis once");
}

std::vector<new_places> places_of(symmetry const& of, words_view labels) {
    std::vector<new_places> all;
    std::int64_t next = 0;
    for (std::size_t a = 0; a < axis_names(of).size(); ++a) {
        std::int64_t const count = next < labels.count ? labels[next] : -1;
        if (count < 0 || count > labels.count - next - 1) {
            refuse_labels();
        }
        std::int64_t const first = a < axis_count(of) ? of.axes[a].first : 0;
        new_places to;
        std::vector<bool> taken(std::size_t(count), false);
        for (std::int64_t i = next + 1; i <= next + count; ++i) {
            std::int64_t const place = labels[i] - first;
            if (place < 0 || place >= count || taken[std::size_t(place)]) {
                refuse_labels();
            }
            taken[std::size_t(place)] = true;
            to.push_back(std::int32_t(place));
        }
        all.push_back(std::move(to));
        next += 1 + count;
    }
    if (next != labels.count) {
        refuse_labels();
    }
    return all;
}

/// Axes that exchange roles translate each other's labels back.
std::vector<new_places> inverse(symmetry const& of, std::vector<new_places> const& all) {
    std::vector<new_places> back(all.size());
    for (std::size_t a = 0; a < all.size(); ++a) {
        back[a].resize(all[a].size());
        for (std::size_t i = 0; i < all[a].size(); ++i) {
            back[a][std::size_t(all[a][i])] = std::int32_t(i);
        }
    }
    if (can_exchange(of) && all.back().front() == 1) {
        std::swap(back[axis_named(of, of.exchanged[0])], back[axis_named(of, of.exchanged[1])]);
    }
    return back;
}

plain_lists rows_of(answer_view const& answer) {
    plain_lists rows;
    std::int32_t const* next = answer.values;
    for (std::int32_t r = 0; r < answer.row_count(); ++r) {
        rows.emplace_back(next, next + answer.row_lengths[r]);
        next += answer.row_lengths[r];
    }
    return rows;
}

}  // namespace

std::vector<std::string_view> axis_names(symmetry const& of) {
    std::vector<std::string_view> names;
    for (std::size_t a = 0; a < axis_count(of); ++a) {
        names.emplace_back(of.axes[a].name);
    }
    if (can_exchange(of)) {
        names.emplace_back("axis");
    }
    return names;
}

twin twin_of(task_text const& task, words_view instance, draw source) {
    symmetry const& of = symmetry_of(task);
    json const original = instance_to_json(task, instance);
    twin found;
    for (std::uint32_t attempt = 0; attempt < max_draws; ++attempt) {
        std::vector<new_places> const all = draw_all_places(of, original, source, attempt * purposes_of_a_draw);
        relabelling const by(of, all);
        json relabelled = original;
        for (labelled_list const& list : of.fields) {
            if (list.name == nullptr || !relabelled.contains(list.name)) {
                continue;
            }
            json& value = relabelled[list.name];
            by.apply(list, value);
            if (list.rows == nullptr) {  // a meaningless order would tell which copy it is
                std::sort(value.begin(), value.end());
            }
        }
        found = {instance_from_json(task, relabelled), words_of(of, all)};
        if (!std::equal(found.instance.begin(), found.instance.end(), instance.data, instance.data + instance.count)) {
            break;
        }
    }
    return found;
}

answer_labels::answer_labels(task_text const& task, words_view labels, direction way)
    : symmetry_(symmetry_of(task)), places_(places_of(symmetry_, labels)) {
    if (way == direction::back) {
        places_ = inverse(symmetry_, places_);
    }
}

void answer_labels::append(words_view block, std::vector<std::int32_t>& out) const {
    if (block.count == 0 || block[0] == answer_word) {
        out.insert(out.end(), block.data, block.data + block.count);
        return;
    }
    answer_view const answer = view_answer(block);
    relabelling const by(symmetry_, places_);
    out.push_back(block[0]);  // the block's head is unchanged, except for the lengths of its rows
    if (answer.is_flat()) {
        plain_list values(answer.values, answer.values + answer.count);
        by.apply(symmetry_.answer, values);
        out.insert(out.end(), values.begin(), values.end());
        return;
    }
    plain_lists rows = rows_of(answer);
    by.apply(symmetry_.answer, rows);
    for (plain_list const& row : rows) {
        out.push_back(std::int32_t(row.size()));
    }
    for (plain_list const& row : rows) {
        out.insert(out.end(), row.begin(), row.end());
    }
}

}  // namespace optgap
