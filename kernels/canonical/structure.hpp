#pragma once
// What is the same about an instance under all its labels: nodes without names, what is known of each, and what joins
// two of them. Two instances are the same problem under other labels when their structures are isomorphic, which
// form.hpp decides.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace optgap::canonical {

/// An end of a joint: where it leads, which relation it is (`tag`, even for one without direction or for its first end,
/// odd for the second) and the number on it.
struct arc {
    std::int32_t to = 0;
    std::uint32_t tag = 0;
    std::int32_t value = 0;
    friend constexpr auto operator<=>(arc const&, arc const&) = default;
};

/// Tags are the caller's: one number for each kind of fact, of arcs and of nodes.
class structure {
public:
    /// `count` nodes of a kind; the first one's number.
    std::int32_t add_nodes(std::int32_t kind, std::int64_t count) {
        std::int32_t const first = size();
        kind_.insert(kind_.end(), std::size_t(count), kind);
        return first;
    }
    /// A fact of no node, such as a capacity. They have no order: a fact says what it is of by its words.
    void say(std::initializer_list<std::int32_t> words) { say(std::span(words.begin(), words.size())); }
    void say(std::span<std::int32_t const> words) { add_fact(nobody, words); }
    /// A fact of a node, such as its weight. A node's facts have no order.
    void say_of(std::int32_t node, std::initializer_list<std::int32_t> words) {
        add_fact(node, std::span(words.begin(), words.size()));
    }
    void say_of(std::int32_t node, std::span<std::int32_t const> words) { add_fact(node, words); }
    /// Joins two nodes: from one to the other, or without a direction.
    void point(std::int32_t from, std::int32_t to, std::uint32_t tag, std::int32_t value = 0) {
        ends_.push_back({from, {to, 2 * tag, value}});
        ends_.push_back({to, {from, 2 * tag + 1, value}});
    }
    void join(std::int32_t one, std::int32_t other, std::uint32_t tag, std::int32_t value = 0) {
        ends_.push_back({one, {other, 2 * tag, value}});
        ends_.push_back({other, {one, 2 * tag, value}});
    }
    [[nodiscard]] std::int32_t size() const { return std::int32_t(kind_.size()); }

    static constexpr std::int32_t nobody = -1;
    struct fact {
        std::int32_t node;
        std::uint32_t begin;  ///< of its words
        std::uint32_t count;
    };
    struct end {
        std::int32_t from;
        arc to;
    };
    [[nodiscard]] std::span<std::int32_t const> kinds() const { return kind_; }
    [[nodiscard]] std::vector<fact> const& facts() const { return facts_; }
    [[nodiscard]] std::span<std::int32_t const> words(fact const& one) const {
        return std::span(words_).subspan(one.begin, one.count);
    }
    [[nodiscard]] std::vector<end> const& ends() const { return ends_; }

    void clear() {
        kind_.clear();
        facts_.clear();
        words_.clear();
        ends_.clear();
    }

private:
    void add_fact(std::int32_t node, std::span<std::int32_t const> words) {
        facts_.push_back({node, std::uint32_t(words_.size()), std::uint32_t(words.size())});
        words_.insert(words_.end(), words.begin(), words.end());
    }

    std::vector<std::int32_t> kind_;
    std::vector<fact> facts_;
    std::vector<std::int32_t> words_;
    std::vector<end> ends_;
};

}  // namespace optgap::canonical
