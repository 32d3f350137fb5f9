#include "tools/broker/messages.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace optgap::broker {

using namespace programs::wire;

received receive_request(int socket, request& out, int (&descriptors)[2]) {
    descriptors[0] = descriptors[1] = -1;
    iovec part{&out, sizeof out};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t const got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return received::nothing;
    }
    for (cmsghdr* each = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr; each != nullptr;
         each = CMSG_NXTHDR(&message, each)) {
        if (each->cmsg_level == SOL_SOCKET && each->cmsg_type == SCM_RIGHTS) {
            std::memcpy(descriptors, CMSG_DATA(each), each->cmsg_len - CMSG_LEN(0));
        }
    }
    return got == ssize_t(sizeof out) && out.version == version ? received::one : received::closed;
}

bool send_message(int socket, response const& head, std::string_view payload, int descriptor) {
    iovec parts[2] = {{const_cast<response*>(&head), sizeof head}, {const_cast<char*>(payload.data()), payload.size()}};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    if (descriptor >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr* const rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    }
    ssize_t sent = 0;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

received receive_report(int socket, setup_report& out, pid_t& sender) {
    iovec part{&out, sizeof out};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t const got = recvmsg(socket, &message, MSG_DONTWAIT);
    if (got < 0) {
        return errno == EAGAIN || errno == EINTR ? received::nothing : received::closed;
    }
    cmsghdr const* const first = CMSG_FIRSTHDR(&message);
    if (first != nullptr && first->cmsg_type == SCM_CREDENTIALS) {
        ucred who{};
        std::memcpy(&who, CMSG_DATA(first), sizeof who);
        sender = who.pid;
    }
    return got == ssize_t(sizeof out) ? received::one : received::closed;
}

int sealed_file(void const* bytes, std::size_t count) {
    int const file = memfd_create("bytes", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    for (std::size_t done = 0; file >= 0 && done < count;) {
        ssize_t const wrote = pwrite(file, static_cast<char const*>(bytes) + done, count - done, off_t(done));
        if (wrote <= 0) {
            int const problem = errno;
            close(file);
            errno = problem;
            return -1;
        }
        done += std::size_t(wrote);
    }
    if (file >= 0) {
        fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    }
    return file;
}

int reopen_for_reading(int descriptor) {
    char name[48];
    std::snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    int const own = open(name, O_RDONLY | O_CLOEXEC);
    return own >= 0 ? own : fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

}  // namespace optgap::broker
