#pragma once
// Clauses in the formats of the SAT and MaxSAT competitions, for the tasks that read them. Host only.
//
//   c a comment         p cnf 3 2         p wcnf 3 2 9        h 1 -2 0
//                       1 -2 0            9 1 -2 0            4 3 0
//                       3 0               4 3 0
//
// Left: DIMACS CNF. Middle: weighted, where a weight of at least the top (9) marks a hard clause. Right: weighted since
// 2022, without a header. SATLIB ends some files with a line of % and one of 0.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/families/labels/clauses.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::families {

struct clause_file {
    std::int32_t n = 0;
    std::vector<std::vector<std::int32_t>> clauses;
    std::vector<std::int32_t> weights;  ///< of a weighted file; 1 for a hard clause
    std::vector<std::int32_t> hard;     ///< likewise; 1 for a hard clause, otherwise 0

    /// The words of clauses_layout.
    [[nodiscard]] std::vector<std::int32_t> words() const {
        std::size_t longest = 1;
        for (auto const& clause : clauses) {
            longest = std::max(longest, clause.size());
        }
        std::vector<std::int32_t> out{n, std::int32_t(clauses.size()), std::int32_t(longest)};
        for (auto const& clause : clauses) {
            out.insert(out.end(), clause.begin(), clause.end());
            out.resize(out.size() + longest - clause.size());
        }
        return out;
    }
};

class clause_reader {
public:
    /// `weighted`: whether files with weights are also read.
    clause_reader(std::string_view text, bool weighted) : lines_(text), weighted_(weighted) {}

    clause_file read() {
        while (lines_.next()) {
            std::string_view const line = lines_.line();
            if (line.front() == 'c') {
                continue;
            }
            if (line.front() == 'p') {
                read_header();
            } else if (line == "%") {
                read_closing_lines();
            } else {
                read_clauses();
            }
        }
        check_the_end();
        return std::move(out_);
    }

private:
    enum class form { unknown, plain, old_weights, new_weights };

    [[nodiscard]] bool has_weights() const { return form_ == form::old_weights || form_ == form::new_weights; }

    void read_header() {
        if (form_ != form::unknown) {
            lines_.fail("there is a second problem line, or one behind the first clause");
        }
        file_words words = lines_.words();
        bool const right = words.next_word() == "p";
        std::string_view const kind = words.next_word();
        if (!right || (kind != "cnf" && kind != "wcnf")) {
            lines_.fail(std::string("the problem line must be p cnf n m") + (weighted_ ? " or p wcnf n m top" : ""));
        }
        if (kind == "wcnf" && !weighted_) {
            lines_.fail("p wcnf gives clauses weights, which the task max_sat reads; expected p cnf n m");
        }
        form_ = kind == "cnf" ? form::plain : form::old_weights;
        out_.n = std::int32_t(words.next_integer("the number of variables", 1, clauses_layout[0].high.plus));
        expected_ = words.next_integer("the number of clauses", 1, clauses_layout[1].high.plus);
        if (form_ == form::old_weights && !words.at_end()) {
            top_ = next_weight(words, "the top weight");
        }
        if (!words.at_end()) {
            lines_.fail("the problem line goes on behind its last number");
        }
    }

    void read_closing_lines() {
        bool const zero = lines_.next() && lines_.line() == "0";
        if (form_ != form::plain || !zero || lines_.next()) {
            lines_.fail("behind a line of % there must be a line of 0 and no more");
        }
    }

    /// Reads the clauses of a line. A clause may span several lines, and a line may hold several clauses.
    void read_clauses() {
        if (form_ == form::unknown) {
            std::string_view const first = lines_.words().next_word();
            if (!weighted_ || !(first == "h" || (first.front() >= '0' && first.front() <= '9'))) {
                lines_.fail(std::string("expected a problem line, p cnf n m, before the clauses") +
                            (weighted_ ? ", or clauses that begin with a weight or h" : ""));
            }
            form_ = form::new_weights;
        }
        file_words words = lines_.words();
        while (!words.at_end()) {
            if (!open_) {
                begin_clause(words);
            }
            while (open_ && !words.at_end()) {
                std::int64_t const most = form_ == form::new_weights ? clauses_layout[0].high.plus : out_.n;
                std::int64_t const literal = words.next_integer("a literal", -most, most);
                open_ = literal != 0;
                if (open_) {
                    add_literal(std::int32_t(literal));
                }
            }
        }
    }
    void begin_clause(file_words& words) {
        if (has_weights()) {
            read_weight(words);
        }
        if (std::int64_t(out_.clauses.size()) == clauses_layout[1].high.plus) {
            lines_.fail("there may be at most " + std::to_string(clauses_layout[1].high.plus) + " clauses");
        }
        out_.clauses.emplace_back();
        open_ = true;
    }
    void add_literal(std::int32_t literal) {
        if (std::int64_t(out_.clauses.back().size()) == clauses_layout[2].high.plus) {
            lines_.fail("a clause may have at most " + std::to_string(clauses_layout[2].high.plus) + " literals");
        }
        out_.clauses.back().push_back(literal);
        if (form_ == form::new_weights) {
            out_.n = std::max(out_.n, std::abs(literal));
        }
    }
    void read_weight(file_words& words) {
        constexpr std::uint64_t most = 1'000'000;
        file_words ahead = words;
        bool hard = form_ == form::new_weights && ahead.next_word() == "h";
        std::uint64_t weight = 1;
        if (hard) {
            words.next_word();
        } else {
            weight = next_weight(words, "a weight");
            hard = top_ != 0 && weight >= top_;
        }
        if (!hard && (weight < 1 || weight > most)) {
            lines_.fail(
                "a weight must be in 1 ... " + std::to_string(most) +
                (form_ == form::old_weights ? ", or the top weight for a hard clause" : ", or h for a hard clause"));
        }
        out_.weights.push_back(hard ? 1 : std::int32_t(weight));
        out_.hard.push_back(hard ? 1 : 0);
    }
    /// Reads a weight of any size: top weights exceed 2^63.
    std::uint64_t next_weight(file_words& words, char const* noun) const {
        std::string_view const word = words.next_word();
        std::uint64_t value = 0;
        auto const [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (word.empty() || status != std::errc() || end != word.data() + word.size()) {
            lines_.fail(std::string(noun) + " must be a whole number from 1 on, found '" + file_words::shown(word) +
                        "'");
        }
        return value;
    }

    void check_the_end() const {
        if (open_) {
            lines_.fail("the file ended within a clause: its closing 0 is missing");
        }
        if (form_ == form::unknown) {
            lines_.fail(std::string("there are no clauses; expected a problem line, p cnf n m, and m clauses") +
                        (weighted_ ? ", or clauses with weights" : ""));
        }
        auto const found = std::int64_t(out_.clauses.size());
        if (form_ != form::new_weights && found != expected_) {
            lines_.fail("the problem line says " + std::to_string(expected_) + " clauses, but there are " +
                        std::to_string(found));
        }
        bool const any =
            std::any_of(out_.clauses.begin(), out_.clauses.end(), [](auto const& one) { return !one.empty(); });
        if (!any) {
            lines_.fail("no clause has a literal");
        }
    }

    file_lines lines_;
    bool weighted_;
    form form_ = form::unknown;
    clause_file out_;
    std::int64_t expected_ = 0;
    std::uint64_t top_ = 0;  ///< 0: the file has none
    bool open_ = false;      ///< the last clause is not yet closed
};

}  // namespace optgap::families
