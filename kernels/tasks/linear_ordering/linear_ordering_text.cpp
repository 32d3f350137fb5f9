// Texts of linear_ordering.

#include "kernels/families/order/order_text.hpp"
#include "kernels/tasks/linear_ordering/linear_ordering.hpp"

namespace optgap::text::linear_ordering {
std::vector<std::int32_t> read_matrix(std::string_view text);  // linear_ordering_files.cpp
}

namespace linear_ordering_text {

using optgap::tasks::linear_ordering::task;

constexpr optgap::symmetry relabels{
    .axes = {{.name = "item"}},
    .fields = {{.name = "matrix", .rows = "item", .columns = "item"}},
    .answer = {.names = {"item"}},
};

struct words : optgap::families::order_text<task> {
    static constexpr optgap::symmetry const* twins = &relabels;
};

void append_matrix(std::string& text, optgap::words_view on) {
    optgap::families::append_rows(text, on.data + 1, on[0], on[0]);
}

/// "0 before 1: 5, 1 before 0: 2", one line for each pair.
void append_pairs(std::string& text, optgap::words_view on) {
    std::int32_t const n = on[0];
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = i + 1; j < n; ++j) {
            std::string const a = std::to_string(i);
            std::string const b = std::to_string(j);
            text += a + " over " + b + ": " + std::to_string(on[1 + i * n + j]) + ", " + b + " over " + a + ": " +
                    std::to_string(on[1 + j * n + i]) + "\n";
        }
    }
}

constexpr optgap::file_format files[] = {{".lop", optgap::text::linear_ordering::read_matrix},
                                         {".txt", optgap::text::linear_ordering::read_matrix},
                                         {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Linear ordering",
    .summary = "items in a line so that the entries of earlier against later ones add up to the most",
    .category = "ranking",
    .objective = "total of the pairs",
    .singular = "item",
    .plural = "items",
    .prompts =
        {"Put the {n} items 0 to {last} into a line. When i stands anywhere before j, you gain the entry in row i and "
         "column j of this matrix (rows and columns count from 0):\n\n{matrix}\nGain as much as you can over all "
         "pairs, and answer with the list of all items from first to last.\n",
         "A jury compared {n} films, 0 to {last}, two at a time. For each pair, so many members preferred one over the "
         "other:\n\n{pairs}\nA ranking agrees with a vote when the film that the member preferred stands higher. Give "
         "the ranking of all films, best first, that agrees with as many votes as possible.\n",
         "Linear ordering problem. Rearrange rows and columns of the matrix by one common permutation so that the sum "
         "above the diagonal becomes as large as possible.\n\n{matrix}\nWrite the permutation as the list of the old "
         "indices (from 0 to {last}) in their new order.\n",
         "Between {n} teams, numbered from 0, the points of their games stand in a table: row i, column j holds what "
         "team i scored against team j.\n\n{matrix}\nFind the table of ranks that the scores speak for most: sum the "
         "points that teams scored against teams ranked below them, and make that sum the largest. List all teams "
         "from the top rank to the bottom one.\n",
         "{instance}\n\nIn the object above `matrix` is square. For a permutation p of its indices, counted from 0, "
         "add up matrix[p[a]][p[b]] over all a < b. Return a permutation with the largest sum.\n"},
    .sentences = {},
    .examples = {{R"({"matrix": [[0, 5, 1], [2, 0, 4], [3, 1, 0]]})", "[0, 1, 2]", "ok", 10},
                 {"", "[1, 2, 0]", "ok", 9},
                 {"", "[2, 1, 0]", "ok", 6},
                 {"", "[0, 1]", "wrong_length"},
                 {"", "[0, 1, 2, 0]", "wrong_length"},
                 {"", "[0, 3, 2]", "out_of_range"},
                 {"", "[0, 1, 0]", "repeated"},
                 {"", "[[0], [1], [2]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"matrix": [[9, 1], [2, 9]]})", "[1, 0]", "ok", 2},
                 {R"({"matrix": [[0, 1], [-2, 0]]})", "matrix[1][0]", "refused"},
                 {R"({"matrix": [[0, 1], [2]]})", "matrix[1]", "refused"}},
    .fillers = {{"matrix", append_matrix}, {"pairs", append_pairs}},
    .tags = {"ranking", "permutation"},
    .expensive_steps = 16,
    .files = files,
};

}  // namespace linear_ordering_text

extern optgap::task_text const optgap_text_linear_ordering;
optgap::task_text const optgap_text_linear_ordering =
    optgap::declarative_task_text<linear_ordering_text::task, linear_ordering_text::words,
                                  linear_ordering_text::says>();
