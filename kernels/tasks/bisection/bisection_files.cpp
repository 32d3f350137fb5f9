// METIS graphs (Karypis and Kumar 1998), as in Walshaw's archive of partitions.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tasks/bisection/bisection_instance.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::bisection {
namespace {

using namespace optgap::tasks::bisection;

/// The lines of a file without comments, which begin with %.
class metis_lines {
public:
    explicit metis_lines(std::string_view text) : text_(text) {}

    /// The words of the next line, which may be blank; empty behind the last line.
    std::optional<file_words> next() {
        while (!text_.empty()) {
            std::string_view const line = text_.substr(0, text_.find('\n'));
            text_.remove_prefix(std::min(line.size() + 1, text_.size()));
            ++number_;
            if (!line.starts_with('%')) {
                return file_words(line, number_);
            }
        }
        return std::nullopt;
    }

private:
    std::string_view text_;
    std::int64_t number_ = 0;
};

}  // namespace

/// "n m", then for each vertex a line of its neighbours, from 1; with "n m 1" each is followed by the edge's weight. m
/// is checked against the edges, and nothing may follow.
std::vector<std::int32_t> read_metis(std::string_view text) {
    metis_lines lines(text);
    std::optional<file_words> header = lines.next();
    while (header && header->at_end()) {
        header = lines.next();
    }
    if (!header) {
        throw field_error("line 1", "there is no line with the numbers of vertices and edges");
    }
    std::int64_t const n = header->next_integer("the number of vertices", 1, max_weighted_vertices);
    std::int64_t const m = header->next_integer("the number of edges", 0, INT64_MAX);
    file_words const place = *header;
    bool const weighted = !header->at_end() && header->next_integer("the format", 0, 1) == 1;
    if (!header->at_end()) {
        header->fail("must be n m or n m format: vertices have no weights in this task");
    }
    std::vector<std::int32_t> words(static_cast<std::size_t>(weighted_graph_words(n)));
    words[0] = std::int32_t(n);
    auto const weight = [&](std::int64_t u, std::int64_t v) -> std::int32_t& {
        return words[std::size_t(1 + u * n + v)];
    };
    std::vector<std::int64_t> listed(static_cast<std::size_t>(n));  // the last vertex that has listed this one
    std::int64_t entries = 0;                                       // each edge is listed at both of its ends
    for (std::int64_t u = 0; u < n; ++u) {
        std::optional<file_words> line = lines.next();
        if (!line) {
            throw field_error("vertex " + std::to_string(u + 1), "the file ended before its line of neighbours");
        }
        while (!line->at_end()) {
            std::int64_t const v = line->next_integer("a neighbour", 1, n) - 1;
            if (v == u) {
                line->fail("a vertex must not be its own neighbour");
            }
            if (listed[std::size_t(v)] == u + 1) {
                line->fail("neighbour " + std::to_string(v + 1) + " is there twice");
            }
            listed[std::size_t(v)] = u + 1;
            ++entries;
            weight(u, v) = weighted ? std::int32_t(line->next_integer("a weight", 0, INT32_MAX)) : 1;
        }
    }
    for (std::optional<file_words> line = lines.next(); line; line = lines.next()) {
        if (!line->at_end()) {
            line->fail("there is a line behind those of the " + std::to_string(n) + " vertices that the head says");
        }
    }
    for (std::int64_t u = 0; u < n; ++u) {
        for (std::int64_t v = 0; v < u; ++v) {
            if (weight(u, v) != weight(v, u)) {
                throw field_error("vertex " + std::to_string(u + 1),
                                  "must list " + std::to_string(v + 1) + " with the weight with which that lists it");
            }
        }
    }
    // Some writers count an edge once for each of its ends.
    if (m != entries / 2 && m != entries) {
        place.fail("the head says " + std::to_string(m) + " edges, but there are " + std::to_string(entries / 2));
    }
    return words;
}

}  // namespace optgap::text::bisection
