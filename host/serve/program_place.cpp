#include "host/serve/program_place.hpp"

#include <poll.h>

#include <atomic>
#include <stop_token>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "host/remote/messages.hpp"
#include "host/serve/workplace.hpp"
#include "optgap/status.hpp"

namespace optgap::serve {
namespace {

using programs::language_count;
using programs::program_language;

constexpr int look_every_ms = 50;
constexpr std::size_t max_runs = std::size_t(1) << 22;

/// Asks a call to stop once the other end of its socket is gone.
class hang_up_watch {
public:
    hang_up_watch(int socket, std::stop_source& stop)
        : thread_([socket, &stop](std::stop_token const& over) {
              while (!over.stop_requested()) {
                  pollfd at{socket, 0, 0};  // nothing but the end is looked for
                  if (::poll(&at, 1, look_every_ms) > 0 && (at.revents & (POLLHUP | POLLERR)) != 0) {
                      stop.request_stop();
                      return;
                  }
              }
          }) {}

private:
    std::jthread thread_;
};

}  // namespace

std::shared_ptr<programs::sandbox> program_place::open(programs::served_terms& terms) {
    std::lock_guard const opening(opening_);
    if (!opened_) {
        std::shared_ptr<programs::sandbox> found;
        programs::served_terms fresh;
        // All that some isolation level holds; one sandbox, so that no slot is counted twice.
        for (std::vector<program_language> const& wanted :
             {std::vector{program_language::python, program_language::cpp}, std::vector{program_language::python},
              std::vector{program_language::cpp}}) {
            try {
                programs::sandbox_options asked;
                asked.isolation = settings_.isolation;
                asked.slots = settings_.slots;
                asked.languages = wanted;
                found = programs::open_sandbox(asked);
                fresh.slots = found->slots();
                fresh.most = settings_.client_slots;
                for (program_language const one : wanted) {
                    fresh.isolations[std::size_t(one)] = found->isolation(one);
                }
                break;
            } catch (error const& refused) {
                fresh.trouble = fresh.trouble.empty() ? refused.what() : fresh.trouble;
            }
        }
        std::lock_guard const locked(lock_);
        sandbox_ = found;
        terms_ = fresh;
        opened_ = true;
    }
    std::lock_guard const locked(lock_);
    terms = terms_;
    return sandbox_;
}

template <class Results>
void program_place::answer(Results const& found, room const& out) const {
    measure size;
    put(size, found);
    if (std::int64_t(size.size()) > max_bytes_) {
        throw refused_request(
            refusal::limit, "what the programs printed would take more than " + std::to_string(max_bytes_) + " bytes");
    }
    writer to(out(size.size()));
    put(to, found);
}

void program_place::serve(verb what, std::span<std::byte const> bytes, room const& out, int socket, int client) {
    programs::served_terms terms;
    std::shared_ptr<programs::sandbox> const in = open(terms);
    if (what == ask_programs) {
        answer(terms, out);
        return;
    }
    if (in == nullptr) {
        throw refused_request(refusal::failed, "no isolation level holds programs here: " + terms.trouble);
    }
    reader from(bytes);
    programs::served_runs asked;
    if (what == ask_compile) {
        asked.programs = programs::take_compilations(from);
    } else {
        asked = programs::take_runs(from);
    }
    if (asked.runs.size() > max_runs) {
        throw refused_request(refusal::limit, std::to_string(asked.runs.size()) + " runs in one request");
    }
    std::stop_source stop;
    programs::program_share const share{std::uint64_t(client), settings_.client_slots};
    for (programs::compile_request& one : asked.programs) {
        if (terms.isolations[std::size_t(one.language)].empty()) {
            throw refused_request(refusal::failed,
                                  "no isolation level holds " + std::string(name_of(one.language)) + " here");
        }
        programs::check_limits(one.limits);
        one.stop = stop.get_token();
        one.share = share;
    }
    struct counted {
        counted(program_place& at, int who) : of(at), client(who) {
            std::lock_guard const locked(of.lock_);
            ++of.under_way_[client];
        }
        ~counted() {
            std::lock_guard const locked(of.lock_);
            if (--of.under_way_[client] == 0) {
                of.under_way_.erase(client);
            }
        }
        program_place& of;
        int client;
    } const here(*this, client);
    hang_up_watch const watch(socket, stop);
    std::vector<programs::compile_result> const built = in->compile_all(asked.programs);
    std::vector<programs::run_result> ran;
    if (what == ask_compile) {
        answer(std::span<programs::compile_result const>(built), out);
    } else {
        ran.resize(asked.runs.size());
        std::vector<programs::run_request> runs;
        std::vector<std::size_t> place;
        for (std::size_t k = 0; k < asked.runs.size(); ++k) {
            programs::served_runs::run const& one = asked.runs[k];
            programs::compile_result const& program = built[one.program];
            if (program.code != programs::run_code::ok) {
                ran[k].trouble = "its program does not compile any more: " + program.first_line;
                continue;
            }
            runs.push_back({program.program, asked.inputs[one.input], one.limits, stop.get_token(), share});
            place.push_back(k);
        }
        std::vector<programs::run_result> ended = in->run_all(runs);
        for (std::size_t k = 0; k < ended.size(); ++k) {
            ran[place[k]] = std::move(ended[k]);
        }
        answer(std::span<programs::run_result const>(ran), out);
    }
    std::lock_guard const locked(lock_);
    runs_ += std::int64_t(ran.size());
    compilations_ += what == ask_compile ? std::int64_t(built.size()) : 0;
    for (programs::compile_result const& one : built) {
        compile_cached_ += what == ask_compile && one.cached ? 1 : 0;
    }
    for (programs::run_result const& one : ran) {
        retried_ += one.tries > 1 ? 1 : 0;
    }
    killed_ += stop.stop_requested() ? 1 : 0;
}

nlohmann::ordered_json program_place::statistics() const {
    std::lock_guard const locked(lock_);
    nlohmann::ordered_json out;
    out["slots"] = terms_.slots;
    out["slots_busy"] = sandbox_ == nullptr ? 0 : sandbox_->slots_busy();
    out["client_slots"] = settings_.client_slots;
    for (program_language const one : {program_language::python, program_language::cpp}) {
        std::string const& isolation = terms_.isolations[std::size_t(one)];
        out["isolation"][std::string(name_of(one))] =
            isolation.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(isolation);
    }
    out["clients"] = under_way_.size();
    out["compilations"] = compilations_;
    out["compile_cached"] = compile_cached_;
    out["runs"] = runs_;
    out["retried"] = retried_;
    out["hung_up"] = killed_;
    return out;
}

}  // namespace optgap::serve
