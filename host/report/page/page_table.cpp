// Numbers as words, and charts as tables.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "host/report/page/page.hpp"

namespace optgap {
namespace {

constexpr char const* missing = "–";
constexpr std::size_t max_rows = 120;  ///< of a chart's table
constexpr int max_decimals = 6;

/// The rounding error allowed for a value in a column: its fifth significant digit, or the greatest one's where that
/// leaves two.
double tolerance(double value, double greatest) {
    return std::max(5e-4 * std::abs(value), std::min(5e-5 * greatest, 0.05 * std::abs(value)));
}

/// The fewest decimals that keep every number of a column; -1: too many for one column.
int decimals_of(page_table const& table, std::size_t column) {
    double greatest = 0;
    for (auto const& row : table.rows) {
        double const* const value = std::get_if<double>(&row[column]);
        greatest = value != nullptr && std::isfinite(*value) ? std::max(greatest, std::abs(*value)) : greatest;
    }
    for (int decimals = 0; decimals <= max_decimals; ++decimals) {
        double const unit = std::pow(10.0, decimals);
        bool const enough = std::all_of(table.rows.begin(), table.rows.end(), [&](auto const& row) {
            double const* const value = std::get_if<double>(&row[column]);
            return value == nullptr || !std::isfinite(*value) || std::abs(*value) >= 1e15 ||
                   std::abs(std::round(*value * unit) / unit - *value) <= tolerance(*value, greatest);
        });
        if (enough) {
            return decimals;
        }
    }
    return -1;
}

std::string number_text(double value, int decimals) {
    if (std::isnan(value)) {
        return missing;
    }
    if (std::isinf(value)) {
        return value > 0 ? "∞" : "-∞";
    }
    if (decimals < 0 || std::abs(value) >= 1e15) {
        return fmt::format("{:.4g}", value);
    }
    std::string const out = fmt::format("{:.{}f}", value, decimals);
    bool const zero = out.find_first_not_of("-0.") == std::string::npos;
    return zero && out.front() == '-' ? out.substr(1) : out;
}

page_cell with_interval(chart_point const& p) {
    if (std::isnan(p.y)) {
        return {};
    }
    if (std::isnan(p.low)) {
        return p.y;
    }
    return fmt::format("{:.4g} ({:.4g} to {:.4g})", p.y, p.low, p.high);
}

/// One row per x, or name, and one column per series.
page_table side_by_side(chart const& of) {
    page_table out;
    bool const named = of.kind == chart_kind::bars;
    out.columns.push_back({of.x.label, !named, ""});
    std::map<double, std::size_t> rows_of_x;
    std::map<std::string, std::size_t> rows_of_names;
    auto const row_for = [&](chart_point const& p) {
        return named ? rows_of_names.try_emplace(p.name, out.rows.size()).first->second
                     : rows_of_x.try_emplace(p.x, out.rows.size()).first->second;
    };
    for (std::size_t s = 0; s < of.series.size(); ++s) {
        out.columns.push_back({of.series.size() == 1 ? of.y.label : of.series[s].name, true, ""});
        for (chart_point const& p : of.series[s].points) {
            std::size_t const place = row_for(p);
            if (place == out.rows.size()) {
                out.rows.emplace_back(of.series.size() + 1);
                out.rows.back()[0] = named ? page_cell(p.name) : page_cell(p.x);
            }
            out.rows[place][s + 1] = with_interval(p);
        }
    }
    if (!named) {
        std::sort(out.rows.begin(), out.rows.end(),
                  [](auto const& a, auto const& b) { return std::get<double>(a[0]) < std::get<double>(b[0]); });
    }
    return out;
}

/// One row per point.
page_table one_below_the_other(chart const& of) {
    page_table out;
    out.columns = {{"series", false, ""}, {of.x.label, true, ""}, {of.y.label, true, ""}};
    for (chart_series const& series : of.series) {
        for (chart_point const& p : series.points) {
            out.rows.push_back({series.name, p.x, with_interval(p)});
        }
    }
    return out;
}

}  // namespace

std::string cell_text(page_cell const& cell) {
    page_table alone;
    alone.columns.resize(1);
    alone.rows = {{cell}};
    return cell_texts(alone)[0][0];
}

std::vector<std::vector<std::string>> cell_texts(page_table const& table) {
    std::vector<std::vector<std::string>> texts(table.rows.size(), std::vector<std::string>(table.columns.size()));
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        int const decimals = decimals_of(table, c);
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            page_cell const& cell = table.rows[r][c];
            if (auto const* words = std::get_if<std::string>(&cell)) {
                texts[r][c] = *words;
            } else if (auto const* whole = std::get_if<std::int64_t>(&cell)) {
                texts[r][c] = std::to_string(*whole);
            } else if (auto const* value = std::get_if<double>(&cell)) {
                texts[r][c] = number_text(*value, decimals);
            } else {
                texts[r][c] = missing;
            }
        }
    }
    return texts;
}

page_table chart_table(chart const& of, std::string& left_out) {
    page_table all = of.kind == chart_kind::points ? one_below_the_other(of) : side_by_side(of);
    std::size_t const stride = (all.rows.size() + max_rows - 1) / max_rows;
    left_out.clear();
    if (stride > 1 && of.kind != chart_kind::bars) {
        left_out = fmt::format("Every {}th of {} rows.", stride, all.rows.size());
        std::size_t kept = 0;
        for (std::size_t r = 0; r < all.rows.size(); r += stride) {
            all.rows[kept++] = all.rows[r];
        }
        all.rows.resize(kept);
    }
    return all;
}

}  // namespace optgap
