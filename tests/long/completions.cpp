#include "tests/long/completions.hpp"

#include "tests/text/fragments.hpp"

namespace optgap::long_checks {
namespace {

std::size_t below(std::size_t n, std::mt19937_64& random) { return std::size_t(random() % n); }

std::string pieces(std::size_t most, std::mt19937_64& random) {
    std::string made;
    for (std::size_t count = below(most + 1, random); count > 0; --count) {
        made += fragments()[below(fragments().size(), random)];
    }
    return made;
}

std::string whole(std::string const& answer, format_spec const& format, std::mt19937_64& random) {
    static char const* const thoughts[] = {"Let me see: 1 < 2.\n", "so", "", "First [0, 1], no: [1, 0].\n\n"};
    std::string text;
    if (format.reasoning != reasoning_rule::none && below(8, random) != 0) {
        reasoning_markers const& pair = format.markers[below(format.markers.size(), random)];
        text += (format.opened_in_prompt ? "" : pair.open) + thoughts[below(4, random)];
        text += (below(4, random) == 0 ? pieces(3, random) : "") + pair.close + "\n";
    }
    std::string const value = below(8, random) == 0 ? "**" + answer + "**." : answer;
    switch (format.place) {
        case answer_place::tagged: text += format.answer_open + value + format.answer_close; break;
        case answer_place::boxed: text += "\\boxed{" + value + "}"; break;
        case answer_place::line: text += "Answer: " + value; break;
    }
    return text + (below(6, random) == 0 ? format.ends[below(format.ends.size(), random)] : "");
}

void spoil(std::string& text, std::mt19937_64& random) {
    std::size_t const at = below(text.size() + 1, random);
    switch (below(6, random)) {
        case 0: text.insert(at, pieces(2, random)); break;
        case 1: text.erase(at, 1 + below(8, random)); break;
        case 2: text.resize(at); break;
        case 3: text += text.substr(at, 60); break;
        case 4: text.insert(at, 1, char(random() & 0xFF)); break;
        default:
            if (at < text.size()) {
                text[at] = "0123456789,-[]() \n"[below(18, random)];
            }
    }
}

}  // namespace

std::string completion(std::string const& answer, format_spec const& format, std::mt19937_64& random) {
    std::string text = whole(answer, format, random);
    if (below(2, random) == 0) {
        for (std::size_t times = 1 + below(3, random); times > 0; --times) {
            spoil(text, random);
        }
    }
    return text;
}

}  // namespace optgap::long_checks
