#pragma once

#include <string>
#include <vector>

namespace optgap::cli {

enum class align { left, right };

/// Columns padded to their widest cell, two blanks between them, a header line underlined with dashes.
class table {
public:
    struct column {
        std::string title;
        align side = align::left;
    };

    explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}
    /// One cell per column.
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace optgap::cli
