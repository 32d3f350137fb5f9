#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace optgap::testing {

/// Words on a 64-byte boundary that initially contain garbage.
class garbage_words {
public:
    explicit garbage_words(std::int64_t count)
        : count_(count),
          words_(static_cast<std::int32_t*>(std::aligned_alloc(64, std::size_t(count / 16 + 1) * 64)), std::free) {
        spoil();
    }
    [[nodiscard]] std::int32_t* get() const { return words_.get(); }
    void spoil() const { std::fill_n(words_.get(), count_, std::int32_t(0xC3C3C3C3u)); }

private:
    std::int64_t count_;
    std::unique_ptr<std::int32_t, void (*)(void*)> words_;
};

}  // namespace optgap::testing
