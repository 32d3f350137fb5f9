// Searches over columns in a GPU's memory: each row searches in its own part of the caller's words, then the answers
// are packed one behind the other.

#include <algorithm>
#include <string>
#include <type_traits>

#include "host/cuda/cuda_device.cuh"
#include "host/cuda/cuda_slices.cuh"
#include "host/cuda/resident/cuda_resident.cuh"
#include "host/cuda/resident/cuda_turn.cuh"
#include "host/executor/call_rows.hpp"
#include "kernels/launch/found_answers.cuh"
#include "kernels/registry/registry.hpp"

namespace optgap {

namespace {

/// Bytes of a piece's row: columns, its place, result, score, length and end.
constexpr std::int64_t row_bytes =
    5 * sizeof(std::int32_t) + 4 * sizeof(std::int64_t) + sizeof(improve_result) + sizeof(verdict);

}  // namespace

std::int64_t cuda_resident::max_searched_rows(std::int64_t room, std::int64_t state_room) const {
    device_scope const here(ordinal_);
    std::int64_t const wide = row_bytes + state_room * word_bytes;
    std::int64_t const most = max_rows_in(piece_bytes(), wide, [](std::int32_t rows) {
        std::int64_t sort = 0;
        std::int64_t sum = 0;
        OPTGAP_CUDA_TRY(row_sort_temporary_bytes(rows, tasks(), sort));
        OPTGAP_CUDA_TRY(found_answers_temporary_bytes(rows, sum));
        return sort + sum;
    });
    if (most < 1 || room > max_scratch_bytes() / word_bytes) {
        throw error(status::out_of_memory,
                    "a search of " + std::to_string(room) + " words of room" +
                        (state_room > 0 ? " and " + std::to_string(state_room) + " kept from launch to launch" : "") +
                        " does not fit the store's memory; make words smaller, or the store with more memory");
    }
    return most;
}

void cuda_resident::try_found_answers() {
    device_arena& work = held_->work;
    cudaStream_t const stream = held_->stream.get();
    auto* const results = work.take<improve_result>(2);
    OPTGAP_CUDA_TRY(cudaMemsetAsync(results, 0, 2 * sizeof *results, stream));
    found_answers found;
    found.rows = 2;
    found.results = results;
    found.length = work.take<std::int64_t>(2);
    found.end = work.take<std::int64_t>(2);
    found.out = work.take<std::int64_t>(8);
    found.offsets = work.take<std::int64_t>(3);
    found.staged_rows = found.rows;
    OPTGAP_CUDA_TRY(cudaMemsetAsync(found.offsets, 0, sizeof *found.offsets, stream));
    OPTGAP_CUDA_TRY(found_answers_temporary_bytes(std::int32_t(found.rows), found.temporary_bytes));
    found.temporary = work.take<unsigned char>(found.temporary_bytes);
    OPTGAP_CUDA_TRY(launch_found_answers(stream, limits_, found));
}

void cuda_resident::require_searches(resident_set const& instances) const {
    for (std::size_t t = 0; t < instances.search_words.size(); ++t) {
        std::int64_t const words = instances.search_words[t];
        launch_plan const plan = plan_search(limits_, std::max<std::int64_t>(words, 0));
        std::int64_t const bytes = plan.words_per_row * std::int64_t(sizeof(std::int32_t));
        if (words >= 0 && plan.global_scratch && bytes > max_scratch_bytes()) {
            throw error(status::out_of_memory, std::string("a search of ") + registry()[t].name + " needs " +
                                                   std::to_string(bytes) + " bytes to work in, and the store has " +
                                                   std::to_string(max_scratch_bytes()) +
                                                   "; a quarter of its memory is for that");
        }
    }
}

std::uint64_t cuda_resident::improve(resident_set const& instances, device_answers const& starts,
                                     search_wish const& wish, device_searches const& out, void* stream) {
    require_searches(instances);
    auto* const on = static_cast<cudaStream_t>(stream);
    std::int64_t const room = starts.rows > 0 ? out.words_size / starts.rows : 0;
    // On 64-byte boundaries; a search in one launch keeps no state.
    std::int64_t const state_room = wish.steps > wish.steps_a_launch ? (instances.state_words + 15) / 16 * 16 : 0;
    std::int64_t const most = starts.rows > 0 ? max_searched_rows(room, state_room) : 1;
    turn own(*this, on);
    OPTGAP_CUDA_TRY(cudaMemsetAsync(out.offsets, 0, sizeof *out.offsets, on));
    for (std::int64_t first = 0; first < starts.rows; first += most) {
        row_check piece = piece_of(starts, first, most);
        piece.room = room;
        piece.state_room = state_room;
        search_piece(on, instances, starts, piece, wish, out);
    }
    return own.done();
}

void cuda_resident::search_piece(cudaStream_t stream, resident_set const& instances, device_answers const& starts,
                                 row_check piece, search_wish const& wish, device_searches const& out) {
    device_arena& work = held_->work;
    work.reset();
    piece.place = work.take<std::int64_t>(piece.rows + 1);
    piece.results = work.take<improve_result>(piece.rows);
    std::int32_t* const state = piece.state_room > 0 ? work.take<std::int32_t>(piece.rows * piece.state_room) : nullptr;
    piece.state_place = state != nullptr ? work.take<std::int64_t>(piece.rows) : nullptr;
    piece = look(stream, instances, piece);
    row_sort const sort = sort_piece(stream, piece);

    improve_batch batch{};
    batch.in = rows_of(instances, starts, piece);
    batch.offsets = piece.place;
    batch.words = out.words + piece.first * piece.room;
    batch.out = piece.results;
    batch.state_offsets = piece.state_place;
    batch.state = state;
    batch.source = search_source(wish.seed);
    found_answers found;
    found.rows = piece.rows;
    found.room = piece.room;
    found.results = piece.results;
    found.from = batch.words;
    found.length = work.take<std::int64_t>(piece.rows);
    found.end = work.take<std::int64_t>(piece.rows);
    OPTGAP_CUDA_TRY(found_answers_temporary_bytes(std::int32_t(piece.rows), found.temporary_bytes));
    found.temporary = work.take<unsigned char>(found.temporary_bytes);
    found.words = out.words;
    found.offsets = out.offsets + piece.first;
    static_assert(sizeof(search_row) == 4 * sizeof(std::int64_t) && std::is_standard_layout_v<search_row>);
    found.out = reinterpret_cast<std::int64_t*>(out.rows + piece.first);

    verify_batch judged{batch.in, nullptr};
    for (std::size_t t = 0; t < instances.search_words.size() && judged.out == nullptr; ++t) {
        if (instances.search_words[t] >= 0 && !wish.improves[t]) {
            found.worth = judged.out = work.take<verdict>(piece.rows);
            constexpr int of_no_code = 0xFF;  // in every byte: not feasible
            OPTGAP_CUDA_TRY(cudaMemsetAsync(judged.out, of_no_code, std::size_t(piece.rows) * sizeof(verdict), stream));
        }
    }

    launch_site site = rest_of_work(stream, piece.rows);
    std::int64_t const share = fork(stream, instances.search_words, piece.rows);
    side_streams::joined const whatever_comes(held_->sides);
    side_streams& sides = held_->sides;
    auto const work_of = [&](std::size_t t) { return wish.improves[t] ? instances.search_words[t] : -1; };
    for (std::size_t const t : longest_first(instances.search_words, work_of)) {
        device_table const& table = cuda_device::table(std::int32_t(t));
        row_list list{sort.sorted_row, piece.rows, instances.search_words[t], sort.bounds + t, share};
        site.stream = sides.stream_for(plan_search(limits_, list.scratch_words), work_of(t));
        launch_shape shape;
        OPTGAP_CUDA_TRY(table.improve_shape(site, list, shape));
        if (wish.improves[t]) {  // a team in vain costs little beside a search; a second search makes its block last
                                 // twice
            list.likely = std::max(4 * shape.rows_at_once(), 8 * share);
        }
        // The number of a search's launches is known before the first one, since a graph may hold them.
        std::int64_t const steps_a_launch = state != nullptr ? wish.steps_a_launch : wish.steps;
        batch.end = 0;
        do {
            batch.begin = batch.end;
            batch.end += std::min(wish.steps - batch.begin, steps_a_launch);
            OPTGAP_CUDA_TRY(table.improve(site, shape, list, batch));
        } while (batch.end < wish.steps && wish.improves[t]);
        if (!wish.improves[t]) {
            list.scratch_words = instances.scratch_words[t];
            site.stream = sides.stream_for(plan_launch(limits_, list.scratch_words));
            OPTGAP_CUDA_TRY(table.verify(site, list, judged));
        }
    }
    sides.join();
    found.stage = site.scratch;
    found.staged_rows = piece.room > 0 ? site.scratch_bytes / (piece.room * word_bytes) : piece.rows;
    OPTGAP_CUDA_TRY(launch_found_answers(stream, limits_, found));
}

}  // namespace optgap
