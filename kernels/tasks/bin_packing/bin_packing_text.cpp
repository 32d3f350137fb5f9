// Texts of bin_packing.

#include "kernels/families/labels/parts_text.hpp"
#include "kernels/tasks/bin_packing/bin_packing.hpp"

namespace optgap::text::bin_packing {
std::vector<std::int32_t> read_bins(std::string_view text);  // bin_packing_files.cpp
}

namespace bin_packing_text {

using optgap::words_view;
using optgap::tasks::bin_packing::task;

struct words : optgap::families::parts_text<task> {
    static constexpr optgap::answer_terms terms =
        terms_with("a list with a list of items for each bin, none of them empty", "none of its lists is empty");
    static std::string picture(char const* title, words_view on, words_view answer) {
        return optgap::families::draw_parts(title, on, answer, on[0]);
    }
    static constexpr optgap::symmetry const* twins = nullptr;
};

constexpr optgap::symmetry relabels{
    .axes = {{.name = "item"}},
    .fields = {{.name = "sizes", .rows = "item"}},
    .answer = {.names = {"item"}},
};

constexpr optgap::file_format files[] = {
    {".bpp", optgap::text::bin_packing::read_bins}, {".txt", optgap::text::bin_packing::read_bins}, {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Bin packing",
    .summary = "items packed into as few bins of one capacity as can be",
    .category = "packing",
    .objective = "number of bins",
    .singular = "item",
    .plural = "items",
    .prompts =
        {"Pack {n} items, numbered 0 to {last}, into bins that hold a total size of at most {number} each, and use as "
         "few bins as possible. Items cannot be split.\n\nThe items and their sizes:\n{lines}\nAnswer with a list of "
         "lists: for each bin that is used, the numbers of its items. Every item is in exactly one bin, and the sizes "
         "in a bin add up to {number} or less.\n",
         "A joiner buys planks that are {number} cm long and has to saw {n} pieces from them. Piece i, counted from 0, "
         "has the i-th of these lengths in cm: {sizes}. The saw takes nothing away, and pieces cannot be glued. How "
         "are the pieces to be sawn from as few planks as possible? List for each plank the numbers of the pieces "
         "that come from it.\n",
         "Bin packing, minimise the number of bins.\ncapacity = {number}\nsizes = {sizes}\n\nOutput one list of "
         "0-based "
         "indices for each bin, with each index in exactly one bin and no bin above its capacity or empty.\n",
         "Songs #0 to #{last} last, in seconds: {pairs}.\n\nRecord every one of them once, whole, on tapes of "
         "{number} seconds. Fewer tapes are better. Write a list of tapes, each a list of song numbers in any order.\n",
         "Lorries may carry {number} kg each. These crates stand in the yard (number: kg):\n\n{lines}\nAll of them "
         "must "
         "leave at once. Load as few lorries as you can, none beyond what it may carry, and report the load of each "
         "as a list of crate numbers, all loads in one list. Do not list lorries that stay empty.\n",
         "{instance}\n\nPartition the indices of `sizes`, counted from 0, into lists that are not empty, such that the "
         "sizes at the indices of each list sum to at most `capacity` and there are as few lists as possible. Return "
         "the list of lists.\n"},
    .sentences = {"Items are left out: what is in no bin, and what is too much in others, is {violation} of "
                  "{violation_max}.",
                  "A bin is too full, first by item {value} (position {where}): {violation} of {violation_max} do not "
                  "fit."},
    .examples = {{R"({"capacity": 10, "sizes": [6, 5, 4, 3, 2]})", "[[0, 2], [1, 3, 4]]", "ok", 2},
                 {"", "[[4, 3, 1], [2, 0]]", "ok", 2},
                 {"", "[[0, 3], [1, 2], [4]]", "ok", 3},
                 {"", "[[0], [1], [2], [3], [4]]", "ok", 5},
                 {"", "[[0, 2], [1, 3]]", "missing_item"},
                 {"", "[[0, 2, 1], [3]]", "missing_item"},
                 {"", "[[0, 1], [2, 3, 4]]", "over_capacity"},
                 {"", "[[0, 1, 2, 3, 4]]", "over_capacity"},
                 {"", "[[0, 2], [1, 3, 4, 0]]", "repeated"},
                 {"", "[[6, 4], [5, 3, 2]]", "out_of_range"},
                 {"", "[[0, 2], [], [1, 3, 4]]", "wrong_length"},
                 {"", "[0, 1, 0, 1, 1]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"capacity": 5, "sizes": [5]})", "[[0]]", "ok", 1},
                 {R"({"capacity": 5, "sizes": [5, 6]})", "sizes[1]", "refused"},
                 {R"({"capacity": 5, "sizes": [0]})", "sizes[0]", "refused"},
                 {R"({"capacity": 0, "sizes": [1]})", "capacity", "refused"}},
    .twins = &relabels,
    .tags = {"numbers", "packing"},
    .files = files,
};

}  // namespace bin_packing_text

extern optgap::task_text const optgap_text_bin_packing;
optgap::task_text const optgap_text_bin_packing =
    optgap::declarative_task_text<bin_packing_text::task, bin_packing_text::words, bin_packing_text::says>();
