// Texts of hamiltonian_path.

#include "kernels/families/order/order_text.hpp"
#include "kernels/tasks/hamiltonian_path/hamiltonian_path.hpp"
#include "kernels/text/graph_picture.hpp"

namespace hamiltonian_path_text {

using optgap::tasks::hamiltonian_path::arcs_view;
using optgap::tasks::hamiltonian_path::task;

constexpr optgap::symmetry relabels{
    .axes = {{.name = "vertex"}},
    .fields = {{.name = "successors", .rows = "vertex", .names = {"vertex"}}},
    .answer = {.names = {"vertex"}},
};

/// The graph on a ring in the answer's order, with its steps along arcs highlighted.
std::string draw_steps(char const* title, optgap::words_view on, optgap::words_view answer) {
    arcs_view const graph(on);
    optgap::answer_view const order = optgap::view_answer(answer);
    optgap::graph_picture drawing(title, graph.n);
    for (std::int32_t u = 0; u < graph.n; ++u) {
        graph.each(u, [&](std::int32_t v) { drawing.edge(u, v); });
    }
    drawing.group({order.values, std::size_t(order.count)}, "chosen");
    for (std::int64_t i = 1; i < order.count; ++i) {
        if (graph.has(order.values[i - 1], order.values[i])) {
            drawing.edge(order.values[i - 1], order.values[i], "strong");
        }
    }
    drawing.note("The order runs clockwise from the top; its steps along arcs are strong.");
    return drawing.draw();
}

struct words : optgap::families::order_text<task> {
    static constexpr optgap::symmetry const* twins = &relabels;
    static std::string picture(char const* title, optgap::words_view on, optgap::words_view answer) {
        return draw_steps(title, on, answer);
    }
};

/// "0->3, 0->5, 1->2"
void append_arcs(std::string& text, optgap::words_view on) {
    arcs_view const graph(on);
    bool first = true;
    for (std::int32_t u = 0; u < graph.n; ++u) {
        graph.each(u, [&](std::int32_t v) {
            text += (first ? "" : ", ") + std::to_string(u) + "->" + std::to_string(v);
            first = false;
        });
    }
    text += first ? "none\n" : "\n";
}

/// One line "0: 3, 5" for each vertex.
void append_lists(std::string& text, optgap::words_view on) {
    arcs_view const graph(on);
    for (std::int32_t u = 0; u < graph.n; ++u) {
        text += std::to_string(u) + ": ";
        bool first = true;
        graph.each(u, [&](std::int32_t v) {
            text += (first ? "" : ", ") + std::to_string(v);
            first = false;
        });
        text += first ? "none\n" : "\n";
    }
}

void append_matrix(std::string& text, optgap::words_view on) {
    arcs_view const graph(on);
    for (std::int32_t u = 0; u < graph.n; ++u) {
        for (std::int32_t v = 0; v < graph.n; ++v) {
            text += graph.has(u, v) ? '1' : '0';
        }
        text += '\n';
    }
}

constexpr optgap::declarative_text says{
    .title = "Directed Hamiltonian path",
    .summary = "an order of all vertices in which each step goes along an arc, or as many as can be",
    .category = "path planning",
    .objective = "number of steps along arcs",
    .singular = "vertex",
    .plural = "vertices",
    .prompts =
        {"A directed graph has the vertices 0 to {last} and the following arcs, where u->v goes from u to "
         "v:\n\n{arcs}\n"
         "Find a Hamiltonian path: an order of all {n} vertices, each exactly once, in which an arc goes from every "
         "vertex to the one after it. If you find no such order, let arcs go along as many of its steps as you can. "
         "Answer with the list of all vertices in that order.\n",
         "A museum has {n} rooms, numbered 0 to {last}, that are joined by one-way doors. After each room stand the "
         "rooms that its doors open into:\n\n{lists}\nA guard is to see every room exactly once, starting anywhere. "
         "Where no door leads from a room to the next one on the round, the guard must take the long way outside; "
         "plan the round with as few such detours as possible, best without any. List all rooms in the order of the "
         "round.\n",
         "Directed Hamiltonian path. Adjacency matrix (rows and columns count from 0; a 1 in row u and column v is an "
         "arc from u to v):\n\n{matrix}\nOver all permutations p of 0 to {last}, maximise the number of i for which "
         "there is an arc from p[i] to p[i+1]; a perfect p has one at every i but the last. Output p.\n",
         "A disc jockey wants to play {n} songs, 0 to {last}, each once. These are the transitions that sound good, "
         "from the song that ends to the one that begins:\n\n{arcs}\nOnly these directions count: 3->5 says nothing of "
         "5->3. Choose an order of all songs with as many good transitions between one song and the next as there can "
         "be, if possible nothing but good ones, and write it as one list.\n",
         "Work is handed on between {n} people, numbered from 0. Each line names a person and then those to whom this "
         "person can hand on:\n\n{lists}\nPut all {n} people in a row, nobody twice. Score one point for each person "
         "in "
         "the row who can hand on to the next one in it. Find a row with the highest score; every person but the last "
         "may score. Give the numbers from the front of the row to its end.\n",
         "{instance}\n\nIn the object above, entry v of `successors` (counted from 0) lists the vertices that arcs "
         "lead "
         "to from vertex v. Return a list of all vertices, each exactly once, in which as many as possible stand "
         "directly after a vertex whose successor they are; all but the first, if that can be.\n"},
    .sentences = {},
    .examples = {{R"({"successors": [[1], [2], [0, 3], []]})", "[0, 1, 2, 3]", "ok", 3},
                 {"", "[3, 0, 1, 2]", "ok", 2},
                 {"", "[3, 2, 1, 0]", "ok", 0},
                 {"", "[0, 1, 2]", "wrong_length"},
                 {"", "[0, 1, 2, 3, 0]", "wrong_length"},
                 {"", "[1, 2, 3, 4]", "out_of_range"},
                 {"", "[0, 1, 2, 0]", "repeated"},
                 {"", "[[0, 1], [2, 3]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"successors": [[1, 2, 3], [], [], []]})", "[0, 1, 2, 3]", "ok", 1},
                 {R"({"successors": [[1], [0], [3], [2]]})", "[1, 0, 3, 2]", "ok", 2},
                 {R"({"successors": [[1, 1], []]})", "[0, 1]", "ok", 1},
                 {R"({"successors": [[2], [0]]})", "successors[0][0]", "refused"},
                 {R"({"successors": [[0, 1], []]})", "instance", "refused"},
                 {R"({"successors": [[]]})", "successors", "refused"},
                 {R"({"n": 2, "successors": [[1], []]})", "n", "refused"}},
    .fillers = {{"arcs", append_arcs}, {"lists", append_lists}, {"matrix", append_matrix}},
    .tags = {"graph", "permutation", "path"},
    .rlve = {"HamiltonianPathExistence"},
    .reward = "power",
};

}  // namespace hamiltonian_path_text

extern optgap::task_text const optgap_text_hamiltonian_path;
optgap::task_text const optgap_text_hamiltonian_path =
    optgap::declarative_task_text<hamiltonian_path_text::task, hamiltonian_path_text::words,
                                  hamiltonian_path_text::says>();
