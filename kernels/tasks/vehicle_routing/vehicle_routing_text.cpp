// Texts of vehicle_routing.

#include "kernels/families/routes/routes_text.hpp"
#include "kernels/tasks/vehicle_routing/vehicle_routing.hpp"

namespace optgap::text::vehicle_routing {
std::vector<std::int32_t> read_vrp(std::string_view text);  // vehicle_routing_files.cpp
}

namespace vehicle_routing_text {

using optgap::words_view;
using optgap::tasks::vehicle_routing::task;

constexpr optgap::symmetry relabels{
    .axes = {{.name = "place", .count = "demands", .moves = optgap::label_moves::but_first}},
    .fields = {{.name = "points", .rows = "place"},
               {.name = "demands", .rows = "place"},
               {.name = "distances", .rows = "place", .columns = "place"}},
    .answer = {.names = {"place"}},
};

struct words : optgap::families::routes_text<task> {
    static constexpr optgap::answer_terms terms{
        .form = "[[a, b, ...], [c, d, ...], ...]",
        .shape = "a list of routes, each a list of customers,",
        .low = [](words_view) { return 1; },
        .high = [](words_view on) { return on[0] - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"empty", "it holds a route at least"},
                  {"bad_depth", "it is a list of lists"},
                  {"out_of_range", "its values are 1 to n - 1", "the value"},
                  {"repeated", "it holds no customer twice", "the second"}},
    };
    static constexpr optgap::symmetry const* twins = &relabels;
    static std::string picture(char const* title, words_view on, words_view answer) {
        optgap::answer_view const lists = optgap::view_answer(answer);
        std::vector<std::vector<std::int32_t>> routes;
        std::int32_t const* next = lists.values;
        for (std::int32_t r = 0; r < lists.row_count(); ++r) {
            routes.emplace_back(next, next + lists.row_lengths[r]);
            next += lists.row_lengths[r];
        }
        return optgap::families::draw_routes(title, on, std::move(routes));
    }
};

constexpr optgap::file_format files[] = {{".vrp", optgap::text::vehicle_routing::read_vrp}, {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Capacitated vehicle routing",
    .summary = "the shortest routes from a depot that serve every customer within a vehicle's capacity",
    .category = "path planning",
    .objective = "total length",
    .singular = "customer",
    .plural = "customers",
    .prompts =
        {"Vehicles of capacity {limit} start at the depot, place 0, serve customers and return. Every customer must be "
         "served by exactly one route, and the demands on a route must not add up to more than the capacity. Make the "
         "total length of all routes as small as possible; there may be any number of them.\n\nThe distance of two "
         "places is the Euclidean distance of their points, rounded to the nearest integer. The customers are 1 to "
         "{last}. The points of places 0 to {last} are:\n{points}\nTheir demands, in this order, are "
         "{amounts}.\n\nAnswer with a list of routes, each the list of its customers in the order of the visits; "
         "the depot may be left out, or stand at both ends.\n",
         "A bakery (number 0) delivers to shops. Each line is a place: its number, its coordinates x and y on the "
         "map, and how many crates it has ordered:\n{table}\nThe bakery's only van holds {limit} crates, so it drives "
         "several rounds, each from the bakery through some shops and back. From one place to the next it drives as "
         "far as the straight line, rounded to a whole number. Every shop gets all of its crates at one visit. Plan "
         "the rounds so that the van drives as little as possible, and list the shops of each round in order; the "
         "bakery may be left out, or stand at both ends.\n",
         "Capacitated vehicle routing, capacity {limit}, depot 0. Each line is a place with its distances to places 0, "
         "1, 2 and so on before it:\n{distances}\nDemands of places 0 to {last}: {amounts}.\n\nGive the routes as a "
         "list of lists of customers, each with 0 at both ends or without. Leaving one out, or loading a route beyond "
         "the capacity, makes the answer "
         "worthless; else the shorter the routes are together, from the depot and back to it, the better.\n",
         "Points on a plan, number 0 first: {list}\nFrom point 0 a robot fetches parts. Point i holds the i-th of "
         "these weights, counted from 0: {amounts}. The robot can carry {limit} at a time and takes all that lies at a "
         "point when it stops there; then it drives on to other points or back to 0 to unload. Each leg costs the "
         "straight distance, rounded to the nearest integer. In which trips are all parts fetched at the least "
         "cost? Write each trip as the list of its points; 0 may be left out, or stand at both ends.\n",
         "{instance}\n\nThe object above is a vehicle routing problem: `points` with the depot first, `demands`, and "
         "a vehicle's `capacity`. Return a list of routes, each a list of indices of points other than 0 (0 may stand "
         "at "
         "both ends), such that every such index occurs exactly once, no route's demands exceed the capacity, and the "
         "sum of the routes' "
         "closed lengths through point 0 (Euclidean distances rounded to the nearest integer) is least.\n"},
    .sentences = {"{violation} of {violation_max} customers are on no route.",
                  "Routes are loaded with {violation} more than the capacity; the first goes beyond it at position "
                  "{where}."},
    .examples = {{R"({"capacity": 2, "points": [[0, 0], [0, 3], [4, 3], [4, 0]], "demands": [0, 1, 1, 1]})",
                  "[[1, 2], [3]]", "ok", 20},
                 {"", "[[1], [3, 2]]", "ok", 18},
                 {"", "[[1], [2], [3]]", "ok", 24},
                 {"", "[[1], [], [3, 2]]", "ok", 18},
                 {"", "[[1, 2]]", "missing_customer"},
                 {"", "[[1, 2, 3]]", "over_capacity"},
                 {"", "[]", "empty"},
                 {"", "[1, 2, 3]", "bad_depth"},
                 {"", "[[0, 1, 2], [3]]", "out_of_range"},
                 {"", "[[0, 1, 2, 0], [3]]", "ok", 20},
                 {"", "[[0, 1, 0], [0, 3, 2, 0], [0, 0]]", "ok", 18},
                 {"", "[[0, 1, 0, 2, 0], [3]]", "out_of_range"},
                 {"", "[[0, 1, 2, 0], [0, 2, 3, 0]]", "repeated"},
                 {"", "[[0, 1, 2, 0]]", "missing_customer"},
                 {"", "[[0, 1, 2, 3, 0]]", "over_capacity"},
                 {"", "[[1, 2], [2, 3]]", "repeated"},
                 {R"({"capacity": 2, "demands": [0, 1, 1], "distances": [[0, 9, 2], [9, 0, 3], [2, 3, 0]]})",
                  "[[2, 1]]", "ok", 14},
                 {"", "[[1], [2]]", "ok", 22},
                 {R"({"capacity": 2, "demands": [0, 1], "distances": [[0, 9], [8, 0]]})", "instance", "refused"},
                 {R"({"capacity": 2, "points": [[0, 0], [0, 3]], "demands": [0, 1], "distances": [[0, 9], [9, 0]]})",
                  "points", "refused"},
                 {R"({"capacity": 2, "points": [[0, 0], [0, 3]], "demands": [0, 3]})", "demands[1]", "refused"},
                 {R"({"capacity": 2, "points": [[0, 0], [0, 3]], "demands": [0, 0]})", "instance", "refused"},
                 {R"({"capacity": 2, "points": [[0, 0], [0, 3]], "demands": [1, 1]})", "instance", "refused"}},
    .tags = {"points", "tour", "packing"},
    .expensive_steps = 64,
    .files = files,
};

/// If distances are given, no prompt mentions points: all styles but the last one use the same words.
constexpr std::int32_t last_style = 4;
constexpr optgap::declarative_text says_of_distances = [] {
    optgap::declarative_text text = says;
    for (std::int32_t style = 0; style < last_style; ++style) {
        text.prompts[style] = says.prompts[2];
    }
    text.prompts[last_style] =
        "{instance}\n\nThe object above is a vehicle routing problem: `distances`, row and column 0 being the depot's, "
        "`demands`, and a vehicle's `capacity`. Return a list of routes, each a list of places other than 0, such that "
        "every such place occurs exactly once, no route's demands exceed the capacity, and the sum of the routes' "
        "closed "
        "lengths through place 0 is least.\n";
    return text;
}();

std::string prompt(words_view on, std::int32_t style, optgap::draw) {
    bool const given = optgap::families::view_routes(on).at.given != nullptr;
    return optgap::fill_prompt(given ? says_of_distances : says, style, on, words::fillers);
}

}  // namespace vehicle_routing_text

extern optgap::task_text const optgap_text_vehicle_routing;
constinit optgap::task_text const optgap_text_vehicle_routing = [] {
    optgap::task_text text = optgap::declarative_task_text<vehicle_routing_text::task, vehicle_routing_text::words,
                                                           vehicle_routing_text::says>();
    text.prompt = vehicle_routing_text::prompt;
    return text;
}();
