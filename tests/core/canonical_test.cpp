// Canonical words against a slow reference: the least words over all permutations of a structure's nodes.

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "kernels/canonical/labelling.hpp"

namespace optgap::canonical {
namespace {

/// A structure as plain lists, so that it can be relabelled.
struct plain {
    struct joint {
        std::int32_t from, to;
        std::uint32_t tag;
        std::int32_t value;
        bool directed;
    };
    std::vector<std::int32_t> colour;
    std::vector<joint> joints;

    [[nodiscard]] structure listed(std::vector<std::int32_t> const& to) const {
        structure out;
        std::vector<std::int32_t> own(colour.size());
        for (std::size_t v = 0; v < colour.size(); ++v) {
            own[std::size_t(to[v])] = colour[v];
        }
        out.add_nodes(0, std::int64_t(colour.size()));
        for (std::size_t v = 0; v < own.size(); ++v) {
            out.say_of(std::int32_t(v), {own[v]});
        }
        for (joint const& one : joints) {
            std::int32_t const u = to[std::size_t(one.from)], v = to[std::size_t(one.to)];
            if (one.directed) {
                out.point(u, v, one.tag, one.value);
            } else {
                out.join(u, v, one.tag, one.value);
            }
        }
        return out;
    }
    [[nodiscard]] std::vector<std::int32_t> same() const {
        std::vector<std::int32_t> to(colour.size());
        std::iota(to.begin(), to.end(), 0);
        return to;
    }
    [[nodiscard]] labelled label_as(std::vector<std::int32_t> const& to) const { return label(listed(to)); }
};

/// The least list of colours and sorted joints over all permutations.
std::vector<std::int32_t> slow_words(plain const& of) {
    std::vector<std::int32_t> to = of.same(), best;
    do {
        std::vector<std::int32_t> words(of.colour.size());
        for (std::size_t v = 0; v < to.size(); ++v) {
            words[std::size_t(to[v])] = of.colour[v];
        }
        std::vector<std::vector<std::int32_t>> rows;
        for (plain::joint const& one : of.joints) {
            std::int32_t u = to[std::size_t(one.from)], v = to[std::size_t(one.to)];
            if (!one.directed && u > v) {
                std::swap(u, v);
            }
            rows.push_back({u, v, std::int32_t(one.tag), one.value, std::int32_t(one.directed)});
        }
        std::sort(rows.begin(), rows.end());
        for (std::vector<std::int32_t> const& row : rows) {
            words.insert(words.end(), row.begin(), row.end());
        }
        if (best.empty() || words < best) {
            best = words;
        }
    } while (std::next_permutation(to.begin(), to.end()));
    return best;
}

plain random_structure(std::mt19937& draw, std::int32_t n) {
    plain out;
    std::int32_t const colours = 1 + std::int32_t(draw() % 2), values = 1 + std::int32_t(draw() % 2);
    std::uint32_t const density = 1 + draw() % 3;
    bool const directed = draw() % 3 == 0;
    for (std::int32_t v = 0; v < n; ++v) {
        out.colour.push_back(std::int32_t(draw() % std::uint32_t(colours)));
        for (std::int32_t u = 0; u < v; ++u) {
            if (draw() % 4 < density) {
                bool const turned = directed && draw() % 2 == 0;
                out.joints.push_back({turned ? v : u, turned ? u : v, 3, std::int32_t(draw() % std::uint32_t(values)),
                                      directed && draw() % 4 != 0});
            }
        }
    }
    return out;
}

TEST(canonical, words_are_equal_exactly_where_a_permutation_leads_from_one_to_the_other) {
    std::mt19937 draw(1);
    std::map<std::vector<std::int32_t>, std::vector<std::int32_t>> slow_of, fast_of;
    for (std::int32_t i = 0; i < 4000; ++i) {
        plain const one = random_structure(draw, 1 + std::int32_t(draw() % 5));
        std::vector<std::int32_t> to = one.same();
        std::shuffle(to.begin(), to.end(), draw);
        std::vector<std::int32_t> const slow = slow_words(one);
        labelled const fast = one.label_as(to);
        ASSERT_FALSE(fast.coarse);
        ASSERT_EQ(slow_of.try_emplace(fast.words, slow).first->second, slow) << "two problems have the same words";
        ASSERT_EQ(fast_of.try_emplace(slow, fast.words).first->second, fast.words) << "one problem has two forms";
    }
    EXPECT_GT(slow_of.size(), 300u);
}

plain graph_of(std::int32_t n, std::function<bool(std::int32_t, std::int32_t)> const& joined) {
    plain out;
    out.colour.assign(std::size_t(n), 0);
    for (std::int32_t v = 0; v < n; ++v) {
        for (std::int32_t u = 0; u < v; ++u) {
            if (joined(u, v)) {
                out.joints.push_back({u, v, 0, 1, false});
            }
        }
    }
    return out;
}

plain circle(std::int32_t n, std::int32_t pieces) {
    std::int32_t const each = n / pieces;
    return graph_of(n, [=](std::int32_t u, std::int32_t v) {
        return u / each == v / each && ((v - u) % each == 1 || (v - u) % each == each - 1);
    });
}

struct named_graph {
    char const* name;
    plain graph;
};
std::vector<named_graph> hard_graphs() {
    auto const petersen = [](std::int32_t u, std::int32_t v) {
        if (u < 5 && v < 5) {
            return (v - u) % 5 == 1 || (v - u) % 5 == 4;
        }
        return u < 5 ? v == u + 5 : (v - u) % 5 == 2 || (v - u) % 5 == 3;
    };
    auto const rook = [](std::int32_t u, std::int32_t v) { return u / 4 == v / 4 || u % 4 == v % 4; };
    auto const shrikhande = [](std::int32_t u, std::int32_t v) {
        std::int32_t const r = (v / 4 - u / 4 + 4) % 4, c = (v % 4 - u % 4 + 4) % 4;
        return (r == 0 && c % 2 == 1) || (c == 0 && r % 2 == 1) || (r == c && r % 2 == 1);
    };
    auto const cube = [](std::int32_t u, std::int32_t v) { return __builtin_popcount(unsigned(u ^ v)) == 1; };
    return {{"Petersen's", graph_of(10, petersen)},
            {"rook's 4 x 4", graph_of(16, rook)},
            {"Shrikhande's", graph_of(16, shrikhande)},
            {"cube of 5 dimensions", graph_of(32, cube)},
            {"complete", graph_of(20, [](auto, auto) { return true; })},
            {"empty", graph_of(20, [](auto, auto) { return false; })},
            {"complete in two parts", graph_of(20, [](auto u, auto v) { return u % 2 != v % 2; })},
            {"circle", circle(24, 1)},
            {"two circles", circle(24, 2)},
            {"three circles", circle(24, 3)},
            {"path", graph_of(60, [](auto u, auto v) { return v == u + 1; })},
            {"pairs", graph_of(20, [](auto u, auto v) { return u / 2 == v / 2; })},
            {"all but pairs", graph_of(20, [](auto u, auto v) { return u / 2 != v / 2; })}};
}

TEST(canonical, graphs_that_refinement_cannot_tell_apart_are_told_apart_and_keep_their_words) {
    std::mt19937 draw(2);
    std::map<std::vector<std::int32_t>, char const*> known;
    for (named_graph const& one : hard_graphs()) {
        labelled const own = one.graph.label_as(one.graph.same());
        EXPECT_FALSE(own.coarse) << one.name << ": " << own.nodes << " nodes";
        for (std::int32_t i = 0; i < 20; ++i) {
            std::vector<std::int32_t> to = one.graph.same();
            std::shuffle(to.begin(), to.end(), draw);
            labelled const moved = one.graph.label_as(to);
            ASSERT_EQ(moved.words, own.words) << one.name;
            EXPECT_LE(moved.nodes, 2500) << one.name;
        }
        EXPECT_TRUE(known.try_emplace(own.words, one.name).second) << one.name << " is " << known[own.words];
    }
}

TEST(canonical, an_ended_search_says_so_and_still_does_not_depend_on_labels) {
    std::mt19937 draw(3);
    named_graph const cube = hard_graphs()[3];
    labelled const own = label(cube.graph.listed(cube.graph.same()), 3);
    EXPECT_TRUE(own.coarse);
    for (std::int32_t i = 0; i < 10; ++i) {
        std::vector<std::int32_t> to = cube.graph.same();
        std::shuffle(to.begin(), to.end(), draw);
        labelled const moved = label(cube.graph.listed(to), 3);
        EXPECT_TRUE(moved.coarse);
        EXPECT_EQ(moved.words, own.words);
    }
    EXPECT_NE(own.words, label(hard_graphs()[4].graph.listed(hard_graphs()[4].graph.same()), 3).words);
}

TEST(canonical, every_fact_counts) {
    structure none, head, other;
    head.say({7});
    other.say({8});
    EXPECT_NE(label(none).words, label(head).words);
    EXPECT_NE(label(head).words, label(other).words);
    std::vector<std::vector<std::int32_t>> all;
    for (std::int32_t i = 0; i < 4; ++i) {
        structure one;
        one.add_nodes(i == 1 ? 5 : 0, 2);
        if (i == 2) {
            one.say_of(1, {1, 2});
        }
        if (i == 3) {
            one.say_of(1, {1});
            one.say_of(1, {2});
        }
        all.push_back(label(one).words);
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

}  // namespace
}  // namespace optgap::canonical
