#include "tools/cli/rows/files/packed_file.hpp"

#include <algorithm>
#include <limits>

#ifdef OPTGAP_WITH_ZLIB
#include <zlib.h>
#endif

#include "optgap/status.hpp"

namespace optgap::cli {

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

#ifdef OPTGAP_WITH_ZLIB

namespace {

constexpr std::size_t max_unpacked = std::size_t(1) << 30;

[[noreturn]] void refuse(char const* rule) { throw field_error("the file", rule); }

/// zlib's state, which its end frees.
struct inflater {
    z_stream stream = {};
    inflater() {
        constexpr int gzip_only = 16 + MAX_WBITS;
        if (inflateInit2(&stream, gzip_only) != Z_OK) {
            refuse("zlib has no memory to unpack it");
        }
    }
    ~inflater() { inflateEnd(&stream); }
    inflater(inflater const&) = delete;
    inflater& operator=(inflater const&) = delete;
};

}  // namespace

std::string unpacked(std::string bytes) {
    if (!is_gzip(bytes)) {
        return bytes;
    }
    std::string text;
    std::size_t used = 0;
    while (is_gzip(std::string_view(bytes).substr(used))) {
        inflater member;
        for (int status = Z_OK; status != Z_STREAM_END;) {
            std::size_t const held = text.size();
            text.resize(std::min(std::max(std::size_t(1) << 16, 2 * held), max_unpacked + 1));
            std::size_t const given = std::min<std::size_t>(bytes.size() - used, std::numeric_limits<uInt>::max());
            member.stream.next_in = reinterpret_cast<Bytef*>(bytes.data() + used);
            member.stream.avail_in = uInt(given);
            member.stream.next_out = reinterpret_cast<Bytef*>(text.data() + held);
            member.stream.avail_out = uInt(text.size() - held);
            status = inflate(&member.stream, Z_NO_FLUSH);
            used += given - member.stream.avail_in;
            text.erase(text.size() - std::min<std::size_t>(member.stream.avail_out, text.size()));
            if (text.size() > max_unpacked) {
                refuse("it is packed by gzip and unpacks to more than 1 GiB");
            }
            if (status == Z_BUF_ERROR || (status == Z_OK && used == bytes.size() && member.stream.avail_out > 0)) {
                refuse("it is packed by gzip and cut: it ends before its text does");
            }
            if (status != Z_OK && status != Z_STREAM_END) {
                refuse("it begins as gzip does, but is broken");
            }
        }
    }
    if (std::string_view(bytes).find_first_not_of('\0', used) != std::string_view::npos) {
        refuse("it is packed by gzip, and further bytes stand behind");
    }
    return text;
}

#else

std::string unpacked(std::string bytes) {
    if (is_gzip(bytes)) {
        throw field_error(
            "the file",
            "it is packed by gzip, which this build cannot unpack: expected zlib1g-dev (tools/setup.sh) when "
            "it was built, or the text of zcat FILE");
    }
    return bytes;
}

#endif

std::string_view without_mark(std::string_view text) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
        throw field_error("line 1", "the file is UTF-16: expected ASCII or UTF-8");
    }
    text.remove_prefix(text.starts_with("\xef\xbb\xbf") ? 3 : 0);
    return text;
}

}  // namespace optgap::cli
