#pragma once
// The isolation levels that run code through optgap-broker: namespaces and jail.

#include <array>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/programs/native/broker_client.hpp"
#include "host/programs/native/program_cache.hpp"
#include "host/programs/native/verdicts.hpp"
#include "host/programs/sandbox.hpp"
#include "host/programs/slots/processors.hpp"

namespace optgap::programs {

struct native_program final : ready_program {
    native_program(program_language written_in, file_handle sealed, bool translated = false)
        : ready_program(written_in), bytes(std::move(sealed)), module(translated) {}
    file_handle bytes;  ///< an executable, an interpreter's source, or a module's machine code
    bool module;
};

class native_sandbox final : public sandbox {
public:
    native_sandbox(std::shared_ptr<broker_client> broker, std::array<wire::hold, language_count> holds,
                   std::int32_t slots);
    /// Declares that programs of this language are modules, which optgap-wasm runs.
    void set_wasm(program_language language) { modules_[std::size_t(language)] = true; }
    /// Keeps compiled programs in this cache, under names that include a language's toolchain. Programs of a language
    /// without a toolchain are not kept.
    void set_cache(program_cache cache, std::array<std::string, language_count> toolchains);

    std::vector<compile_result> compile_all(std::span<compile_request const> requests) override;
    std::vector<run_result> run_all(std::span<run_request const> requests) override;
    std::string isolation(program_language language) const override;
    bool deterministic(program_language language) const override { return modules_[std::size_t(language)]; }
    std::int32_t slots() const override { return slot_count_; }
    std::int32_t slots_busy() const override {
        std::lock_guard const locked(mutex_);
        return slot_count_ - std::int32_t(free_slots_.size());
    }

    /// Pins each slot's runs and compilations to the slot's processor.
    void pin(processor_claims claims) { claims_ = std::move(claims); }
    [[nodiscard]] processor_claims const& claims() const { return claims_; }
    /// Sets a program known to work, whose failure on a slot shows that the machine is at fault. Without one nothing
    /// is ever charged to a program.
    void set_canary(program_language language, program_handle known, std::string input, std::string output);
    /// Keeps an object alive at least as long as the broker.
    void keep(std::shared_ptr<void> what) { kept_ = std::move(what); }

private:
    struct job;
    struct call;
    struct canary {
        program_handle program;
        std::string input, output;
    };

    bool load_compiled(compile_request const& request, std::string const& key, compile_result& out) const;
    void drop_waiting(call& all);
    /// Whether its client has fewer slots than it may have, and no other client that wants a slot has fewer.
    [[nodiscard]] bool is_turn_of(call const& all) const;
    [[nodiscard]] std::int32_t slots_of(std::uint64_t client) const;
    void work_off(call& all);
    /// Adds waiting runs of the same program to a module's process, as far as no slot stays idle for it.
    void gather(call& all, job& first) const;
    void start(call& all, job const& next);
    void take(call& all, job const& done, broker_reply reply);
    void end_of_run(call& all, job done, broker_reply reply);
    void end_of_module_runs(call& all, job const& done, broker_reply reply);
    void settle(call& all, job done, judged_run judged);
    void end_of_canary(call& all, job const& done, broker_reply reply);
    [[nodiscard]] wire::profile compiler_of(program_language language) const;
    void end_of_compilation(call& all, job const& done, broker_reply reply);

    std::shared_ptr<void> kept_;
    processor_claims claims_;
    std::shared_ptr<broker_client> broker_;
    std::array<wire::hold, language_count> holds_;
    std::array<bool, language_count> modules_{};
    std::int32_t slot_count_;
    std::array<canary, language_count> canaries_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::int32_t> free_slots_;
    std::vector<call*> calls_;  ///< under way
    program_cache cache_{{}};
    std::array<std::string, language_count> toolchains_;
    std::unordered_map<std::string, compile_result> compiled_;  ///< by language and source
    std::deque<std::string> compiled_order_;                    ///< oldest first
};

}  // namespace optgap::programs
