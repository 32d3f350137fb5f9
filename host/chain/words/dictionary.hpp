#pragma once
// Words of scripts that are written without blanks, by ICU's dictionaries. ICU is opened when the first such text
// comes: Debian's static library cannot become part of the Python module, and its data alone are 30 MB.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/status.hpp"

namespace optgap::chain {

/// Which ICU breaks words in this process, "ICU 72.1"; empty where none is here. The newest libicuuc.so that is found,
/// or the file that the environment variable OPTGAP_ICU names (an empty name: none).
std::string const& word_breaker();

/// icu_lack, where it ends a check.
class no_word_breaker : public error {
public:
    no_word_breaker();
};

/// The words of a run of such a script: where each ends, in bytes from its begin. Time is linear. Throws
/// no_word_breaker where no ICU is here.
void break_words(std::string_view run, std::vector<std::uint32_t>& ends);

/// How many runs this thread has had broken: tells whether a score depends on ICU's version.
std::uint64_t runs_broken();

}  // namespace optgap::chain
