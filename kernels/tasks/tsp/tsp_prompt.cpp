#include "kernels/tasks/tsp/tsp_prompt.hpp"

#include <cstdint>

#include "kernels/tasks/tsp/tsp.hpp"
#include "kernels/text/number_text.hpp"

namespace optgap::text::tsp {
namespace {

using namespace optgap::tasks::tsp;

/// Purpose of the worked example's random words: words 0 … 5 are its distances.
constexpr std::uint32_t example_purpose = 32;

/// value / scale as a decimal without trailing zeros.
void add_decimal(std::string& out, std::int64_t value, std::int64_t scale) {
    std::int64_t const size = value < 0 ? -value : value;
    if (value < 0) {
        out += '-';
    }
    append_integer(out, size / scale);
    std::int64_t rest = size % scale;
    if (rest == 0) {
        return;
    }
    out += '.';
    for (std::int64_t unit = scale / 10; rest > 0; unit /= 10) {
        out += char('0' + rest / unit);
        rest %= unit;
    }
}

struct prompt_writer {
    words_view instance;
    std::int32_t n;
    distances d;
    std::string out;

    explicit prompt_writer(words_view words) : instance(words), n(city_count(words)), d(words) {
        out.reserve(std::size_t(1000 + (words[0] == matrix_form ? 12 * words.count : 24 * words.count)));
    }

    [[nodiscard]] bool has_points() const { return d.form != matrix_form; }

    void point(std::int32_t i) {
        add_decimal(out, instance[3 + 2 * std::int64_t(i)], instance[2]);
        out += ", ";
        add_decimal(out, instance[4 + 2 * std::int64_t(i)], instance[2]);
    }
    /// The points, one a line, and the rule for distances.
    void points(char const* before, char const* between, char const* end) {
        for (std::int32_t i = 0; i < n; ++i) {
            out += before;
            append_integer(out, i);
            out += between;
            point(i);
            out += end;
        }
        out +=
            "The distance between two cities is the Euclidean distance of their points, rounded to the nearest integer "
            "(halves up).";
        out += d.form == doubles_form ? " It is computed in double precision, as in TSPLIB.\n" : "\n";
    }
    void matrix_rows() {
        for (std::int32_t i = 0; i < n; ++i) {
            for (std::int32_t j = 0; j < n; ++j) {
                out += j > 0 ? " " : "";
                append_integer(out, d(i, j));
            }
            out += '\n';
        }
    }
    void edge_list() {
        for (std::int32_t i = 0; i < n; ++i) {
            for (std::int32_t j = i + 1; j < n; ++j) {
                append_integer(out, i);
                out += '-';
                append_integer(out, j);
                out += ": ";
                append_integer(out, d(i, j));
                out += j + 1 < n ? ", " : "\n";
            }
        }
    }
    void adjacency() {
        for (std::int32_t i = 0; i < n; ++i) {
            out += "From ";
            append_integer(out, i);
            out += " to";
            for (std::int32_t j = 0; j < n; ++j) {
                if (j != i) {
                    out += ' ';
                    append_integer(out, j);
                    out += " (";
                    append_integer(out, d(i, j));
                    out += ')';
                }
            }
            out += '\n';
        }
    }
    void table() {
        out += "| |";
        for (std::int32_t j = 0; j < n; ++j) {
            append_integer(out, j);
            out += '|';
        }
        out += "\n|-|";
        for (std::int32_t j = 0; j < n; ++j) {
            out += "-|";
        }
        out += '\n';
        for (std::int32_t i = 0; i < n; ++i) {
            out += '|';
            append_integer(out, i);
            out += '|';
            for (std::int32_t j = 0; j < n; ++j) {
                i == j ? void(out += '-') : append_integer(out, d(i, j));
                out += '|';
            }
            out += '\n';
        }
    }
    void triangle_rows() {
        for (std::int32_t i = 0; i + 1 < n; ++i) {
            append_integer(out, i);
            out += ':';
            for (std::int32_t j = i + 1; j < n; ++j) {
                out += ' ';
                append_integer(out, d(i, j));
            }
            out += '\n';
        }
    }

    /// Four cities and their shortest tour, found among all three possible tours.
    void example(draw source) {
        std::int32_t words[8] = {matrix_form, 4};
        for (std::uint32_t k = 0; k < 6; ++k) {
            words[2 + k] = uniform(source, example_purpose, k, task::low_weight, task::high_weight);
        }
        distances const e(words_view{words, 8});
        static constexpr std::int32_t tours[3][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}};
        auto const length = [&](std::int32_t const* t) {
            return e(t[0], t[1]) + e(t[1], t[2]) + e(t[2], t[3]) + e(t[3], t[0]);
        };
        std::int32_t const* best = tours[0];
        for (auto const& tour : tours) {
            best = length(tour) < length(best) ? tour : best;
        }
        out += "Example with 4 cities and the distances ";
        for (std::int32_t i = 0; i < 4; ++i) {
            for (std::int32_t j = i + 1; j < 4; ++j) {
                append_integer(out, i);
                out += '-';
                append_integer(out, j);
                out += ": ";
                append_integer(out, e(i, j));
                out += i < 2 ? ", " : ". ";
            }
        }
        out += "A shortest tour is ";
        append_list(out, best, 4);
        out += " with the length ";
        for (std::int32_t k = 0; k < 4; ++k) {
            append_integer(out, e(best[k], best[(k + 1) % 4]));
            out += k < 3 ? " + " : " = ";
        }
        append_integer(out, length(best));
        out += ".\n\n";
    }
};

}  // namespace

std::string prompt(words_view instance, std::int32_t style, draw source) {
    prompt_writer w(instance);
    std::string& out = w.out;
    switch (style) {
        default:
            out += "Solve a travelling salesman problem. There are ";
            append_integer(out, w.n);
            out += " cities, numbered 0 to ";
            append_integer(out, w.n - 1);
            out +=
                ". Start in any city, visit every city exactly once and return to the start. The total distance "
                "travelled, including the way back, is to be as small as possible.\n\n";
            out += w.has_points() ? "The cities' coordinates:\n"
                                  : "Row i, column j of this matrix is the distance between cities i and j:\n";
            w.has_points() ? w.points("", ": ", "\n") : w.matrix_rows();
            out +=
                "\nThe answer is the list of all cities in the order of the tour. The return to the first city need "
                "not be written.";
            break;
        case 1:
            out += "Find the shortest closed tour through the cities 0 to ";
            append_integer(out, w.n - 1);
            out +=
                " that passes through each of them exactly once. A tour's length is the sum of the distances between "
                "neighbouring cities on it, the last and the first included. Distances are the same in both "
                "directions.\n\n";
            w.example(source);
            out += "Now your instance.";
            out += w.has_points() ? " Cities and their points:\n" : " Its distances, written as pair: distance:\n";
            w.has_points() ? w.points("city ", " at ", "\n") : w.edge_list();
            out += "\nAnswer with the cities in the order in which the tour visits them.";
            break;
        case 2:
            out += "A van must deliver to ";
            append_integer(out, w.n);
            out +=
                " stops, numbered from 0, and come back to the stop it began at. It may begin anywhere, must call at "
                "each "
                "stop once and only once, and should drive as little as it can.\n\n";
            out += w.has_points() ? "Where the stops are:\n"
                                  : "What each stop is away from the others, as stop (distance):\n";
            w.has_points() ? w.points("- stop ", " (", ")\n") : w.adjacency();
            out += "\nGive the round trip as a list of stop numbers. The first stop may be repeated at the end.";
            break;
        case 3:
            out += "Task: minimum-length Hamiltonian cycle in a complete weighted graph with ";
            append_integer(out, w.n);
            out +=
                " vertices (symmetric travelling salesman problem).\nRules: the cycle contains each vertex exactly "
                "once; its "
                "length counts the edge from the last vertex to the first; a shorter cycle is better.\n\n";
            w.example(source);
            out += w.has_points() ? "Points of the graph's vertices:\n" : "Edge weights:\n\n";
            w.has_points() ? w.points("| ", " | ", " |\n") : w.table();
            out += "\nOutput: the vertices in cyclic order.";
            break;
        case 4:
            out += "An inspector has to see ";
            append_integer(out, w.n);
            out += " sites with the numbers 0 to ";
            append_integer(out, w.n - 1);
            out +=
                " in one loop. No site may be left out or seen twice, the loop ends where it began, and its overall "
                "length "
                "should be minimal.\n\n";
            out += w.has_points() ? "Coordinates of the sites:\n"
                                  : "Each line below holds a site, a colon, and its distances to the sites with higher "
                                    "numbers in rising order:\n";
            w.has_points() ? w.points("site ", " = ", ";\n") : w.triangle_rows();
            out += "\nReply with the order of the sites along the loop.";
            break;
    }
    return std::move(out);
}

}  // namespace optgap::text::tsp
