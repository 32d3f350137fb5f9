// Prints canonical keys of instances, and the structures behind them, for the comparison with nauty
// (tests/oracle/canonical). A program of the tests. Rows on stdin: {"task": ..., "instance": {...}}. On stdout a line
// per row: {"canonical": KEY, "coarse": false}, or {"error": ...} for a malformed instance. With --structures also
// `listings`, one for each way in which an instance's axes may change ends, each
//
//   {"kinds": [of each node], "facts": [[node or -1, word, ...]], "joints": [[from, to, tag, value, directed]]}
//
// With --fault NAME the keys are those of a faulty canonical form: one that forgets facts of nodes (facts) or numbers
// on joints (joints), ends before it searches (search) or never gives labels (labels). The comparison must detect each.

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/canonical/form.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/engine.hpp"
#include "optgap/proposals/canonical.hpp"
#include "optgap/status.hpp"
#include "tests/support/instance_json.hpp"

namespace {

using json = nlohmann::ordered_json;
using namespace optgap;

json listing_of(canonical::structure const& one) {
    json facts = json::array(), joints = json::array();
    for (canonical::structure::fact const& fact : one.facts()) {
        json words = json::array({fact.node});
        for (std::int32_t const word : one.words(fact)) {
            words.push_back(word);
        }
        facts.push_back(std::move(words));
    }
    // Ends come in pairs, both ends of each joint.
    for (std::size_t e = 0; e + 1 < one.ends().size(); e += 2) {
        canonical::structure::end const& there = one.ends()[e];
        bool const directed = one.ends()[e + 1].to.tag != there.to.tag;
        joints.push_back({there.from, there.to.to, there.to.tag, there.to.value, directed});
    }
    return {{"kinds", json(one.kinds())}, {"facts", std::move(facts)}, {"joints", std::move(joints)}};
}

enum class fault { none, facts, joints, search, labels };
constexpr char const* fault_names[] = {"none", "facts", "joints", "search", "labels"};

std::vector<std::int32_t> faulty_words(canonical::structure const& one, fault of) {
    canonical::structure left;
    for (std::int32_t const kind : one.kinds()) {
        left.add_nodes(kind, 1);
    }
    for (canonical::structure::fact const& fact : one.facts()) {
        if (fact.node < 0) {
            left.say(one.words(fact));
        } else if (of != fault::facts) {
            left.say_of(fact.node, one.words(fact));
        }
    }
    std::vector<std::int32_t> as_listed;
    for (std::size_t e = 0; e + 1 < one.ends().size(); e += 2) {
        canonical::structure::end const& there = one.ends()[e];
        std::int32_t const value = of == fault::joints ? 0 : there.to.value;
        bool const directed = one.ends()[e + 1].to.tag != there.to.tag;
        directed ? left.point(there.from, there.to.to, there.to.tag / 2, value)
                 : left.join(there.from, there.to.to, there.to.tag / 2, value);
        as_listed.insert(as_listed.end(), {there.from, there.to.to, value});
    }
    return of == fault::labels ? as_listed
                               : canonical::label(left, of == fault::search ? 0 : canonical::max_nodes).words;
}

/// The key of the canonical form with this fault.
instance_hash faulty_hash(task_entry const& entry, words_view instance, fault of) {
    std::vector<std::int32_t> least;
    canonical::for_each_listing(*entry.text, entry.canonical, instance, [&](canonical::structure const& one) {
        std::vector<std::int32_t> words = faulty_words(one, of);
        if (least.empty() || words < least) {
            least = std::move(words);
        }
    });
    return hash_words(least);
}

json answer_of(engine const& by, json const& row, bool structures, fault of) {
    std::int32_t const task = by.task_index(row.at("task").get<std::string>());
    task_entry const& entry = registry()[std::size_t(task)];
    std::vector<std::int32_t> const words = testing::read_instance(*entry.text, row.at("instance").dump());
    canonical_hash found = canonical_of(by, task, words);
    if (of != fault::none) {
        found.hash = faulty_hash(entry, {words.data(), std::int64_t(words.size())}, of);
    }
    json out{{"canonical", canonical_key(by.tasks()[std::size_t(task)], found)}, {"coarse", found.coarse}};
    if (structures) {
        json listings = json::array();
        canonical::for_each_listing(*entry.text, entry.canonical, {words.data(), std::int64_t(words.size())},
                                    [&](canonical::structure const& one) { listings.push_back(listing_of(one)); });
        out["listings"] = std::move(listings);
    }
    return out;
}

}  // namespace

int main(int count, char** given) {
    bool structures = false;
    fault of = fault::none;
    for (int i = 1; i < count; ++i) {
        std::string const option = given[i], value = i + 1 < count ? given[i + 1] : "";
        auto const* const named = std::find(std::begin(fault_names), std::end(fault_names), value);
        if (option == "--structures") {
            structures = true;
        } else if (option == "--fault" && named != std::end(fault_names)) {
            of = fault(named - std::begin(fault_names));
            ++i;
        } else {
            std::cerr << "optgap_canonical_rows: expected --structures or --fault facts|joints|search|labels, got "
                      << option << " " << value << "\n";
            return 2;
        }
    }
    engine const by({.where = device::cpu, .threads = 1});
    for (std::string line; std::getline(std::cin, line);) {
        json out;
        try {
            out = answer_of(by, json::parse(line), structures, of);
        } catch (std::exception const& refused) {
            out = {{"error", refused.what()}};
        }
        std::cout << out.dump() << "\n";
    }
    return 0;
}
