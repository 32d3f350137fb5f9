#pragma once
// The help of a command as text, at most 100 columns wide.

#include <string>
#include <string_view>
#include <vector>

namespace optgap::cli {

/// A line of a help page: an option, what stands without dashes, or a command.
struct help_line {
    std::string label;    ///< "--slots INT"
    std::string text;     ///< what it means
    std::string heading;  ///< what it stands under
    std::string topic;    ///< "program": shown by `--help program` alone
};

struct help_page {
    std::string command;  ///< "optgap score"
    std::string summary;
    std::string usage;  ///< behind the command: "[OPTIONS] FILE..."
    std::vector<help_line> lines;
    std::string closing;  ///< examples and remarks, as they are
    std::string topics;   ///< what the topics are: "a kind of rows"
};

/// The whole page. Lines of a topic are named there, and shown by help_of_topic.
std::string help_text(help_page const& page);
/// The lines of one topic; of every topic where that is "all".
std::string help_of_topic(help_page const& page, std::string_view topic);
/// The topics in their order.
std::vector<std::string> topics_of(help_page const& page);

}  // namespace optgap::cli
