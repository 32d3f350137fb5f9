#pragma once

#include <string>
#include <vector>

namespace optgap::cli {

/// The words of a command line with each former name of a command, an option or a value in place of its current one;
/// stderr says for each what it is called now. Scripts that were written for the last version go on to work.
std::vector<std::string> current_words(int argc, char const* const* argv);

}  // namespace optgap::cli
