#pragma once
// The part of an instance that is the same under all its labels: nodes without names, facts about each of them, and
// joints between two of them. Two instances are the same problem under other labels if their structures are isomorphic,
// which form.hpp decides.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace optgap::canonical {

/// One end of a joint: the node it leads to, its relation (`tag`, even for a joint without direction or for its first
/// end, odd for the second end) and its number.
struct arc {
    std::int32_t to = 0;
    std::uint32_t tag = 0;
    std::int32_t value = 0;
    friend constexpr auto operator<=>(arc const&, arc const&) = default;
};

/// The caller chooses tags: one number for each kind of fact, of arcs and of nodes.
class structure {
public:
    /// Adds `count` nodes of a kind; returns the number of the first one.
    std::int32_t add_nodes(std::int32_t kind, std::int64_t count) {
        std::int32_t const first = size();
        kind_.insert(kind_.end(), std::size_t(count), kind);
        return first;
    }
    /// Adds a fact that belongs to no node, such as a capacity. Such facts have no order: the words of a fact say what
    /// it is about.
    void say(std::initializer_list<std::int32_t> words) { say(std::span(words.begin(), words.size())); }
    void say(std::span<std::int32_t const> words) { add_fact(nobody, words); }
    /// Adds a fact about a node, such as its weight. A node's facts have no order.
    void say_of(std::int32_t node, std::initializer_list<std::int32_t> words) {
        add_fact(node, std::span(words.begin(), words.size()));
    }
    void say_of(std::int32_t node, std::span<std::int32_t const> words) { add_fact(node, words); }
    /// Joins two nodes: directed from one to the other, or undirected.
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
