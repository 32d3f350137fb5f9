// The file system of a file.

#include <sys/vfs.h>

#include "host/sqlite/sqlite.hpp"

namespace optgap::sqlite {

std::string_view network_name(std::uint64_t magic) {
    // statfs(2), and the file systems' own headers.
    constexpr std::pair<std::uint64_t, std::string_view> names[] = {
        {0x6969, "NFS"},      {0x0BD00BD0, "Lustre"}, {0x47504653, "GPFS"}, {0xFF534D42, "CIFS"}, {0xFE534D42, "SMB2"},
        {0x00C36400, "Ceph"}, {0x19830326, "BeeGFS"}, {0x65735546, "FUSE"}, {0x01021997, "9p"}};
    for (auto const& [known, name] : names) {
        if (known == magic) {
            return name;
        }
    }
    return {};
}

std::string network_file_system(std::string const& path) {
    struct statfs found {};
    if (statfs(path.c_str(), &found) != 0) {
        std::size_t const slash = path.rfind('/');
        std::string const folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
        if (statfs(folder.c_str(), &found) != 0) {
            return {};
        }
    }
    return std::string(network_name(std::uint32_t(found.f_type)));
}

}  // namespace optgap::sqlite
