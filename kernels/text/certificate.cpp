#include "kernels/text/certificate.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace optgap {

bool instance_fields::has(char const* name) const { return instance_->contains(name); }
std::int64_t instance_fields::number(char const* name) const { return instance_->at(name).get<std::int64_t>(); }
numbers instance_fields::list(char const* name) const { return instance_->at(name).get<numbers>(); }
number_rows instance_fields::rows(char const* name) const { return instance_->at(name).get<number_rows>(); }

std::vector<number_rows> instance_fields::lists_of_rows(char const* name) const {
    return instance_->at(name).get<std::vector<number_rows>>();
}

std::int64_t walked(numbers const& first, walk_step const& step, std::int64_t most) {
    std::set<numbers> met{first};
    number_rows waiting{first};
    number_rows next;
    while (!waiting.empty() && std::int64_t(met.size()) <= most) {
        numbers const one = std::move(waiting.back());
        waiting.pop_back();
        next.clear();
        if (!step(one, next)) {
            return most + 1;
        }
        for (numbers& further : next) {
            if (met.insert(further).second) {
                waiting.push_back(std::move(further));
            }
        }
    }
    return std::int64_t(met.size());
}

adjacency joined(instance_fields const& instance) {
    auto const n = std::size_t(instance.number("n"));
    adjacency near(n, std::vector<bool>(n));
    for (numbers const& edge : instance.rows("edges")) {
        near[std::size_t(edge[0])][std::size_t(edge[1])] = true;
        near[std::size_t(edge[1])][std::size_t(edge[0])] = true;
    }
    return near;
}

adjacency not_joined(instance_fields const& instance) {
    adjacency apart = joined(instance);
    for (std::size_t u = 0; u < apart.size(); ++u) {
        apart[u].flip();
        apart[u][u] = false;
    }
    return apart;
}

std::vector<std::vector<std::int32_t>> cliques_of_edges(adjacency const& near) {
    std::set<std::vector<std::int32_t>> found;
    for (std::size_t u = 0; u < near.size(); ++u) {
        for (std::size_t v = u + 1; v < near.size(); ++v) {
            if (!near[u][v]) {
                continue;
            }
            std::vector<std::int32_t> clique{std::int32_t(u), std::int32_t(v)};
            // Starts at another vertex for each edge, so that the sets differ.
            for (std::size_t k = 0; k < near.size(); ++k) {
                std::size_t const w = (k + u + v) % near.size();
                if (std::all_of(clique.begin(), clique.end(),
                                [&](std::int32_t x) { return near[w][std::size_t(x)]; })) {
                    clique.push_back(std::int32_t(w));
                }
            }
            std::sort(clique.begin(), clique.end());
            found.insert(clique);
        }
    }
    return {found.begin(), found.end()};
}

std::string row_name(char const* word, std::vector<std::int32_t> const& places) {
    std::string name = std::string("\"") + word + "\"";
    for (std::int32_t const number : places) {
        name += "," + std::to_string(number);
    }
    return name;
}

std::int64_t power(std::int64_t base, std::int64_t n) {
    constexpr std::int64_t most = std::int64_t(1) << 30;
    std::int64_t out = 1;
    for (; n > 0 && out < most; --n) {
        out = std::min(most, out * base);
    }
    return out;
}

}  // namespace optgap
