// Checks drawings: a page accepts shapes and words, and nothing that runs or loads.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "host/report/page/page.hpp"
#include "kernels/text/svg.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

constexpr std::string_view elements[] = {"svg",  "g",        "title",   "desc", "line", "circle", "ellipse",
                                         "rect", "polyline", "polygon", "path", "text", "tspan"};
constexpr std::string_view attributes[] = {"xmlns", "viewBox", "width", "height", "role", "class",     "x",
                                           "y",     "x1",      "y1",    "x2",     "y2",   "cx",        "cy",
                                           "r",     "rx",      "ry",    "points", "d",    "transform", "text-anchor"};

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }
bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'; }

/// Walks over a drawing once.
class picture_check {
public:
    picture_check(std::string_view text, std::string const& field) : text_(text), field_(field) {}

    void run() {
        if (!text_.starts_with("<svg ")) {
            refuse("must begin with \"<svg \"");
        }
        while (at_ < text_.size()) {
            if (text_[at_] == '<') {
                tag();
            } else if (open_.empty() && !is_space(text_[at_])) {
                refuse("has something behind its end");
            } else {
                ++at_;
            }
        }
        if (!open_.empty()) {
            refuse(fmt::format("<{}> is not closed", open_.back()));
        }
    }

private:
    [[noreturn]] void refuse(std::string const& rule) const { throw field_error(field_, rule); }

    [[nodiscard]] bool sees(std::string_view piece) const { return text_.substr(at_).starts_with(piece); }
    void expect(std::string_view piece) {
        if (!sees(piece)) {
            refuse(fmt::format("expected '{}' at byte {}", piece, at_));
        }
        at_ += piece.size();
    }
    std::string_view name() {
        std::size_t const first = at_;
        while (at_ < text_.size() && is_name(text_[at_])) {
            ++at_;
        }
        return text_.substr(first, at_ - first);
    }

    void tag() {
        expect("<");
        if (sees("/")) {
            expect("/");
            std::string_view const closed = name();
            if (open_.empty() || open_.back() != closed) {
                refuse(fmt::format("</{}> closes nothing", closed));
            }
            open_.pop_back();
            expect(">");
            return;
        }
        std::string_view const element = name();
        if (std::find(std::begin(elements), std::end(elements), element) == std::end(elements)) {
            refuse(fmt::format("<{}> is no shape that a page takes", element));
        }
        if (open_.empty() && at_ > 4 + element.size()) {
            refuse("has something behind its end");
        }
        while (!sees(">") && !sees("/>")) {
            attribute();
        }
        if (sees(">")) {
            open_.push_back(element);
            expect(">");
        } else {
            expect("/>");
        }
    }

    void attribute() {
        while (at_ < text_.size() && is_space(text_[at_])) {
            ++at_;
        }
        if (sees(">") || sees("/>")) {
            return;
        }
        std::string_view const found = name();
        if (std::find(std::begin(attributes), std::end(attributes), found) == std::end(attributes)) {
            refuse(fmt::format("the attribute '{}' is none that a page takes", found));
        }
        expect("=\"");
        std::size_t const end = text_.find('"', at_);
        if (end == std::string_view::npos || text_.substr(at_, end - at_).find('<') != std::string_view::npos) {
            refuse(fmt::format("the attribute '{}' does not end", found));
        }
        at_ = end + 1;
    }

    std::string_view text_;
    std::string const& field_;
    std::size_t at_ = 0;
    std::vector<std::string_view> open_;
};

}  // namespace

std::string checked_picture(std::string svg, std::string const& field) {
    std::string const sheet = fmt::format("<style>{}</style>", svg_style_sheet);
    if (std::size_t const found = svg.find(sheet); found != std::string::npos) {
        svg.erase(found, sheet.size());
    }
    picture_check(svg, field).run();
    return svg;
}

}  // namespace optgap
