// Texts of orienteering.

#include <algorithm>

#include "kernels/families/routes/routes_text.hpp"
#include "kernels/tasks/orienteering/orienteering.hpp"

namespace orienteering_text {

using optgap::words_view;
using optgap::tasks::orienteering::task;

constexpr optgap::symmetry relabels{
    .axes = {{.name = "place", .moves = optgap::label_moves::but_first}},
    .fields = {{.name = "points", .rows = "place"}, {.name = "prizes", .rows = "place"}},
    .answer = {.names = {"place"}},
};

struct words : optgap::families::routes_text<task> {
    static constexpr optgap::answer_terms terms{
        .form = "[a, b, c, ...]",
        .shape = "one flat list of places",
        .low = [](words_view) { return 0; },
        .high = [](words_view on) { return on[0] - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"bad_depth", "it is one flat list; the empty list is one"},
                  {"out_of_range", "its values are 0 to n - 1", "the value"},
                  {"repeated", "it holds no place twice, but for place 0 at both ends", "the second"}},
    };
    static constexpr optgap::symmetry const* twins = &relabels;
    static std::string picture(char const* title, words_view on, words_view answer) {
        optgap::answer_view const list = optgap::view_answer(answer);
        std::vector<std::int32_t> trip(list.values, list.values + list.count);
        // A circle that contains place 0 begins there.
        auto const home = std::find(trip.begin(), trip.end(), 0);
        if (home != trip.end()) {
            std::rotate(trip.begin(), home, trip.end());
            trip.erase(trip.begin());
        }
        return optgap::families::draw_routes(title, on, {trip});
    }
};

constexpr optgap::declarative_text says{
    .title = "Orienteering",
    .summary = "a round trip within a budget that collects the greatest prize",
    .category = "path planning",
    .objective = "total prize",
    .singular = "place",
    .plural = "places",
    .prompts =
        {"Plan a round trip that starts and ends at place 0, is no longer than {limit}, and visits places whose "
         "prizes together are as large as possible. A place is visited once at most, and its prize collected "
         "then.\n\nThe distance of two places is the Euclidean distance of their points, rounded to the nearest "
         "integer; the trip's length is the sum over its steps, the last one back to place 0 included. The places "
         "are 0 to {last}, with their points:\n{points}\nTheir prizes, in this order, are {amounts}.\n\nAnswer with "
         "the list of the places in the order of the trip; place 0 may be left out, or stand at both ends.\n",
         "A van leaves the depot (place 0) in the morning and must be back after at most {limit} km. Each line is a "
         "place: its number, its coordinates x and y in km, and what a visit there earns:\n{table}\nBetween two "
         "places the van drives the straight line's length, rounded to whole kilometres. Not all places can be "
         "reached in one day. Which ones do you visit, in which order, to earn the most? List them, none twice; the "
         "depot may be left out, or stand at both ends.\n",
         "Orienteering problem. Distances between the {n} places, each line a place with those to places 0, 1, 2 and "
         "so on before it:\n{distances}\nPrizes of places 0 to {last}: {amounts}. Length allowed: {limit}.\n\nGive "
         "the places of a closed tour through place 0 in order, as one list of different numbers (place 0 need not "
         "be there, and may be both the first and the last). A tour longer than allowed counts for nothing; otherwise "
         "more prize is better.\n",
         "You walk on a map from the start, point 0, past control points and back to the start. These are the points "
         "0 to {last}: {list}\nPoint i scores the i-th of these numbers, counted from 0: {amounts}. A leg is as long "
         "as the straight line, rounded to the nearest integer, and all legs together, home again included, may "
         "measure {limit}. Collect as much as you can; every point scores once. In which order do you pass which "
         "points? (Point 0 may be left out, or stand at both ends.)\n",
         "{instance}\n\nIn the object above, `points` are coordinates and `prizes` what visiting them yields. Return "
         "a list of distinct indices, the closed tour from point 0 through them in this order and back to 0 (0 "
         "itself may be omitted, or stand at both ends), whose length (Euclidean distances rounded to the nearest "
         "integer) is at most "
         "`budget`, with the greatest sum of prizes.\n"},
    .sentences = {"The trip is {violation} longer than the budget."},
    .examples = {{R"({"budget": 12, "points": [[0, 0], [3, 0], [3, 4]], "prizes": [0, 5, 7]})", "[1, 2]", "ok", 12},
                 {"", "[2, 1]", "ok", 12},
                 {"", "[0, 1, 2]", "ok", 12},
                 {"", "[2, 0]", "ok", 7},
                 {"", "[]", "ok", 0},
                 {"", "[0]", "ok", 0},
                 {"", "[1, 3]", "out_of_range"},
                 {"", "[0, 2, 0]", "ok", 7},
                 {"", "[0, 0]", "ok", 0},
                 {"", "[2, 0, 2]", "repeated"},
                 {"", "[0, 0, 2, 0]", "repeated"},
                 {"", "[[1, 2]]", "bad_depth"},
                 {R"({"budget": 11, "points": [[0, 0], [3, 0], [3, 4]], "prizes": [0, 5, 7]})", "[1, 2]",
                  "over_budget"},
                 {"", "[2]", "ok", 7},
                 {R"({"budget": 5, "points": [[0, 0], [1, 1]], "prizes": [1, 1]})", "instance", "refused"},
                 {R"({"budget": 5, "points": [[0, 0], [1, 1]], "prizes": [0]})", "prizes", "refused"},
                 {R"({"budget": 5, "points": [[0, 0], [1, -1]], "prizes": [0, 1]})", "points[1][1]", "refused"}},
    .tags = {"points", "tour"},
};

}  // namespace orienteering_text

extern optgap::task_text const optgap_text_orienteering;
optgap::task_text const optgap_text_orienteering =
    optgap::declarative_task_text<orienteering_text::task, orienteering_text::words, orienteering_text::says>();
