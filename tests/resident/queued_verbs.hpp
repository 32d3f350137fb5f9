#pragma once
// Verbs on batches that property tests queue repeatedly, and the host's bytes of them.

#include <algorithm>
#include <cstring>
#include <string>

#include "host/cpu/cpu_pool.hpp"
#include "host/executor/executor.hpp"
#include "tests/resident/device_columns.hpp"

namespace optgap::testing {

inline std::vector<instance_spec> specs_from(engine const& by, std::uint64_t seed, std::uint64_t count = 20) {
    std::vector<instance_spec> specs;
    for (std::uint64_t k = 0; k < count; ++k) {
        specs.push_back({by.task_index("tsp"), difficulty::benchmark(), split::train, seed * 1000 + k});
    }
    return specs;
}

/// A set's instances with their greedy answers, verified on the GPU and by the host.
class verified_set {
public:
    verified_set(std::vector<instance_spec> const& specs, cudaStream_t stream)
        : instances_(cpu_engine().generate(specs)),
          answers_(cpu_engine().greedy(instances_.view())),
          expected_(cpu_engine().verify(instances_.view(), answers_.view())),
          stream_(stream),
          words_(answers_.words, stream),
          offsets_(answers_.offsets, stream),
          out_(expected_.size()) {
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);  // when a context is healed, queued work is dropped
    }
    void queue(device_store& store, device_set const& set) {
        store.verify(set, {words_.get(), std::int64_t(answers_.words.size()), offsets_.get(), answers_.rows(), nullptr},
                     out_.get(), stream_);
    }
    [[nodiscard]] bool came() const { return out_.read(stream_) == expected_; }

private:
    instance_batch instances_;
    csr_words answers_;
    std::vector<verdict> expected_;
    cudaStream_t stream_;
    device_column<std::int32_t> words_;
    device_column<std::int64_t> offsets_;
    device_column<verdict> out_;
};

/// Space for the results of searches.
struct found_there {
    found_there(std::int64_t rows, std::int64_t room)
        : words(std::size_t(rows * room)), offsets(std::size_t(rows + 1)), results(std::size_t(rows)) {}
    [[nodiscard]] device_searches view(std::int64_t rows, std::int64_t room) const {
        return {words.get(), rows * room, offsets.get(), results.get()};
    }
    [[nodiscard]] device_answers answers(std::int64_t rows, std::int64_t room, std::int32_t const* instance_of) const {
        return {words.get(), rows * room, offsets.get(), rows, instance_of};
    }
    device_column<std::int32_t> words;
    device_column<std::int64_t> offsets;
    device_column<search_row> results;
};

/// The number of words that every start fits into, too.
inline std::int64_t room_for(device_set const& set, csr_words const& starts) {
    std::int64_t room = set.answer_words();
    for (std::int64_t r = 0; r < starts.rows(); ++r) {
        room = std::max(room, std::int64_t(starts.row(r).size()));
    }
    return room;
}

/// Expects the words of the host's call.
inline void expect_found(found_there const& there, improved_batch const& expected, cudaStream_t stream,
                         std::string const& when) {
    ASSERT_EQ(there.offsets.read(stream), expected.answers.offsets) << when;
    std::vector<std::int32_t> found = there.words.read(stream);
    ASSERT_LE(expected.answers.words.size(), found.size());
    found.resize(expected.answers.words.size());
    ASSERT_EQ(found, expected.answers.words) << when;
    std::vector<search_row> const rows = there.results.read(stream);
    std::int64_t evaluations = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        evaluations += rows[r].evaluations;
        ASSERT_EQ(rows[r].start_objective, expected.start_objective[r]) << when << ", row " << r;
        ASSERT_EQ(rows[r].objective, expected.objective[r]) << when << ", row " << r;
        ASSERT_EQ(rows[r].moves, expected.moves[r]) << when << ", row " << r;
    }
    ASSERT_EQ(evaluations, expected.evaluations) << when;
}

/// Rewards by the host, including NaN.
inline std::vector<reward_row> rewarded_by_host(reward_inputs const& in, reward_spec const& spec) {
    cpu_pool pool(1);
    std::vector<reward_row> rows(std::size_t(in.rollouts));
    make_cpu_executor(pool)->run(rewards_call{in, spec, rows});
    return rows;
}

inline std::vector<float> rewards_in(std::vector<reward_row> const& rows) {
    std::vector<float> column;
    for (reward_row const& row : rows) {
        column.push_back(row.reward);
    }
    return column;
}

/// A chain of verbs over one batch, with space for its results.
class chain {
public:
    chain(device_store& store, answered const& all, cudaStream_t stream)
        : store_(store),
          all_(all),
          set_(store.keep(all.instances.view())),
          baselines_(cpu_engine().solve(all.instances.view(), 100).rows),
          kept_(store.keep(baselines_)),
          there_(all, stream),
          found_(all.instance_of.size()),
          rewarded_(all.instance_of.size()),
          rewards_(all.instance_of.size()),
          out_(all.instance_of.size()) {
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    }
    /// Queues the calls and returns their numbers.
    std::vector<std::uint64_t> queue(cudaStream_t stream) {
        return {store_.verify(set_, there_.view, found_.get(), stream),
                store_.reward(set_, kept_,
                              {.verdicts = found_.get(), .rows = rows(), .instance_of = there_.view.instance_of}, {},
                              rewarded_.get(), rewards_.get(), stream),
                store_.advantages({rewards_.get(), there_.view.instance_of, rows()}, {}, out_.get(), stream)};
    }
    /// Writes other answers for the same rows to where the graph reads them.
    void answer_backwards(cudaStream_t stream) {
        std::reverse(all_.instance_of.begin(), all_.instance_of.end());
        EXPECT_EQ(cudaMemcpyAsync(there_.instance_of.get(), all_.instance_of.data(),
                                  all_.instance_of.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice, stream),
                  cudaSuccess);
    }
    void expect_host_bytes(cudaStream_t stream, std::string const& when) const {
        ASSERT_EQ(found_.read(stream),
                  cpu_engine().verify(all_.instances.view(), all_.answers.view(), all_.instance_of))
            << when;
        std::vector<float> const column = rewards_.read(stream);
        ASSERT_TRUE(same_bytes(out_.read(stream), cpu_engine().advantages(column, all_.instance_of))) << when;
        std::vector<reward_row> const rows = rewarded_.read(stream);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            ASSERT_EQ(std::memcmp(&rows[r].reward, &column[r], sizeof(float)), 0) << when;
        }
    }
    /// The other rewards, after they were checked.
    [[nodiscard]] std::vector<reward_row> rewarded(cudaStream_t stream) const { return rewarded_.read(stream); }
    void forget(cudaStream_t stream) const {
        EXPECT_EQ(cudaMemsetAsync(out_.get(), 1, all_.instance_of.size() * sizeof(float), stream), cudaSuccess);
        EXPECT_EQ(cudaMemsetAsync(found_.get(), 1, all_.instance_of.size() * sizeof(verdict), stream), cudaSuccess);
    }

private:
    [[nodiscard]] std::int64_t rows() const { return std::int64_t(all_.instance_of.size()); }

    device_store& store_;
    answered all_;
    device_set set_;
    std::vector<baseline> baselines_;
    device_baselines kept_;
    answers_there there_;
    device_column<verdict> found_;
    device_column<reward_row> rewarded_;
    device_column<float> rewards_, out_;
};

}  // namespace optgap::testing
