#include <fmt/format.h>

#include "host/report/histogram.hpp"
#include "kernels/text/svg.hpp"
#include "tools/cli/make/card.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view page_style = R"(
:root{color-scheme:light dark;--page:#ffffff;--text:#1f2328;--dim:#6b7280;--rule:#e3e7ed;--good:#15803d;--bad:#b91c1c}
@media (prefers-color-scheme:dark){:root{--page:#14171c;--text:#e6e8eb;--dim:#9aa3af;--rule:#2c323b;--good:#4ade80;--bad:#f87171}}
body{margin:0 auto;max-width:1120px;padding:24px 20px 64px;background:var(--page);color:var(--text);
font:15px/1.5 ui-sans-serif,system-ui,sans-serif}
h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:48px 0 2px;padding-top:12px;border-top:1px solid var(--rule)}
p{margin:4px 0 12px}.dim{color:var(--dim)}code{font:13px ui-monospace,monospace}
nav a{margin-right:14px}a{color:inherit}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:13px;margin:8px 0 16px;font-variant-numeric:tabular-nums}
th,td{padding:3px 10px 3px 0;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
th{font-weight:600;color:var(--dim);vertical-align:bottom;white-space:normal}
.word{text-align:left}
.pair{display:flex;flex-wrap:wrap;gap:28px;align-items:flex-start}
figure{margin:8px 0;max-width:100%}figure svg{max-width:100%;height:auto}
figcaption{font-size:12px;color:var(--dim);max-width:420px;overflow-wrap:anywhere}
.charts{display:flex;flex-wrap:wrap;gap:10px 18px;align-content:flex-start;flex:1 1 460px;max-width:720px}
.met{color:var(--good)}.unmet{color:var(--bad)}
)";

std::string row_of(char const* tag, std::vector<std::string> const& cells, std::size_t labels) {
    std::string out = "<tr>";
    for (std::size_t c = 0; c < cells.size(); ++c) {
        out += fmt::format("<{0}{1}>{2}</{0}>", tag, c < labels ? " class=\"word\"" : "", xml_text(cells[c]));
    }
    return out + "</tr>\n";
}

std::string table_of(card_table const& table) {
    std::string out =
        "<div class=\"wide\"><table>\n<thead>" + row_of("th", table.titles, table.labels) + "</thead>\n<tbody>\n";
    for (auto const& row : table.rows) {
        out += row_of("td", row, table.labels);
    }
    return out + "</tbody></table></div>\n";
}

std::string charts(card_task const& of) {
    return "<div class=\"charts\">\n" + draw_histogram("instance words", instance_sizes(of), bins::whole) +
           draw_histogram("prompt characters", prompt_lengths(of), bins::whole) +
           draw_histogram("steps to the proof", proof_steps(of), bins::doubling) +
           draw_histogram("optimum", best_objectives(of), bins::whole) +
           draw_histogram("greedy quality", greedy_quality(of), bins::share) +
           draw_histogram("floor quality", floor_quality(of), bins::share) + "</div>\n";
}

std::string section(card_task const& of) {
    std::string out =
        fmt::format("<section id=\"{0}\">\n<h2>{1}</h2>\n<p><code>{0}</code> {2}</p>\n<div class=\"pair\">\n",
                    of.info->name, xml_text(of.info->title), xml_text(of.info->summary));
    if (!of.picture.empty()) {
        out +=
            fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", of.picture, xml_text(picture_caption(of)));
    }
    out += charts(of) + "</div>\n" + table_of(distributions(of));
    if (card_table const open = unproven_rows(of); !open.rows.empty()) {
        out += "<p>Without a proof:</p>\n" + table_of(open);
    }
    out += table_of(signal_table(of));
    return out + fmt::format("<p class=\"{}\">Ladder rule {}.</p>\n</section>\n", of.signal.rule.met ? "met" : "unmet",
                             xml_text(of.signal.rule.sentence));
}

}  // namespace

std::string card_html(card const& made) {
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
        "<title>optgap benchmark set</title>\n<style>{}{}</style>\n</head>\n<body>\n<h1>optgap benchmark set</h1>\n"
        "<p class=\"dim\">Made by <code>{}</code>; the same command writes the same bytes.</p>\n<nav>",
        page_style, svg_style_sheet, xml_text(made.command));
    for (card_task const& of : made.tasks) {
        out += fmt::format("<a href=\"#{0}\">{0}</a> ", of.info->name);
    }
    out += "</nav>\n" + table_of(overview(made)) +
           "<p class=\"dim\">Quality is the share of the best known objective that an answer reaches, 0 where it is "
           "infeasible. Dashed lines mark medians; steps are on a doubling scale; the last bar of a quality is exactly "
           "1.</p>\n";
    out += fmt::format("<p class=\"dim\"><strong>Signal.</strong> {}</p>\n", xml_text(signal_legend));
    for (card_task const& of : made.tasks) {
        out += section(of);
    }
    return out + "</body>\n</html>\n";
}

}  // namespace optgap::cli
