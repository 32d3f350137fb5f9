#include "host/programs/native/broker_client.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace optgap::programs {

file_handle::~file_handle() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

file_handle sealed_bytes(std::string_view bytes) {
    file_handle file(memfd_create("bytes", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    for (std::size_t done = 0; file.good() && done < bytes.size();) {
        ssize_t const wrote = pwrite(file.get(), bytes.data() + done, bytes.size() - done, off_t(done));
        if (wrote <= 0) {
            return {};
        }
        done += std::size_t(wrote);
    }
    if (file.good()) {
        fcntl(file.get(), F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    }
    return file;
}

std::string bytes_of(int descriptor) {
    struct stat found {};
    fstat(descriptor, &found);
    std::string out(std::size_t(found.st_size), '\0');
    ssize_t const got = pread(descriptor, out.data(), out.size(), 0);
    out.resize(got > 0 ? std::size_t(got) : 0);
    return out;
}

broker_client::broker_client(std::string path, std::vector<std::string> words)
    : path_(std::move(path)), words_(std::move(words)) {
    // The broker ends with the thread that started it, so this thread lives as long as the client.
    thread_ = std::thread([this] { serve(); });
}

broker_client::~broker_client() {
    {
        std::lock_guard const lock(mutex_);
        leaving_ = true;
        if (socket_ >= 0) {
            shutdown(socket_, SHUT_RDWR);
        }
    }
    changed_.notify_all();
    thread_.join();
}

int broker_client::process() const {
    std::lock_guard const lock(mutex_);
    return process_;
}

std::uint64_t broker_client::send(wire::request request, int first, int second,
                                  std::function<void(broker_reply)> take) {
    std::unique_lock lock(mutex_);
    wanted_ = true;
    trouble_.clear();
    changed_.notify_all();
    changed_.wait(lock, [this] { return socket_ >= 0 || !trouble_.empty() || leaving_; });
    if (socket_ < 0) {
        broker_reply lost;
        lost.lost = true;
        lost.trouble = trouble_;
        lock.unlock();
        take(std::move(lost));
        return 0;
    }
    request.id = next_id_++;
    open_.emplace(request.id, std::move(take));
    int const descriptors[2] = {first, second};
    std::size_t const size = (second >= 0 ? 2 : 1) * sizeof(int);
    iovec part{&request, sizeof request};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(size);
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(rights), descriptors, size);
    if (sendmsg(socket_, &message, MSG_NOSIGNAL) < 0) {
        shutdown(socket_, SHUT_RDWR);  // the listener then loses all open requests, including this one
    }
    return request.id;
}

void broker_client::stop(std::uint64_t id) {
    std::lock_guard const lock(mutex_);
    if (socket_ >= 0 && open_.contains(id)) {
        wire::request asked;
        asked.stops = 1;
        asked.id = id;
        if (::send(socket_, &asked, sizeof asked, MSG_NOSIGNAL) < 0) {
            shutdown(socket_, SHUT_RDWR);
        }
    }
}

void broker_client::serve() {
    std::unique_lock lock(mutex_);
    while (!leaving_) {
        changed_.wait(lock, [this] { return wanted_ || leaving_; });
        if (leaving_) {
            break;
        }
        wanted_ = false;
        lock.unlock();
        if (start()) {
            listen(socket_);  // changed by this thread only
        }
        lock.lock();
    }
    lock.unlock();
    lose_all("the sandbox is closed");
}

bool broker_client::start() {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        lose_all(std::string("no socket: ") + std::strerror(errno));
        return false;
    }
    file_handle ours(pair[0]);
    file_handle theirs(pair[1]);
    std::vector<std::string> texts{path_, "serve"};
    texts.insert(texts.end(), words_.begin(), words_.end());
    std::vector<char*> words;
    for (std::string& text : texts) {
        words.push_back(text.data());
    }
    words.push_back(nullptr);
    char* const environment[] = {nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, theirs.get(), wire::socket_descriptor);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t process = 0;
    int const failed = posix_spawn(&process, path_.c_str(), &actions, &attributes, words.data(), environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) {
        lose_all(path_ + ": " + std::strerror(failed));
        return false;
    }
    theirs = file_handle();  // so that only the broker holds its end
    wire::response greeting;
    ssize_t const got = recv(ours.get(), &greeting, sizeof greeting, 0);
    if (got != ssize_t(sizeof greeting) || greeting.version != wire::version) {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
        lose_all(path_ + (got > 0 ? ": is of another version" : ": ended at once"));
        return false;
    }
    std::lock_guard const lock(mutex_);
    process_ = process;
    socket_ = ours.release();
    changed_.notify_all();
    return true;
}

void broker_client::listen(int socket) {
    std::string buffer(wire::message_bytes, '\0');
    for (;;) {
        iovec part{buffer.data(), buffer.size()};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        ssize_t const got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        broker_reply reply;
        if (got < ssize_t(sizeof reply.head)) {
            break;
        }
        std::memcpy(&reply.head, buffer.data(), sizeof reply.head);
        cmsghdr const* const first = CMSG_FIRSTHDR(&message);
        if (first != nullptr && first->cmsg_type == SCM_RIGHTS) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(first), sizeof descriptor);
            reply.program = file_handle(descriptor);
        }
        std::string bytes(buffer.data() + sizeof reply.head, std::size_t(got) - sizeof reply.head);
        std::size_t const stated = std::size_t(reply.head.output_bytes + reply.head.error_bytes);
        if (stated > bytes.size() && reply.program.good()) {
            bytes = bytes_of(std::exchange(reply.program, {}).get());
        }
        if (bytes.size() != stated) {
            break;  // not the sizes that the broker stated
        }
        reply.output = bytes.substr(0, std::size_t(reply.head.output_bytes));
        reply.errors = bytes.substr(std::size_t(reply.head.output_bytes));
        std::function<void(broker_reply)> take;
        {
            std::lock_guard const lock(mutex_);
            if (auto const found = open_.find(reply.head.id); found != open_.end()) {
                take = std::move(found->second);
                open_.erase(found);
            }
        }
        if (take) {
            take(std::move(reply));
        }
    }
    // A broker that still runs ends its children and cleans up. One that does not end by itself is killed with its
    // children.
    shutdown(socket, SHUT_RDWR);
    int waited_ms = 0;
    while (waitpid(process_, nullptr, WNOHANG) == 0) {
        if (++waited_ms == 3000) {
            kill(process_, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    lose_all("the broker is gone");
}

void broker_client::lose_all(std::string const& why) {
    std::unordered_map<std::uint64_t, std::function<void(broker_reply)>> lost;
    {
        std::lock_guard const lock(mutex_);
        if (socket_ >= 0) {
            close(socket_);
        }
        socket_ = -1;
        process_ = 0;
        trouble_ = why;
        lost.swap(open_);
    }
    changed_.notify_all();
    for (auto& [id, take] : lost) {
        broker_reply reply;
        reply.lost = true;
        reply.trouble = why;
        take(std::move(reply));
    }
}

}  // namespace optgap::programs
