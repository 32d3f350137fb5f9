#include "python/src/submitted_texts.hpp"

#include <numeric>

namespace nb = nanobind;

namespace optgap::python {
namespace {

/// Bytes from which texts are left where they are.
constexpr std::size_t worth_borrowing = std::size_t(1) << 16;

}  // namespace

submitted_texts::submitted_texts(nb::handle texts, char const* name, std::int32_t threads, text_bin& bin) {
    std::optional<text_bytes> alone = bytes_of(texts.ptr());
    if (alone && (alone->written || alone->text.size() < worth_borrowing)) {
        one_ = alone->text;
        owner_ = std::move(alone->written);
        return;
    }
    nb::object const sequence = alone ? nb::object(nb::make_tuple(texts)) : nb::borrow(texts);
    many_ = bin.keep(std::make_unique<borrowed_texts const>(sequence, name, threads));
    auto const add = [](std::size_t bytes, std::string_view text) { return bytes + text.size(); };
    std::span<std::string_view const> const all = many_->views();
    if (many_->wrote() || std::accumulate(all.begin(), all.end(), std::size_t(0), add) >= worth_borrowing) {
        owner_ = many_;
    }
}

}  // namespace optgap::python
