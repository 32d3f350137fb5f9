#include "host/serve/row_place.hpp"

#include <algorithm>
#include <vector>

#include "host/remote/wire.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/score_options.hpp"
#include "host/rows/written_rows.hpp"

namespace optgap::serve {
namespace {

constexpr std::size_t max_kept = 8;   ///< different options
constexpr std::size_t at_once = 256;  ///< rows whose instances are in memory together

/// Options that a daemon may follow for others: none that names a file, none of programs.
rows::score_options options_for_others(std::string const& text, std::span<std::string const> kinds) {
    rows::score_options out;
    try {
        for (std::string const& one : rows::packages_in(text)) {
            if (std::ranges::find(kinds, one) == kinds.end()) {
                throw refused_request(refusal::request, "kinds: this daemon was not started with --kinds " + one);
            }
        }
        out = rows::parse_score_options(text);
    } catch (field_error const& broken) {
        throw refused_request(refusal::request, broken.what());
    }
    if (!out.improved.empty()) {
        throw refused_request(refusal::request, "improved-baselines file: names a file, which the client writes");
    }
    for (rows::kind_entry const& kind : rows::kind_entries()) {
        for (rows::option const& one : kind.info->options) {
            bool const at_home = one.names_file || kind.info->place == rows::graded_in::slot;
            if (at_home && !out.kinds.changed(one).empty()) {
                throw refused_request(
                    refusal::request,
                    std::string(one.name) + (one.names_file ? ": names a file, which the client reads"
                                                            : ": is of programs, which the client runs"));
            }
        }
    }
    return out;
}

}  // namespace

row_place::pool row_place::scorers_for(std::string const& options) {
    std::lock_guard const locked(lock_);
    auto const found = std::ranges::find(known_, options, &std::pair<std::string, pool>::first);
    if (found != known_.end()) {
        known_.splice(known_.begin(), known_, found);
    } else {
        rows::score_options read = options_for_others(options, kinds_);
        at_.check_steps(read.budget, 1);
        known_.emplace_front(
            options, std::make_shared<rows::scorer_pool>(at_.by(), std::move(read), std::string(), at_.source()));
        known_.resize(std::min(known_.size(), max_kept));
    }
    return known_.front().second;
}

/// Checks the size of the instance that a key names before it is generated.
void row_place::check_instance(json_row const& row) const {
    std::string_view const* const key = row.find("key");
    if (key == nullptr || !is_json_string(*key)) {
        return;
    }
    instance_spec spec;
    try {
        instance_key const named = parse_key(decode_json_string(*key));
        if (named.is_explicit) {
            return;
        }
        spec = at_.by().spec_of(named);
    } catch (error const&) {
        return;  // no key of ours: its row is rejected, or is of another kind
    }
    at_.check_specs({&spec, 1});
}

void row_place::check_row(rows::scorer const& by, json_row const& row) const {
    rows::row_kind const* const kind = by.claimed_by(row);
    if (kind != nullptr && kind->info().place == rows::graded_in::slot) {
        throw refused_request(refusal::request, "rows of kind " + std::string(kind->info().name) +
                                                    " run programs, which the client does");
    }
    check_instance(row);
    for (json_field const& field : row.fields()) {  // an answer that is judged
        json_row inner;
        std::string rule;
        if (field.value.starts_with('{') && inner.split(field.value, rule)) {
            check_instance(inner);
        }
    }
}

std::int64_t row_place::serve(std::span<std::byte const> bytes, room const& out) {
    reader in(bytes);
    std::string const options = in.text();
    std::vector<std::string_view> const sent = in.texts();
    in.end();
    at_.check_rows(std::int64_t(sent.size()));
    // Copied before they are read: the client may still be writing.
    std::vector<std::string> const lines(sent.begin(), sent.end());
    pool const scorers = scorers_for(options);
    rows::scorer_pool::lease const by = scorers->lend();
    std::vector<rows::row_item> items(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        items[i].take(lines[i], std::int64_t(i) + 1);
        if (items[i].sound()) {
            check_row(*by, items[i].row);
        }
    }
    by->forget();
    std::vector<rows::graded_row> graded;
    for (std::size_t first = 0; first < items.size(); first += at_once) {
        std::span<rows::row_item> const some = std::span(items).subspan(first, std::min(at_once, items.size() - first));
        std::vector<rows::graded_row> const found = by->score(some);
        graded.insert(graded.end(), found.begin(), found.end());
    }
    rows::graded_run const run = by->close(std::move(graded));
    std::vector<std::string> const written = rows::written_rows(*by, items, run);
    by->forget();
    std::vector<std::string_view> const found(written.begin(), written.end());
    std::vector<std::string_view> remarks;
    for (rows::run_report::sentence const& one : run.report.sentences) {
        remarks.push_back(one.text);
    }
    measure size;
    size.texts(found);
    size.texts(remarks);
    at_.check_bytes(std::int64_t(size.size() / sizeof(std::int32_t)), "the rows");
    writer to(out(size.size()));
    to.texts(found);
    to.texts(remarks);
    return std::int64_t(lines.size());
}

}  // namespace optgap::serve
