// Texts of 100 MB (of 10 MB for all checks), by OPTGAP_LONG=1: twice the text takes about twice the processor time, and
// memory stays within a multiple of its bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>

#include "host/rubric/checks.hpp"
#include "optgap/rubrics/rubric.hpp"
#include "optgap/status.hpp"
#include "tests/checks/every_check.hpp"
#include "tests/support/sample.hpp"

namespace optgap::testing {
namespace {

using namespace rubrics;

std::string filled(std::string const& unit, std::size_t bytes) {
    std::string text;
    text.reserve(bytes + unit.size());
    while (text.size() < bytes) {
        text += unit;
    }
    text.resize(bytes);
    return text;
}

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

/// The process's peak memory since construction, in bytes.
struct peak {
    peak() {
        malloc_trim(0);
        std::ofstream("/proc/self/clear_refs") << "5";
        before = read("VmRSS:");
    }
    [[nodiscard]] std::int64_t bytes() const { return read("VmHWM:") - before; }
    static std::int64_t read(char const* name) {
        std::ifstream in("/proc/self/status");
        for (std::string word; in >> word;) {
            if (word == name) {
                std::int64_t kilobytes = 0;
                in >> kilobytes;
                return kilobytes * 1024;
            }
        }
        return 0;
    }
    std::int64_t before = 0;
};

struct hostile_text {
    char const* name;
    std::string unit;
};

/// 100 MB that a model may write, the worst first: 25 million keywords, brackets that never close, broken bytes.
std::vector<hostile_text> hostile_texts() {
    return {{"keywords", "data machine learning data, "},
            {"one keyword's begin", "machine machine "},
            {"deep JSON", "[{\"a\":"},
            {"broken bytes", "\xFF\xC3 \xE6\x97"},
            {"prose", "The quick brown fox jumps over a lazy dog. It's 3.5 miles!\n\n* well-known fact\n"},
            {"wide",
             "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x80\x82 \xC3\xBC"
             "ber "},
            {"one word", "a"}};
}

/// The smaller processor time of two runs, in a thread of its own whose buffers are freed afterwards.
template <class Work>
double seconds_of(Work const& work) {
    double best = 1e9;
    std::thread([&] {
        for (int k = 0; k < 2; ++k) {
            double const begin = processor_seconds();
            work();
            best = std::min(best, processor_seconds() - begin);
        }
    }).join();
    return best;
}

template <class Score>
void expect_linear(char const* what, std::size_t half, double max_memory, Score const& score) {
    for (hostile_text const& one : hostile_texts()) {
        std::string const small = filled(one.unit, half), large = filled(one.unit, 2 * half);
        double const first = seconds_of([&] { score(small); });
        peak const memory;
        double const second = seconds_of([&] { score(large); });
        double const times = double(memory.bytes()) / double(large.size());
        std::printf("%s, %s: %.2f s and %.2f s of processor time (%.2f times), %.1f bytes of memory a byte\n", what,
                    one.name, first, second, second / first, times);
        std::fflush(stdout);
        EXPECT_LE(second, 2.6 * first) << what << ", " << one.name;
        EXPECT_LE(times, max_memory) << what << ", " << one.name;
    }
}

TEST(long_texts, a_rubric_reads_100_MB_in_linear_time_and_memory) {
    if (!long_form()) {
        GTEST_SKIP() << "by OPTGAP_LONG=1";
    }
    text_rubric const rubric(
        R"({"chain": 1, "references": ["the data of machine learning: data, a fox and a dog over 日本"],
            "content": {"points": [{"references": [{"keywords": ["machine learning", "data"]}]},
                                   {"references": [{"keywords": ["fox", "dog", "日本", "machine machine data"]}]}]},
            "style": [{"check": "words", "min": 5}, {"check": "sentences", "min": 2}, {"check": "json_valid", "equals": 0},
                      {"check": "contains", "any": ["machine machine learning"]}]})");
    // 16.3 measured, for the wide text.
    expect_linear("a rubric", 50'000'000, 20,
                  [&](std::string const& text) { static_cast<void>(rubric.score({.text = text})); });
}

TEST(long_texts, every_check_reads_10_MB_in_linear_time_and_memory) {
    if (!long_form()) {
        GTEST_SKIP() << "by OPTGAP_LONG=1";
    }
    std::vector<rubrics::check> const all = every_check(check_mode::strict);
    // 41.8 measured, for broken bytes.
    expect_linear("all checks", 5'000'000, 52, [&](std::string const& text) {
        text_pass pass;
        scan(text, sentence_rule::plain, pass);
        for (rubrics::check const& one : all) {
            static_cast<void>(one.evaluate({.text = pass, .prompt = "a b"}));
        }
    });
}

TEST(long_texts, a_rubric_of_deep_json_is_refused) {
    for (std::size_t const depth :
         {std::size_t(1'000), long_form() ? std::size_t(100'000'000) : std::size_t(100'000)}) {
        EXPECT_THROW(static_cast<void>(text_rubric(std::string(depth, '['))), error);
    }
}

}  // namespace
}  // namespace optgap::testing
