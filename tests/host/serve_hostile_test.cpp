// Programs that a daemon must survive: they do not know its protocol, or abuse it. After each it serves good clients.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <nlohmann/json.hpp>

#include "host/remote/build_fingerprint.hpp"
#include "host/remote/messages.hpp"
#include "host/remote/socket.hpp"
#include "tests/support/child.hpp"
#include "tests/support/scheduler_cases.hpp"
#include "tests/support/serve_process.hpp"
#include "tests/support/serve_requests.hpp"

namespace optgap::testing {
namespace {

using namespace serve;

/// A client that sends any bytes.
class raw_client {
public:
    explicit raw_client(std::string const& path) {
        std::string why;
        socket_ = connect_to(path, why);
        EXPECT_TRUE(socket_) << why;
    }
    /// Is greeted like a good client.
    welcome greet(engine const& by) {
        hello const opening{.build = build_fingerprint(by.tasks())};
        welcome greeting;
        descriptor page;
        EXPECT_TRUE(send(socket_, &opening, sizeof opening));
        EXPECT_EQ(receive(socket_, &greeting, sizeof greeting, page, 5s), arrival::whole);
        return greeting;
    }
    template <class T>
    bool say(T const& message, int attached = -1) {
        return send(socket_, &message, sizeof message, attached);
    }
    /// The daemon's answer; `none` only for a result.
    refusal hear() {
        reply answer;
        descriptor attached;
        arrival const came = receive(socket_, &answer, sizeof answer, attached, 20s);
        EXPECT_NE(came, arrival::nothing) << "the daemon neither answers nor hangs up";
        return came == arrival::whole ? answer.refused : refusal::message;
    }
    descriptor const& socket() const { return socket_; }

private:
    descriptor socket_;
};

class hostile : public ::testing::Test {
protected:
    hostile() : daemon_(limited(cpu_server(folder_.path()))) {}
    static server_options limited(server_options options) {
        options.request_bytes = 1 << 20;
        options.connections = 12;
        return options;
    }
    void TearDown() override {
        engine const good = client_of(folder_.path());
        instance_batch const one = instances_of(1, difficulty::easy(), 2);
        EXPECT_EQ(good.greedy(one.view()), cpu_engine().greedy(one.view()));
        EXPECT_EQ(good.server_status().calls, 1) << to_json(good.server_status());
    }
    [[nodiscard]] nlohmann::json refused() const {
        return nlohmann::json::parse(const_cast<hostile*>(this)->daemon_->statistics())["refused"];
    }
    [[nodiscard]] std::string path() const { return folder_.path(); }

    socket_folder folder_;
    own_server daemon_;
};

TEST_F(hostile, greetings_that_are_none) {
    engine const& by = cpu_engine();
    hello const good{.build = build_fingerprint(by.tasks())};
    std::mt19937_64 random(1);
    auto const bytes_of = [](hello const& h) { return std::string(reinterpret_cast<char const*>(&h), sizeof h); };
    std::vector<std::string> said{"x", std::string(7, '\0'), std::string(4000, 'x'), bytes_of(good).substr(0, 10)};
    for (int bit = 0; bit < 12 * 8; bit += 5) {
        std::string flipped = bytes_of(good);
        flipped[std::size_t(bit / 8)] = char(flipped[std::size_t(bit / 8)] ^ (1 << bit % 8));
        said.push_back(flipped);
    }
    for (std::string const& bytes : said) {
        raw_client client(path());
        ASSERT_TRUE(send(client.socket(), bytes.data(), bytes.size()));
        welcome answer;
        descriptor page;
        ASSERT_EQ(receive(client.socket(), &answer, sizeof answer, page, 20s), arrival::whole);
        EXPECT_EQ(answer.refused, refusal::protocol);
    }
    EXPECT_EQ(refused()["protocol"], said.size());
    raw_client other(path());
    hello foreign = good;
    foreign.build ^= 1;
    ASSERT_TRUE(other.say(foreign));
    welcome answer;
    descriptor page;
    ASSERT_EQ(receive(other.socket(), &answer, sizeof answer, page, 20s), arrival::whole);
    EXPECT_EQ(answer.refused, refusal::build);
    EXPECT_NE(answer.reason.view().find("same build"), std::string_view::npos);
}

TEST_F(hostile, messages_that_are_no_requests) {
    auto const answer_to = [&](auto const& message) {
        raw_client client(path());
        EXPECT_EQ(client.greet(cpu_engine()).refused, refusal::none);
        EXPECT_TRUE(client.say(message));
        return client.hear();
    };
    EXPECT_EQ(answer_to(std::uint64_t(7)), refusal::message);
    EXPECT_EQ(answer_to(std::array<char, 500>{}), refusal::message);
    EXPECT_EQ(answer_to(request{.mark = 1, .what = verb::solve}), refusal::message);
    EXPECT_EQ(answer_to(request{.what = verb(4711), .size = 8}), refusal::message);
    // No memory at all, then sizes that no memory has.
    EXPECT_EQ(answer_to(request{.what = verb::grade, .size = 8}), refusal::segment);
    EXPECT_EQ(answer_to(request{.what = verb::grade, .size = UINT64_MAX}), refusal::segment);
}

TEST_F(hostile, memory_that_is_not_what_it_should_be) {
    auto const answer_to = [&](int fd, std::uint64_t size) {
        raw_client client(path());
        EXPECT_EQ(client.greet(cpu_engine()).refused, refusal::none);
        EXPECT_TRUE(client.say(request{.what = verb::greedy, .size = size}, fd));
        return client.hear();
    };
    auto const memory_of = [](off_t bytes, int seals) {
        descriptor made(memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING));
        EXPECT_EQ(ftruncate(made.get(), bytes), 0);
        EXPECT_EQ(fcntl(made.get(), F_ADD_SEALS, seals), 0);
        return made;
    };
    EXPECT_EQ(answer_to(memory_of(4096, 0).get(), 8), refusal::segment) << "not sealed";
    EXPECT_EQ(answer_to(memory_of(4096, F_SEAL_GROW).get(), 8), refusal::segment) << "may shrink";
    EXPECT_EQ(answer_to(memory_of(0, F_SEAL_SHRINK).get(), 0), refusal::segment) << "empty";
    EXPECT_EQ(answer_to(memory_of(off_t(1) << 40, F_SEAL_SHRINK).get(), 8), refusal::segment) << "too large";
    EXPECT_EQ(answer_to(memory_of(4096, F_SEAL_SHRINK).get(), 4097), refusal::segment) << "smaller than it says";
    EXPECT_EQ(answer_to(memory_of(4096, F_SEAL_SHRINK).get(), 4096), refusal::request) << "zeroes";
    descriptor const file(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(answer_to(file.get(), 8), refusal::segment) << "a file";
    int pipes[2];
    ASSERT_EQ(pipe2(pipes, O_CLOEXEC), 0);
    descriptor const in(pipes[0]), out(pipes[1]);
    EXPECT_EQ(answer_to(in.get(), 8), refusal::segment) << "a pipe";
    EXPECT_EQ(nlohmann::json::parse(daemon_->statistics())["requests_mapped"].get<int>() % 4096, 0);
}

TEST_F(hostile, requests_that_are_too_much_together) {
    auto const mapped = [&] { return nlohmann::json::parse(daemon_->statistics())["requests_mapped"].get<int>(); };
    {
        std::vector<std::unique_ptr<raw_client>> clients;
        std::vector<refusal> answers;
        for (int k = 0; k < 6; ++k) {
            descriptor const memory(memfd_create("large", MFD_CLOEXEC | MFD_ALLOW_SEALING));
            ASSERT_EQ(ftruncate(memory.get(), 1 << 20), 0);
            ASSERT_EQ(fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
            clients.push_back(std::make_unique<raw_client>(path()));
            ASSERT_EQ(clients.back()->greet(cpu_engine()).refused, refusal::none);
            ASSERT_TRUE(clients.back()->say(request{.what = verb::greedy, .size = 64}, memory.get()));
            answers.push_back(clients.back()->hear());
        }
        refusal const read = refusal::request, full = refusal::limit;
        EXPECT_EQ(answers, (std::vector<refusal>{read, read, read, read, full, full}));
        EXPECT_EQ(mapped(), 4 << 20);
    }
    EXPECT_TRUE(eventually([&] { return mapped() == 0; }));
}

TEST_F(hostile, many_descriptors_at_once) {
    raw_client client(path());
    ASSERT_EQ(client.greet(cpu_engine()).refused, refusal::none);
    request message{.what = verb::greedy, .size = 8};
    iovec part{&message, sizeof message};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 20)] = {};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    cmsghdr* const c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int) * 20);
    for (int k = 0; k < 20; ++k) {
        int const fd = client.socket().get();
        std::memcpy(CMSG_DATA(c) + std::size_t(k) * sizeof fd, &fd, sizeof fd);
    }
    ASSERT_GT(sendmsg(client.socket().get(), &header, MSG_NOSIGNAL), 0);
    EXPECT_EQ(client.hear(), refusal::message);
}

TEST_F(hostile, clients_that_say_nothing_and_too_many_of_them) {
    std::vector<std::unique_ptr<raw_client>> silent;
    for (int k = 0; k < 12; ++k) {
        silent.push_back(std::make_unique<raw_client>(path()));
    }
    raw_client thirteenth(path());
    welcome answer;
    descriptor page;
    ASSERT_EQ(receive(thirteenth.socket(), &answer, sizeof answer, page, 20s), arrival::whole);
    EXPECT_EQ(answer.refused, refusal::connections);
    engine const late = client_of(path());
    instance_batch const one = instances_of(0, difficulty::easy(), 1);
    EXPECT_EQ(late.greedy(one.view()), cpu_engine().greedy(one.view()));
    EXPECT_EQ(late.server_status().state, server_state::refused) << to_json(late.server_status());
    for (auto const& client : silent) {
        ASSERT_EQ(receive(client->socket(), &answer, sizeof answer, page, 20s), arrival::whole);
        EXPECT_EQ(answer.refused, refusal::silence);
    }
    EXPECT_EQ(refused()["silence"], 12);
    EXPECT_TRUE(eventually([&] { return nlohmann::json::parse(daemon_->statistics())["connections"] == 0; }));
}

TEST_F(hostile, another_user) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root can be somebody else";
    }
    ASSERT_EQ(chmod(folder_.name().c_str(), 0755), 0);
    ASSERT_EQ(chmod(path().c_str(), 0666), 0);
    int const code = exit_code_of_child([&] {
        child_expects(setgid(65534) == 0 && setuid(65534) == 0);
        std::string why;
        descriptor const socket = connect_to(path(), why);
        child_expects(bool(socket));
        hello const opening{.build = build_fingerprint(cpu_engine().tasks())};
        static_cast<void>(send(socket, &opening, sizeof opening));
        welcome answer;
        descriptor page;
        child_expects(receive(socket, &answer, sizeof answer, page, 20s) == arrival::whole);
        child_expects(answer.refused == refusal::credentials && !page);
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(refused()["credentials"], 1);
}

/// Valid requests of every verb with bytes replaced: each is served or refused, and the connection continues.
TEST_F(hostile, spoiled_requests_through_the_socket) {
    std::vector<raw_request> good = good_requests();
    std::erase_if(good, [](raw_request const& one) { return one.what == verb::improve; });  // a billion steps take long
    raw_client client(path());
    ASSERT_EQ(client.greet(cpu_engine()).refused, refusal::none);
    descriptor memory;
    std::size_t const room = 200'000;
    segment shared = segment::create(room, memory, false);
    std::mt19937_64 random(3);
    bool first = true;
    for (int round = 0; round < 300; ++round) {
        raw_request const& one = good[random() % good.size()];
        std::string bytes = one.bytes;
        ASSERT_LE(bytes.size(), room);
        spoil(bytes, random);
        std::memcpy(shared.data(), bytes.data(), bytes.size());
        ASSERT_TRUE(client.say(request{.what = one.what, .size = bytes.size()}, first ? memory.get() : -1));
        first = false;
        refusal const answer = client.hear();
        EXPECT_TRUE(answer == refusal::none || answer == refusal::request || answer == refusal::limit ||
                    answer == refusal::failed)
            << refusal_names[std::size_t(answer)];
    }
}

/// The decoder without a socket, many times. OPTGAP_STRESS_SECONDS (default 1).
TEST(serve_decoder, survives_spoiled_requests) {
    engine const by({.where = device::cpu, .threads = 1, .server = "off"});
    workplace place(by, by, 1 << 20, {.bytes = 1 << 22, .rows = 4096, .steps = 100'000});
    std::vector<raw_request> const good = good_requests();
    for (raw_request const& one : good) {
        EXPECT_EQ(outcome_of(place, one), refusal::none) << verb_names[std::size_t(one.what)];
    }
    char const* const text = std::getenv("OPTGAP_STRESS_SECONDS");
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(text != nullptr ? std::atoi(text) : 1);
    std::mt19937_64 random(7);
    std::int64_t served = 0, turned_away = 0;
    while (std::chrono::steady_clock::now() < end) {
        raw_request one = good[random() % good.size()];
        spoil(one.bytes, random);
        ++(outcome_of(place, one) == refusal::none ? served : turned_away);
    }
    // Both must happen, or the replaced bytes prove nothing.
    EXPECT_GT(served, 0);
    EXPECT_GT(turned_away, 0);
    std::cout << served << " spoiled requests served, " << turned_away << " refused\n";
}

TEST(serve_decoder, requests_that_would_take_too_much_are_refused) {
    engine const by({.where = device::cpu, .threads = 1, .server = "off"});
    workplace place(by, by, 1 << 20, {.bytes = 1 << 16, .rows = 8});
    std::vector<instance_spec> const many(9, instance_spec{});
    EXPECT_EQ(outcome_of(place, request_of(generate_call{many})), refusal::limit);
    for (std::size_t task = 0; task < by.tasks().size(); ++task) {
        instance_spec const huge{std::int32_t(task), difficulty::scale(max_scale_step), split::train, 1};
        refusal const answer = outcome_of(place, request_of(generate_call{std::span(&huge, 1)}));
        EXPECT_TRUE(answer == refusal::limit || answer == refusal::none) << by.tasks()[task].name;
    }
}

}  // namespace
}  // namespace optgap::testing
