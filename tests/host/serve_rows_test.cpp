// Rows of JSON through a daemon: the bytes of a scorer at home, whatever their kind, and what it refuses.

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "host/rows/score_options.hpp"
#include "host/serve/row_place.hpp"
#include "optgap/rows/scorer.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/scheduler_cases.hpp"
#include "tests/support/serve_process.hpp"
#include "tests/support/serve_requests.hpp"

namespace optgap::testing {
namespace {

constexpr char const* served_rules = R"({"external": true, "advantage": "rloo"})";

std::vector<std::string> lines_of_all_kinds() {
    std::vector<std::string> out;
    std::ifstream file("tests/rows/rows.jsonl");
    for (std::string line; std::getline(file, line);) {
        out.push_back(line);
    }
    return out;
}

/// The lines by the place where their kind is graded.
std::map<rows::graded_in, std::vector<std::string>> lines_by_place() {
    rows::scorer const by(cpu_engine(), rows::parse_score_options(served_rules));
    std::map<rows::graded_in, std::vector<std::string>> out;
    for (std::string const& line : lines_of_all_kinds()) {
        rows::row_item item;
        item.take(line, 1);
        rows::row_kind const* const kind = item.sound() ? by.claimed_by(item.row) : nullptr;
        out[kind == nullptr ? rows::graded_in::call : kind->info().place].push_back(line);
    }
    return out;
}

TEST(serve_rows, are_those_of_a_scorer_at_home) {
    socket_folder const folder;
    own_server const daemon(cpu_server(folder.path()));
    engine const client = client_of(folder.path());
    row_scorer here(cpu_engine(), served_rules), there(client, served_rules);
    std::int64_t calls = 0;
    for (auto const& [place, lines] : lines_by_place()) {
        if (place != rows::graded_in::slot) {
            EXPECT_EQ(there.score(lines), here.score(lines));
            EXPECT_EQ(there.remarks(), here.remarks());
            EXPECT_EQ(client.server_status().calls, ++calls) << to_json(client.server_status());
        }
    }
    EXPECT_EQ(there.fingerprint(), here.fingerprint());
    EXPECT_EQ(there.score({}), std::vector<std::string>());
}

TEST(serve_rows, of_which_some_are_programs_are_scored_at_home) {
    socket_folder const folder;
    own_server const daemon(cpu_server(folder.path()));
    engine const client = client_of(folder.path());
    std::vector<std::string> const lines = lines_of_all_kinds();
    for (char const* const rules : {served_rules, R"({"external": true, "isolation": "auto", "slots": 2})"}) {
        row_scorer there(client, rules);
        EXPECT_EQ(there.score(lines), row_scorer(cpu_engine(), rules).score(lines)) << rules;
        EXPECT_NE(client.server_status().last_reason.find("which the client"), std::string::npos)
            << to_json(client.server_status());
    }
}

/// What becomes of a request in a daemon with little room.
class small_place {
public:
    [[nodiscard]] serve::refusal outcome_of(std::string const& bytes) {
        try {
            std::string out;
            place_.serve(std::as_bytes(std::span(bytes)), [&](std::size_t size) {
                out.resize(size);
                return reinterpret_cast<std::byte*>(out.data());
            });
            return serve::refusal::none;
        } catch (serve::refused_request const& problem) {
            return problem.kind();
        } catch (serve::wire_error const&) {
            return serve::refusal::request;
        }
    }
    [[nodiscard]] serve::refusal outcome_of(std::string_view options, std::vector<std::string_view> const& rows) {
        return outcome_of(bytes_of(options, rows));
    }
    static std::string bytes_of(std::string_view options, std::vector<std::string_view> const& rows) {
        auto const put = [&](auto& to) {
            to.array(std::span(options));
            to.texts(rows);
        };
        serve::measure size;
        put(size);
        std::string bytes(size.size(), '\0');
        serve::writer to(reinterpret_cast<std::byte*>(bytes.data()));
        put(to);
        return bytes;
    }

private:
    engine by_{{.where = device::cpu, .threads = 1, .server = "off"}};
    serve::workplace work_{by_, by_, 1 << 20, {.bytes = 1 << 16, .rows = 8, .steps = 1'000'000}};
    serve::row_place place_{work_};
};

constexpr char const* small_row =
    R"({"key": "tsp@1:train:d1:1", "completion": "<think>x</think><answer>[0]</answer>"})";

TEST(serve_rows, that_would_take_too_much_are_refused) {
    small_place place;
    EXPECT_EQ(place.outcome_of("{}", {small_row}), serve::refusal::none);
    EXPECT_EQ(place.outcome_of("{}", std::vector<std::string_view>(9, small_row)), serve::refusal::limit);
    EXPECT_EQ(place.outcome_of("{}", {R"({"key": "tsp@1:train:d200:1", "completion": ""})"}), serve::refusal::limit);
    EXPECT_EQ(place.outcome_of("{}", {R"({"role": "judge", "completion": "<score>1</score>", "judged":
                                          {"key": "tsp@1:train:d200:1", "completion": ""}})"}),
              serve::refusal::limit);
    EXPECT_EQ(place.outcome_of(R"({"budget": 2000000})", {small_row}), serve::refusal::limit);
    std::string items, values;
    for (int i = 0; i < 20'000; ++i) {
        items += items.empty() ? "1" : ",1";
    }
    std::string const own = R"({"task": "knapsack", "instance": {"capacity": 20, "weights": [)" + items +
                            R"(], "values": [)" + items + R"(]}, "completion": ""})";
    EXPECT_NE(place.outcome_of("{}", {own}), serve::refusal::none);
    EXPECT_EQ(place.outcome_of("{}", {small_row}), serve::refusal::none) << "the next is served";
}

TEST(serve_rows, whose_options_are_the_clients_business_are_refused) {
    small_place place;
    for (char const* const options :
         {R"({"improved": "/tmp/never"})", R"({"rubrics": "/etc/passwd"})", R"({"held_out": "/etc/passwd"})",
          R"({"timings": "/tmp/never"})", R"({"isolation": "auto"})", R"({"slots": 4})", "[", R"({"no": 1})"}) {
        EXPECT_EQ(place.outcome_of(options, {small_row}), serve::refusal::request) << options;
    }
    EXPECT_NE(access("/tmp/never", F_OK), 0);
    EXPECT_EQ(place.outcome_of("{}", {R"({"key": "tsp@1:train:d1:1*3", "language": "python", "completion": ""})"}),
              serve::refusal::request);
}

TEST(serve_rows, whose_bytes_are_spoiled_do_no_harm) {
    small_place place;
    std::string const good = small_place::bytes_of("{}", {small_row, "[", R"({"proposal": {"task": "tsp"}})"});
    std::mt19937_64 random(5);
    for (int k = 0; k < repeats(2000); ++k) {
        std::string bytes = good;
        spoil(bytes, random);
        try {
            static_cast<void>(place.outcome_of(bytes));
        } catch (error const&) {
        }
    }
    EXPECT_EQ(place.outcome_of(good), serve::refusal::none);
}

}  // namespace
}  // namespace optgap::testing
