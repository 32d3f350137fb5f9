#pragma once
// One axis of a chart: its range, its ticks, and the places of values.

#include <string>
#include <vector>

namespace optgap {

class chart_axis {
public:
    /// The range holds `values`, which are finite and, on a logarithmic axis, positive; none: 0 to 1. `from_zero`
    /// begins a linear axis at 0, as bars require.
    chart_axis(std::vector<double> const& values, bool log, bool from_zero);

    /// Values at low and high stand at `first` and `last`.
    void place(double first, double last);
    [[nodiscard]] double at(double value) const;

    struct tick {
        double value;
        std::string label;
    };
    /// At most `most`, at 1, 2 or 5 times a power of ten.
    [[nodiscard]] std::vector<tick> ticks(std::size_t most) const;

private:
    [[nodiscard]] std::vector<tick> linear_ticks(std::size_t most) const;
    [[nodiscard]] std::vector<tick> log_ticks(std::size_t most) const;

    bool log_;
    double low_ = 0;  ///< its logarithm on a logarithmic axis; so is high_
    double high_ = 1;
    double first_ = 0;
    double last_ = 1;
};

/// At most six characters where possible: 0.25, 1200, 15k, 3M, 2e-07.
std::string short_number(double value);

}  // namespace optgap
