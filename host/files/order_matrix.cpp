// LOLIB: a matrix to be ordered.

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_order_matrix(json const& at) {
    return fmt::format("{}\n", at["matrix"].size()) + rows_of_numbers(at["matrix"]);
}

}  // namespace

instance_formats_of order_matrix_files() {
    return {{.name = "order_matrix", .task = "linear_ordering", .write = &write_order_matrix}};
}

}  // namespace optgap::files
