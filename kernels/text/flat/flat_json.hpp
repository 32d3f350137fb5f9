#pragma once
// A JSON text as one flat list of its values, made in one pass without a tree. Input from outside is read in this form.
// Strings and names stay as they were written.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace optgap {

enum class flat_kind : std::int32_t { nothing, truth, integer, number, text, list, object };

struct flat_node {
    flat_kind kind = flat_kind::nothing;
    std::int32_t next = 0;                      ///< index of the first node behind this one and its contents
    std::int32_t items = 0;                     ///< number of items in a list or an object
    std::int32_t begin = 0, end = 0;            ///< bytes of the text
    std::int32_t name_begin = 0, name_end = 0;  ///< name of a member, without quotes
    std::int64_t integer = 0;                   ///< clamped to ±10^18 beyond 18 digits
};

/// One value of a text; valid as long as its flat_json.
class flat_value {
public:
    flat_value(flat_node const* all, std::int32_t place, char const* text) : all_(all), place_(place), text_(text) {}

    [[nodiscard]] flat_kind kind() const { return node().kind; }
    [[nodiscard]] bool is_array() const { return node().kind == flat_kind::list; }
    [[nodiscard]] bool is_object() const { return node().kind == flat_kind::object; }
    [[nodiscard]] bool is_integer() const { return node().kind == flat_kind::integer; }
    [[nodiscard]] std::int64_t integer() const { return node().integer; }
    /// The size as the JSON library counts: 0 for null, 1 for any other scalar.
    [[nodiscard]] std::size_t size() const {
        return node().kind >= flat_kind::list ? std::size_t(node().items) : node().kind == flat_kind::nothing ? 0U : 1U;
    }
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Number of values in it, including itself and brackets.
    [[nodiscard]] std::int64_t values() const { return node().next - place_; }
    [[nodiscard]] std::string_view raw() const { return between(node().begin, node().end); }
    [[nodiscard]] std::string_view name() const { return between(node().name_begin, node().name_end); }

    /// An entry of a list; in constant time if the list contains no lists.
    [[nodiscard]] flat_value operator[](std::size_t i) const {
        std::int32_t at = place_ + 1;
        if (node().next - at == node().items) {
            return {all_, at + std::int32_t(i), text_};
        }
        for (; i > 0; --i) {
            at = all_[at].next;
        }
        return {all_, at, text_};
    }
    /// The first member with this name.
    [[nodiscard]] std::optional<flat_value> find(std::string_view name) const;
    [[nodiscard]] bool contains(std::string_view name) const { return find(name).has_value(); }
    /// A member that must exist.
    [[nodiscard]] flat_value operator[](std::string_view name) const { return find(name).value(); }

    class iterator {
    public:
        iterator(flat_node const* all, std::int32_t place, char const* text) : all_(all), place_(place), text_(text) {}
        flat_value operator*() const { return {all_, place_, text_}; }
        iterator& operator++() {
            place_ = all_[place_].next;
            return *this;
        }
        bool operator!=(iterator const& other) const { return place_ != other.place_; }

    private:
        flat_node const* all_;
        std::int32_t place_;
        char const* text_;
    };
    [[nodiscard]] iterator begin() const { return {all_, place_ + 1, text_}; }
    [[nodiscard]] iterator end() const { return {all_, node().next, text_}; }

private:
    [[nodiscard]] flat_node const& node() const { return all_[place_]; }
    [[nodiscard]] std::string_view between(std::int32_t begin, std::int32_t end) const {
        return {text_ + begin, std::size_t(end - begin)};
    }

    flat_node const* all_;
    std::int32_t place_;
    char const* text_;
};

inline constexpr std::int32_t flat_digits = 10;  ///< a number with more digits counts as long

/// A text that is one object.
class flat_json {
public:
    static constexpr std::int32_t max_members = 16;  ///< members of the object that are kept if the text is long

    /// Reads `text`, which must outlive the flat_json, and reuses the memory. Brackets may be nested `depth` levels
    /// deep, including the object's own. If `whole` is false, only members are kept, so that memory does not grow with
    /// the text.
    void read(std::string_view text, std::int32_t depth, bool whole = true);

    [[nodiscard]] flat_value root() const { return {nodes_.data(), 0, text_.data()}; }
    /// Position at which the text stops being one JSON object; -1: it is one.
    std::int64_t broken = -1;
    char const* expected = nullptr;  ///< what was expected there
    /// Position of the first number that has more than flat_digits digits or an exponent, except for the object's own
    /// `seed`; -1: there is none.
    std::int64_t long_number = -1;
    bool more = false;  ///< the object has more than max_members

private:
    friend class flat_reader;
    std::string_view text_;
    std::vector<flat_node> nodes_;
};

}  // namespace optgap
