// A verb that no other file names runs over the templates that serve all verbs: seam, guard and wire.

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

#include "host/executor/guarded.hpp"
#include "host/executor/seam.hpp"
#include "host/remote/codec.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

/// For each instance, the sum of its words and `more`.
struct sum_call {
    using result = std::vector<std::int64_t>;
    static constexpr verb which = verb::count_;

    instance_view instances = {};
    std::span<std::int64_t const> more = {};
    finish how = finish::unknown;

    [[nodiscard]] std::int64_t rows() const { return instances.blocks.rows; }
    [[nodiscard]] data_place data() const { return place_of(instances.blocks) + place_of(more); }
    static auto fields(auto& call) { return std::tie(call.instances, call.more, call.how); }
};

class toy_executor : public seam<call_list<sum_call>> {
public:
    using calls = call_list<sum_call>;
};

class adder final : public toy_executor {
public:
    explicit adder(std::string name) : name_(std::move(name)) {}

    [[nodiscard]] std::string describe() const override { return name_; }
    std::vector<std::int64_t> run(sum_call const& call) override {
        ++runs;
        if (fault) {
            throw error(*fault, name_ + " is told to fail");
        }
        std::vector<std::int64_t> out;
        for (std::int64_t r = 0; r < call.rows(); ++r) {
            std::span<std::int32_t const> const row = call.instances.blocks.row(r);
            out.push_back(std::accumulate(row.begin(), row.end(), call.more[std::size_t(r)]));
        }
        return out;
    }

    std::int64_t runs = 0;
    std::optional<status> fault;

private:
    std::string name_;
};

struct toy_batch {
    instance_batch instances = instances_of(0, difficulty::easy(), 3);
    std::vector<std::int64_t> more{1, 20, 300};
    sum_call call{instances.view(), more, finish::length};
};

/// A guard over two of them.
struct toy_guard {
    explicit toy_guard(device where, fallback on_fallback = fallback::proceed)
        : by(cpu, {.where = where, .on_fallback = on_fallback}, [this](cuda_options&, std::string&) {
              auto made = std::make_unique<adder>("a card");
              gpu = made.get();
              return made;
          }) {}
    adder cpu{"the CPU"};
    adder* gpu = nullptr;
    guarded<toy_executor> by;
};

TEST(call, a_new_verb_runs_where_the_guard_sends_it) {
    toy_batch const toy;
    toy_guard cuda(device::cuda);
    EXPECT_EQ(cuda.by.describe(), "a card");
    std::vector<std::int64_t> const found = cuda.by.run(toy.call);
    EXPECT_EQ(found, adder("alone").run(toy.call));
    EXPECT_EQ(cuda.gpu->runs, 1);
    EXPECT_EQ(cuda.cpu.runs, 0);
    EXPECT_EQ(cuda.by.statistics().device_calls, 1);

    toy_guard choosing(device::automatic);
    EXPECT_EQ(choosing.by.run(toy.call), found);
    EXPECT_EQ(choosing.gpu->runs, 0) << "nothing is known of its gain by a GPU";
    EXPECT_EQ(choosing.by.statistics().host_calls, 1);
}

TEST(call, a_new_verb_falls_back_and_is_counted) {
    toy_batch const toy;
    std::vector<std::int64_t> const expected = adder("alone").run(toy.call);
    toy_guard guard(device::cuda);
    guard.gpu->fault = status::out_of_memory;
    EXPECT_EQ(guard.by.run(toy.call), expected);
    device_statistics found = guard.by.statistics();
    EXPECT_EQ(found.device_calls, 1);
    EXPECT_EQ(found.fallbacks, 1);
    EXPECT_EQ(found.out_of_memory, 1);
    EXPECT_NE(found.last_reason.find("told to fail"), std::string::npos) << found.last_reason;

    guard.gpu->fault = status::invalid_argument;
    EXPECT_THROW(static_cast<void>(guard.by.run(toy.call)), error) << "the caller's fault is no fault of the GPU's";
    EXPECT_EQ(guard.cpu.runs, 1);

    guard.gpu->fault = status::device_failed;
    EXPECT_EQ(guard.by.run(toy.call), expected) << "the batch is finished";
    EXPECT_THROW(guard.by.raise_failure(), error);
    EXPECT_NO_THROW(guard.by.raise_failure()) << "told once";
    EXPECT_EQ(guard.by.run(toy.call), expected);
    found = guard.by.statistics();
    EXPECT_EQ(found.state, device_state::failed);
    EXPECT_EQ(found.failed, 1);
    EXPECT_EQ(found.fallbacks, 3);
    EXPECT_EQ(guard.gpu->runs, 3);

    toy_guard strict(device::cuda, fallback::error);
    strict.gpu->fault = status::out_of_memory;
    EXPECT_THROW(static_cast<void>(strict.by.run(toy.call)), error);
    EXPECT_EQ(strict.cpu.runs, 0);

    toy_guard released(device::cuda);
    released.by.release();
    EXPECT_EQ(released.by.run(toy.call), expected);
    EXPECT_EQ(released.by.statistics().released_calls, 1);
}

template <class Put>
std::vector<std::byte> bytes_of(Put const& put) {
    serve::measure size;
    put(size);
    std::vector<std::byte> bytes(size.size());
    serve::writer to(bytes.data());
    put(to);
    return bytes;
}

TEST(call, a_new_verb_crosses_the_wire_whole_or_not_at_all) {
    toy_batch const toy;
    std::vector<std::byte> bytes = bytes_of([&](auto& to) { serve::put_call(to, toy.call); });
    serve::keeper memory;
    serve::reader in(bytes);
    sum_call const read = serve::take_call<sum_call>(in, memory);
    EXPECT_EQ(read.how, toy.call.how);
    EXPECT_EQ(adder("there").run(read), adder("here").run(toy.call));
    EXPECT_NE(read.more.data(), toy.more.data());

    for (std::size_t size = 0; size < bytes.size(); size += 8) {
        serve::reader cut(std::span<std::byte const>(bytes).first(size));
        EXPECT_THROW(static_cast<void>(serve::take_call<sum_call>(cut, memory)), serve::wire_error) << size;
    }
    std::vector<std::byte> longer = bytes;
    longer.resize(bytes.size() + 8);
    serve::reader more(longer);
    EXPECT_THROW(static_cast<void>(serve::take_call<sum_call>(more, memory)), serve::wire_error);
    bytes[bytes.size() - 8] = std::byte{77};  // the last field, an enumerator
    serve::reader wild(bytes);
    EXPECT_THROW(static_cast<void>(serve::take_call<sum_call>(wild, memory)), serve::wire_error);
}

TEST(call, a_result_of_another_number_of_rows_is_refused) {
    std::vector<std::int64_t> const sent{5, 6, 7};
    std::vector<std::byte> const bytes = bytes_of([&](auto& to) { serve::put_result(to, sent); });
    std::vector<std::int64_t> found;
    serve::reader in(bytes);
    serve::take_result(in, 3, found);
    EXPECT_EQ(found, sent);
    serve::reader again(bytes);
    EXPECT_THROW(serve::take_result(again, 4, found), serve::wire_error);
}

}  // namespace
}  // namespace optgap::testing
