#include "host/remote/socket.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "optgap/status.hpp"

namespace optgap::serve {

namespace {

constexpr std::size_t max_descriptors = 8;  ///< that a message is read with; one is right

bool address_of(std::string const& path, sockaddr_un& address) {
    if (path.empty() || path.size() >= sizeof address.sun_path) {
        return false;
    }
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return true;
}

std::string too_long(std::string const& path) {
    return "server: the path '" + path + "' has " + std::to_string(path.size()) + " bytes, a Unix socket's has 1 to " +
           std::to_string(sizeof(sockaddr_un::sun_path) - 1);
}

descriptor new_socket() { return descriptor(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

}  // namespace

std::string default_path() {
    char const* const runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime != nullptr && *runtime == '/') {
        return std::string(runtime) + "/optgap/serve.sock";
    }
    return "/tmp/optgap-" + std::to_string(geteuid()) + "/serve.sock";
}

bool trusted_folder(std::string const& path, std::string& why) {
    std::string const folder = path.substr(0, path.rfind('/'));
    struct stat about {};
    if (lstat(folder.c_str(), &about) != 0) {
        why = folder + ": " + std::strerror(errno);
        return false;
    }
    if (!S_ISDIR(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & 077) != 0) {
        why = folder + " is not a folder of this user's alone (owner " + std::to_string(about.st_uid) +
              ", expected mode 0700)";
        return false;
    }
    return true;
}

descriptor connect_to(std::string const& path, std::string& why) {
    sockaddr_un address{};
    if (!address_of(path, address)) {
        why = too_long(path);
        return descriptor();
    }
    descriptor socket = new_socket();
    if (!socket || ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        why = path + ": " + std::strerror(errno);
        return descriptor();
    }
    return socket;
}

descriptor listen_at(std::string const& path) {
    sockaddr_un address{};
    if (!address_of(path, address)) {
        throw error(status::invalid_argument, too_long(path));
    }
    descriptor socket = new_socket();
    if (!socket || ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::chmod(path.c_str(), 0600) != 0 || ::listen(socket.get(), 128) != 0) {
        throw error(status::invalid_argument, "server: cannot listen at " + path + ": " + std::strerror(errno));
    }
    return socket;
}

peer peer_of(descriptor const& socket) {
    ucred found{};
    socklen_t size = sizeof found;
    if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &found, &size) != 0) {
        return {};
    }
    return {found.pid, found.uid};
}

arrival receive(descriptor const& socket, void* message, std::size_t size, descriptor& attached,
                std::chrono::milliseconds wait) {
    attached.reset();
    pollfd ready{socket.get(), POLLIN, 0};
    int count = 0;
    do {
        count = ::poll(&ready, 1, wait.count() < 0 ? -1 : int(wait.count()));
    } while (count < 0 && errno == EINTR && wait.count() < 0);
    if (count <= 0) {
        return arrival::nothing;
    }
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * max_descriptors)] = {};
    iovec part{message, size};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    ssize_t got = ::recvmsg(socket.get(), &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0 && errno == ECONNRESET) {
        // The error comes once, when the other end closed with data unread; what it sent before can be read next.
        got = ::recvmsg(socket.get(), &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    }
    if (got < 0) {
        return errno == EAGAIN || errno == EINTR ? arrival::nothing : arrival::ended;
    }
    std::size_t descriptors = 0;
    for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        std::size_t const here = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < here; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
            attached.reset(fd);  // closes the one before
            ++descriptors;
        }
    }
    if (got == 0 && descriptors == 0) {
        return arrival::ended;
    }
    bool const cut = (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    return std::size_t(got) == size && !cut && descriptors <= 1 ? arrival::whole : arrival::wrong;
}

bool send(descriptor const& socket, void const* message, std::size_t size, int attached) {
    iovec part{const_cast<void*>(message), size};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (attached >= 0) {
        header.msg_control = control;
        header.msg_controllen = sizeof control;
        cmsghdr* const c = CMSG_FIRSTHDR(&header);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(c), &attached, sizeof attached);
    }
    ssize_t sent = 0;
    do {
        sent = ::sendmsg(socket.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent == ssize_t(size);
}

}  // namespace optgap::serve
