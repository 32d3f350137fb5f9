#include "kernels/canonical/colouring.hpp"

#include <algorithm>
#include <numeric>

namespace optgap::canonical {
namespace {

std::uint64_t hash_of(std::span<std::int32_t const> words) {
    std::uint64_t hash = words.size();
    for (std::int32_t const word : words) {
        hash = mixed(hash, std::uint32_t(word));
    }
    return hash;
}

}  // namespace

void read_structure(structure const& from, graph& out, std::vector<std::int32_t>& head) {
    std::int32_t const n = from.size();
    out.size = n;
    std::vector<structure::fact> facts = from.facts();
    std::sort(facts.begin(), facts.end(), [&](structure::fact const& a, structure::fact const& b) {
        if (a.node != b.node) {
            return a.node < b.node;
        }
        std::span<std::int32_t const> const x = from.words(a), y = from.words(b);
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    });
    out.words.clear();
    out.word_begin.assign(1, 0);
    std::size_t next = 0;
    for (; next < facts.size() && facts[next].node == structure::nobody; ++next) {
        head.push_back(std::int32_t(facts[next].count));
        head.insert(head.end(), from.words(facts[next]).begin(), from.words(facts[next]).end());
    }
    for (std::int32_t v = 0; v < n; ++v) {
        out.words.push_back(from.kinds()[std::size_t(v)]);
        for (; next < facts.size() && facts[next].node == v; ++next) {
            out.words.push_back(std::int32_t(facts[next].count));
            out.words.insert(out.words.end(), from.words(facts[next]).begin(), from.words(facts[next]).end());
        }
        out.word_begin.push_back(std::int32_t(out.words.size()));
    }
    out.arc_begin.assign(std::size_t(n) + 1, 0);
    for (structure::end const& one : from.ends()) {
        ++out.arc_begin[std::size_t(one.from) + 1];
    }
    std::partial_sum(out.arc_begin.begin(), out.arc_begin.end(), out.arc_begin.begin());
    std::vector<std::int64_t> at(out.arc_begin.begin(), out.arc_begin.end() - 1);
    out.arcs.resize(from.ends().size());
    out.arc_hash.resize(from.ends().size());
    for (structure::end const& one : from.ends()) {
        std::size_t const place = std::size_t(at[std::size_t(one.from)]++);
        out.arcs[place] = one.to;
        out.arc_hash[place] = mixed(one.to);
    }
}

void colouring::begin(graph const& of) {
    std::size_t const n = std::size_t(of.size);
    std::vector<std::pair<std::uint64_t, std::int32_t>> keyed(n);
    for (std::size_t v = 0; v < n; ++v) {
        keyed[v] = {hash_of(of.words_of(std::int32_t(v))), std::int32_t(v)};
    }
    std::sort(keyed.begin(), keyed.end());
    order.resize(n);
    place.resize(n);
    cell.resize(n);
    length.assign(n, 0);
    cells = 0;
    std::int32_t begins = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i == 0 || keyed[i].first != keyed[i - 1].first) {
            begins = std::int32_t(i);
            ++cells;
        }
        std::int32_t const v = keyed[i].second;
        order[i] = v;
        place[std::size_t(v)] = std::int32_t(i);
        cell[std::size_t(v)] = begins;
        ++length[std::size_t(begins)];
    }
}

std::int32_t colouring::smallest_cell() const {
    std::int32_t best = -1;
    for (std::int32_t at = 0; at < std::int32_t(order.size()); at += length[std::size_t(at)]) {
        std::int32_t const here = length[std::size_t(at)];
        if (here > 1 && (best < 0 || here < length[std::size_t(best)])) {
            best = at;
        }
    }
    return best;
}

void colouring::single_out(std::int32_t node) {
    std::int32_t const begins = cell[std::size_t(node)];
    std::int32_t const first = order[std::size_t(begins)];
    std::swap(order[std::size_t(begins)], order[std::size_t(place[std::size_t(node)])]);
    std::swap(place[std::size_t(first)], place[std::size_t(node)]);
    length[std::size_t(begins) + 1] = length[std::size_t(begins)] - 1;
    length[std::size_t(begins)] = 1;
    for (std::int32_t i = begins + 1; i <= begins + length[std::size_t(begins) + 1]; ++i) {
        cell[std::size_t(order[std::size_t(i)])] = begins + 1;
    }
    ++cells;
}

void refiner::ask(std::int32_t cell) {
    if (queued_[std::size_t(cell)] == 0) {
        queued_[std::size_t(cell)] = 1;
        queue_.push_back(cell);
    }
}

void refiner::count_neighbours(graph const& of, colouring const& in, std::int32_t splitter) {
    touched_.clear();
    cells_.clear();
    std::int32_t const last = splitter + in.length[std::size_t(splitter)];
    for (std::int32_t i = splitter; i < last; ++i) {
        std::size_t const v = std::size_t(in.order[std::size_t(i)]);
        for (std::int64_t a = of.arc_begin[v]; a < of.arc_begin[v + 1]; ++a) {
            std::int32_t const u = of.arcs[std::size_t(a)].to;
            std::int32_t const home = in.cell[std::size_t(u)];
            if (in.length[std::size_t(home)] == 1) {
                continue;
            }
            if (seen_[std::size_t(u)] == 0) {
                seen_[std::size_t(u)] = 1;
                touched_.push_back(u);
                if (touched_in_[std::size_t(home)]++ == 0) {
                    cells_.push_back(home);
                }
            }
            key_[std::size_t(u)] += of.arc_hash[std::size_t(a)];
        }
    }
    std::sort(cells_.begin(), cells_.end());
}

void refiner::split_cell(colouring& in, std::int32_t begin, std::span<keyed_node> keyed) {
    std::int32_t const size = in.length[std::size_t(begin)];
    std::int32_t const end = begin + size;
    std::int32_t const count = std::int32_t(keyed.size());
    touched_in_[std::size_t(begin)] = 0;
    std::sort(keyed.begin(), keyed.end());
    trace_ = mixed(trace_, std::uint64_t(begin) << 32 | std::uint64_t(count));
    bool const all_alike = count == size && keyed.front().first == keyed.back().first;
    if (all_alike) {
        trace_ = mixed(trace_, keyed.front().first);
        return;
    }
    // Nodes without such a neighbour stay in front; the others follow in the order of their keys.
    for (std::int32_t i = count; i-- > 0;) {
        std::int32_t const node = keyed[std::size_t(i)].second;
        std::int32_t const target = end - (count - i);
        std::int32_t const other = in.order[std::size_t(target)];
        std::int32_t const source = in.place[std::size_t(node)];
        in.order[std::size_t(source)] = other;
        in.place[std::size_t(other)] = source;
        in.order[std::size_t(target)] = node;
        in.place[std::size_t(node)] = target;
    }
    begins_.clear();
    if (count < size) {
        begins_.push_back(begin);
    }
    for (std::int32_t i = 0; i < count; ++i) {
        if (i == 0 || keyed[std::size_t(i)].first != keyed[std::size_t(i) - 1].first) {
            begins_.push_back(end - count + i);
            trace_ = mixed(trace_, keyed[std::size_t(i)].first);
        }
    }
    std::int32_t largest = 0;
    for (std::size_t k = 0; k < begins_.size(); ++k) {
        std::int32_t const from = begins_[k];
        std::int32_t const to = k + 1 < begins_.size() ? begins_[k + 1] : end;
        in.length[std::size_t(from)] = to - from;
        trace_ = mixed(trace_, std::uint64_t(to - from));
        largest = std::max(largest, to - from);
        if (from != begin) {
            for (std::int32_t i = from; i < to; ++i) {
                in.cell[std::size_t(in.order[std::size_t(i)])] = from;
            }
        }
    }
    in.cells += std::int32_t(begins_.size()) - 1;
    // The whole cell was a splitter before, so what the largest part tells follows from the other parts.
    bool const waits = queued_[std::size_t(begin)] != 0;
    bool spared = waits;
    for (std::int32_t const from : begins_) {
        if (!spared && in.length[std::size_t(from)] == largest) {
            spared = true;
            continue;
        }
        ask(from);
    }
}

std::uint64_t refiner::refine(graph const& of, colouring& in, std::span<std::int32_t const> from) {
    std::size_t const n = std::size_t(of.size);
    queue_.clear();
    queued_.assign(n, 0);
    key_.resize(n, 0);
    seen_.resize(n, 0);
    touched_in_.resize(n, 0);
    next_of_.resize(n);
    trace_ = 0;
    for (std::int32_t const cell : from) {
        ask(cell);
    }
    for (std::size_t next = 0; next < queue_.size() && !in.discrete(); ++next) {
        std::int32_t const splitter = queue_[next];
        queued_[std::size_t(splitter)] = 0;
        trace_ = mixed(trace_, std::uint64_t(splitter));
        count_neighbours(of, in, splitter);
        // Gathers the touched nodes of each cell, without a list for each cell.
        std::int32_t at = 0;
        for (std::int32_t const begin : cells_) {
            next_of_[std::size_t(begin)] = at;
            at += touched_in_[std::size_t(begin)];
        }
        keyed_.resize(touched_.size());
        for (std::int32_t const u : touched_) {
            keyed_[std::size_t(next_of_[std::size_t(in.cell[std::size_t(u)])]++)] = {key_[std::size_t(u)], u};
            key_[std::size_t(u)] = 0;
            seen_[std::size_t(u)] = 0;
        }
        at = 0;
        for (std::int32_t const begin : cells_) {
            std::int32_t const count = touched_in_[std::size_t(begin)];
            split_cell(in, begin, std::span(keyed_).subspan(std::size_t(at), std::size_t(count)));
            at += count;
        }
    }
    return trace_;
}

}  // namespace optgap::canonical
