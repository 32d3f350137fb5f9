#pragma once
// Words of scripts that are written without blanks, by ICU's dictionaries. ICU is opened at the first such text:
// Debian's static library cannot become part of the Python module, and its data alone are 30 MB.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/status.hpp"

namespace optgap::rubrics {

/// The ICU that breaks words in this process, such as "ICU 72.1"; empty where there is none. It is the newest
/// libicuuc.so found, or the file that the environment variable OPTGAP_ICU names (an empty name: none).
std::string const& word_breaker();

/// Reports icu_lack and ends a check.
class no_word_breaker : public error {
public:
    no_word_breaker();
};

/// Finds the words of a run of such a script: where each ends, in bytes from the run's begin. Takes linear time. Throws
/// no_word_breaker where there is no ICU.
void break_words(std::string_view run, std::vector<std::uint32_t>& ends);

/// The number of runs that this thread has broken. It shows whether a score depends on ICU's version.
std::uint64_t runs_broken();

}  // namespace optgap::rubrics
