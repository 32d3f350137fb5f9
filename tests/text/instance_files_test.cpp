// Every reader of instance files on tests/files. A file that is cut after any line, or has a line twice, is refused in
// one sentence or gives the same instance. CRLF and blanks at the ends of lines change nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/registry/registry.hpp"
#include "optgap/status.hpp"
#include "tests/support/source_folder.hpp"

namespace optgap::instance_files_test {
namespace {

struct file_case {
    std::string name, task, verdict, text;
    task_entry const* entry = nullptr;
    file_format const* format = nullptr;
};

std::string text_of(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The plain text files of a task of this build.
std::vector<file_case> file_cases() {
    std::filesystem::path const folder = testing::source_folder() / "tests" / "files";
    std::vector<file_case> all;
    for (auto const& row : nlohmann::json::parse(text_of(folder / "expected.json"))) {
        file_case one{row["file"], row["task"], row["verdict"], text_of(folder / std::string(row["file"]))};
        if (one.text.starts_with("\x1f\x8b") || one.text.starts_with("\xef\xbb\xbf")) {
            continue;
        }
        for (task_entry const& entry : registry()) {
            if (one.task == entry.name) {
                one.entry = &entry;
                one.format = entry.text->files;
                for (auto const* format = entry.text->files; format->extension != nullptr; ++format) {
                    one.format = one.name.ends_with(format->extension) ? format : one.format;
                }
                all.push_back(one);
            }
        }
    }
    return all;
}

/// The instance's words; empty for a refused file, whose sentence goes to `said`.
std::vector<std::int32_t> read(file_case const& one, std::string const& text, std::string* said = nullptr) {
    try {
        std::vector<std::int32_t> const words = one.format->read(text);
        EXPECT_EQ(one.entry->builds[0]->check({words.data(), std::int64_t(words.size())}), nullptr) << text;
        EXPECT_FALSE(words.empty());
        return words;
    } catch (field_error const& problem) {
        EXPECT_FALSE(problem.field().empty() || problem.rule().empty());
        EXPECT_EQ(std::string(problem.what()).find('\n'), std::string::npos) << problem.what();
        EXPECT_LT(std::string(problem.what()).size(), 400U);
        if (said != nullptr) {
            *said = problem.what();
        }
        return {};
    }
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line + "\n");
    }
    return lines;
}

std::string joined(std::vector<std::string> const& lines) {
    std::string text;
    for (std::string const& line : lines) {
        text += line;
    }
    return text;
}

TEST(instance_files, say_what_is_expected_of_them) {
    ASSERT_FALSE(file_cases().empty());
    for (file_case const& one : file_cases()) {
        std::string said = "accepted";
        bool const reads = !read(one, one.text, &said).empty();
        EXPECT_TRUE(one.verdict == "either" || reads == (one.verdict == "solve")) << one.name << ": " << said;
    }
}

TEST(instance_files, that_are_cut_or_have_a_line_twice_are_no_other_instance) {
    // These formats do not declare the number of items.
    std::set<std::string> const countless_cuts{"new.wcnf", "cities.csv"};
    std::set<std::string> const countless_lines{"new.wcnf"};
    for (file_case const& one : file_cases()) {
        std::vector<std::int32_t> const whole = read(one, one.text);
        std::vector<std::string> const lines = lines_of(one.text);
        if (whole.empty()) {
            continue;
        }
        for (std::size_t k = 0; k < lines.size(); ++k) {
            std::string const cut = joined({lines.begin(), lines.begin() + std::ptrdiff_t(k)});
            std::vector<std::int32_t> const left = read(one, cut);
            EXPECT_TRUE(left.empty() || left == whole || countless_cuts.contains(one.name)) << one.name << "\n" << cut;
            std::vector<std::string> more = lines;
            more.insert(more.begin() + std::ptrdiff_t(k), lines[k]);
            std::vector<std::int32_t> const twice = read(one, joined(more));
            EXPECT_TRUE(twice.empty() || twice == whole || countless_lines.contains(one.name)) << one.name << "\n"
                                                                                               << joined(more);
        }
    }
}

TEST(instance_files, are_the_same_with_other_ends_of_lines) {
    for (file_case const& one : file_cases()) {
        std::vector<std::int32_t> const whole = read(one, one.text);
        std::string other;
        for (char const c : one.text) {
            other += c == '\n' ? std::string(" \r\n") : std::string(1, c);
        }
        EXPECT_EQ(read(one, other), whole) << one.name;
        EXPECT_EQ(read(one, one.text + "\n\n"), whole) << one.name;
        if (one.text.ends_with('\n')) {
            EXPECT_EQ(read(one, one.text.substr(0, one.text.size() - 1)), whole) << one.name;
        }
    }
}

TEST(instance_files, that_are_spoiled_are_refused_or_instances) {
    std::mt19937 random(5);
    constexpr std::string_view hostile[] = {"-1",
                                            "0",
                                            "1",
                                            "999999999999999999999",
                                            "2147483648",
                                            "1e9",
                                            "nan",
                                            "%",
                                            "\n",
                                            "\r",
                                            " ",
                                            "c",
                                            ",",
                                            ";",
                                            "[",
                                            "EOF",
                                            "-2147483648",
                                            ":",
                                            "\xef\xbb\xbf",
                                            "\"",
                                            std::string_view("\0", 1)};
    for (file_case const& one : file_cases()) {
        for (std::int32_t round = 0; round < 60; ++round) {
            std::string spoiled = one.text.substr(0, 1000);
            for (std::uint32_t change = 0; change <= random() % 3; ++change) {
                std::size_t const at = random() % (spoiled.size() + 1);
                std::size_t const gone = random() % 2 == 0 ? 0 : random() % 4;
                spoiled.replace(at, std::min(gone, spoiled.size() - at), hostile[random() % std::size(hostile)]);
            }
            read(one, spoiled);
        }
    }
}

/// A carriage return within a line separates words and hides none.
TEST(instance_files, lose_nothing_behind_a_carriage_return) {
    for (file_case const& one : file_cases()) {
        std::vector<std::int32_t> const whole = read(one, one.text);
        for (std::size_t at = one.text.find('\n'); at + 1 < one.text.size() && at != std::string::npos;
             at = one.text.find('\n', at + 1)) {
            std::string joined = one.text;
            joined[at] = '\r';
            std::vector<std::int32_t> const found = read(one, joined);
            EXPECT_TRUE(found.empty() || found == whole || one.name == "new.wcnf") << one.name << " at byte " << at;
        }
    }
}

/// Files of one task under the readers of all others: each gives one sentence, too.
TEST(instance_files, of_other_tasks_are_one_sentence) {
    std::vector<file_case> const all = file_cases();
    for (file_case const& one : all) {
        for (file_case other : all) {
            other.text = one.text;
            read(other, one.text);
        }
    }
}

}  // namespace
}  // namespace optgap::instance_files_test
