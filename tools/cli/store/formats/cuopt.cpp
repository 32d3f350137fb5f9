// An answer of cuOpt's service: {"response": {"solver_response": …}}, or what is inside. Routes stand at
// vehicle_data.NAME.route as locations from 0; a mixed integer program's values at solution.primal_solution.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "optgap/answer.hpp"
#include "tools/cli/store/formats/answer_file.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr double cuopt_tolerance = 1e-5;  ///< of cuOpt's mip_integrality_tolerance

/// A member, with the path to it for sentences.
struct cuopt_place {
    json const* value;
    std::string path;

    [[nodiscard]] bool has(char const* name) const { return value->is_object() && value->contains(name); }
    [[nodiscard]] cuopt_place at(char const* name) const {
        if (!has(name)) {
            throw answer_fault(fmt::format("{}{}: is missing", path.empty() ? "" : path + ".", name));
        }
        return {&(*value)[name], (path.empty() ? "" : path + ".") + name};
    }
};

std::vector<std::int32_t> cuopt_route(cuopt_place const& vehicle, std::int64_t things) {
    cuopt_place const route = vehicle.at("route");
    if (!route.value->is_array()) {
        throw answer_fault(fmt::format("{}: expected a list of locations", route.path));
    }
    std::vector<std::int32_t> out;
    for (json const& one : *route.value) {
        bool const fits = one.is_number_integer() && one >= 0 && one < things;
        if (!fits) {
            throw answer_fault(fmt::format("{}[{}]: {}: expected a location from 0 to {}", route.path, out.size(),
                                           shown(one.dump(-1, ' ', true)), things - 1));
        }
        out.push_back(one.get<std::int32_t>());
    }
    return out;
}

std::vector<std::int32_t> block_of_routes(cuopt_place const& vehicles, answer_frame const& frame) {
    std::vector<std::vector<std::int32_t>> routes;
    if (!vehicles.value->is_object()) {
        throw answer_fault(fmt::format("{}: expected an object of vehicles", vehicles.path));
    }
    for (auto const& [name, vehicle] : vehicles.value->items()) {
        std::vector<std::int32_t> route =
            cuopt_route({&vehicle, fmt::format("{}.{}", vehicles.path, shown(name))}, frame.things);
        if (frame.shape == answer_shape::routes) {
            std::erase(route, 0);
        } else if (route.size() > 1 && route.front() == route.back()) {
            route.pop_back();
        }
        if (!route.empty()) {
            routes.push_back(std::move(route));
        }
    }
    if (frame.shape == answer_shape::routes) {
        return block_of_lists(routes);
    }
    if (routes.size() != 1 || std::int64_t(routes[0].size()) != frame.things) {
        throw answer_fault(fmt::format("{}: {} routes{}: expected one of {} locations", vehicles.path, routes.size(),
                                       routes.empty() ? "" : fmt::format(", the first of {}", routes[0].size()),
                                       frame.things));
    }
    routes[0].insert(routes[0].begin(), answer_flat);
    return routes[0];
}

std::vector<std::int32_t> block_of_solution(cuopt_place const& values, answer_frame const& frame) {
    if (!values.value->is_array() || std::int64_t(values.value->size()) < frame.things) {
        throw answer_fault(fmt::format("{}: expected a list of {} values of the instance, and then any others",
                                       values.path, frame.things));
    }
    std::vector<std::int32_t> out;
    for (std::int64_t i = 0; i < frame.things; ++i) {
        json const& one = (*values.value)[std::size_t(i)];
        double const value = one.is_number() ? one.get<double>() : -1;
        if (!(std::fabs(value) <= cuopt_tolerance || std::fabs(value - 1) <= cuopt_tolerance)) {
            throw answer_fault(fmt::format("{}[{}]: {}: expected 0 or 1, within {}", values.path, i,
                                           shown(one.dump(-1, ' ', true)), cuopt_tolerance));
        }
        out.push_back(value > 0.5 ? 1 : 0);
    }
    return block_of_values(out, frame);
}

}  // namespace

told_answer read_cuopt(std::string_view text, answer_frame const& frame) {
    bool const drives = frame.shape == answer_shape::tour || frame.shape == answer_shape::routes;
    if (!drives && frame.shape != answer_shape::members && frame.shape != answer_shape::values) {
        refuse_shape(frame, "an answer of cuOpt",
                     "tsp, hamiltonian, vehicle_routing, or a task of 0-1 variables as from HiGHS");
    }
    json const root = read_json(text);
    if (root.is_discarded()) {
        std::size_t const fault = json_fault(text);
        throw answer_fault(1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(fault), '\n'),
                           fmt::format("byte {} is no JSON: expected an answer of cuOpt's service", fault));
    }
    cuopt_place at{&root, ""};
    for (char const* const wrapping : {"response", "solver_response"}) {
        at = at.has(wrapping) ? at.at(wrapping) : at;
    }
    told_answer out;
    char const* const cost = drives ? "solution_cost" : "primal_objective";
    cuopt_place const inner = drives ? at : at.at("solution");
    if (inner.has(cost) && (*inner.value)[cost].is_number()) {
        out.objective = (*inner.value)[cost].get<double>();
    }
    out.block = drives ? block_of_routes(inner.at("vehicle_data"), frame)
                       : block_of_solution(inner.at("primal_solution"), frame);
    return out;
}

}  // namespace optgap::cli
