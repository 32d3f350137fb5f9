#pragma once
// Calls and results as bytes: one encoding for each type of input, in the order that a call's `fields` name them, and
// one for each type of result. Values that are used as an index are copied and checked, since a request may come from
// any program.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/remote/wire.hpp"
#include "optgap/engine.hpp"

namespace optgap::serve {

/// Owns the data that a decoded call borrows.
class keeper {
public:
    template <class T>
    T const& keep(T value) {
        auto kept = std::make_shared<T const>(std::move(value));
        kept_.push_back(kept);
        return *kept;
    }

private:
    std::vector<std::shared_ptr<void const>> kept_;
};

/// Throws wire_error for an enumerator or a size that loops and switches rely on; the rest is numbers.
void check(baseline const& row);
void check(finish how);
void check(reward_spec const& reward);
template <class T>
void check(T const&) {}

/// Throws wire_error unless the offsets fit the words.
csr_words take_rows(reader& in);
/// Checks the rows alone, not the instances' own rules.
instance_batch take_instances(reader& in);
std::vector<format_spec> take_formats(reader& in);
/// Checks the entries, but not that there is one for each task.
reward_rules take_rules(reader& in);

// Inputs: numbers and structs of numbers, arrays of them, and other types.

template <class T>
struct codec {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    static void put(auto& out, T const& value) { out.one(value); }
    static void take(reader& in, keeper&, T& value) {
        value = in.one<T>();
        check(value);
    }
};

template <class T>
struct codec<std::span<T const>> {
    static void put(auto& out, std::span<T const> values) { out.array(values); }
    static void take(reader& in, keeper& memory, std::span<T const>& values) {
        values = memory.keep(in.array<T>());
        for (T const& value : values) {
            check(value);
        }
    }
};

template <>
struct codec<csr_view> {
    static void put(auto& out, csr_view rows) {
        if (rows.rows == 0) {
            std::int64_t const none = 0;
            out.array(std::span(&none, 1));
            out.array(std::span<std::int32_t const>());
            return;
        }
        std::span<std::int64_t const> const ends(rows.offsets, std::size_t(rows.rows) + 1);
        if (ends[0] == 0) {
            out.array(ends);
        } else {
            std::vector<std::int64_t> rebased(ends.begin(), ends.end());
            for (std::int64_t& end : rebased) {
                end -= ends[0];
            }
            out.array(std::span<std::int64_t const>(rebased));
        }
        out.array(std::span(rows.words + ends[0], std::size_t(ends.back() - ends[0])));
    }
    static void take(reader& in, keeper& memory, csr_view& rows) { rows = memory.keep(take_rows(in)).view(); }
};

template <>
struct codec<instance_view> {
    static void put(auto& out, instance_view instances) {
        out.array(std::span(instances.task, std::size_t(instances.blocks.rows)));
        codec<csr_view>::put(out, instances.blocks);
    }
    static void take(reader& in, keeper& memory, instance_view& instances) {
        instances = memory.keep(take_instances(in)).view();
    }
};

template <>
struct codec<reward_rules> {
    static void put(auto& out, reward_rules const& rules) {
        out.array(std::span<reward_spec const>(rules.specs));
        out.array(std::span<std::int32_t const>(rules.of_task));
    }
    static void take(reader& in, keeper&, reward_rules& rules) { rules = take_rules(in); }
};

/// Borrowed from the bytes they are read from.
template <>
struct codec<std::span<std::string_view const>> {
    static void put(auto& out, std::span<std::string_view const> texts) { out.texts(texts); }
    static void take(reader& in, keeper& memory, std::span<std::string_view const>& texts) {
        texts = memory.keep(in.texts());
    }
};

inline void put_text(auto& out, std::string_view text) { out.array(std::span<char const>(text.data(), text.size())); }

/// The name by which the other side knows it, or nullptr.
format_spec const* named_format(format_spec const& format);

template <>
struct codec<std::span<format_spec const>> {
    /// A named format by its name, any other by its fields.
    static void put_one(auto& out, format_spec const& format) {
        bool const named = named_format(format) != nullptr;
        out.one(std::uint32_t(named ? 1 : 0));
        put_text(out, format.name);
        if (named) {
            return;
        }
        put_text(out, format.answer_open);
        put_text(out, format.answer_close);
        out.one(format.place);
        out.one(format.reasoning);
        out.one(format.tail);
        out.one(format.spelling);
        out.one(std::uint32_t(format.opened_in_prompt ? 1 : 0));
        out.one(std::uint64_t(format.markers.size()));
        for (reasoning_markers const& pair : format.markers) {
            put_text(out, pair.open);
            put_text(out, pair.close);
            out.one(std::uint32_t(pair.at_start ? 1 : 0));
        }
        out.one(std::uint64_t(format.ends.size()));
        for (std::string const& end : format.ends) {
            put_text(out, end);
        }
        out.one(std::uint32_t(format.one_block ? 1 : 0));
        out.one(std::uint32_t(format.untagged ? 1 : 0));
    }
    static void put(auto& out, std::span<format_spec const> formats) {
        out.one(std::uint64_t(formats.size()));
        for (format_spec const& format : formats) {
            put_one(out, format);
        }
    }
    static void take(reader& in, keeper& memory, std::span<format_spec const>& formats) {
        formats = memory.keep(take_formats(in));
    }
};

template <class Call>
void put_call(auto& out, Call const& call) {
    std::apply([&](auto const&... field) { (codec<std::remove_cvref_t<decltype(field)>>::put(out, field), ...); },
               Call::fields(call));
}
/// Throws wire_error unless the bytes hold such a call and nothing else.
template <class Call>
Call take_call(reader& in, keeper& memory) {
    Call call;
    std::apply([&](auto&... field) { (codec<std::remove_cvref_t<decltype(field)>>::take(in, memory, field), ...); },
               Call::fields(call));
    in.end();
    return call;
}

// Results. Each `take_result` throws wire_error unless there are `rows` rows of everything.

template <class T>
void put_result(auto& out, std::vector<T> const& found) {
    out.array(std::span<T const>(found));
}
void put_result(auto& out, csr_words const& found) { codec<csr_view>::put(out, found.view()); }
void put_result(auto& out, instance_batch const& found) { codec<instance_view>::put(out, found.view()); }
void put_result(auto& out, solved_batch const& found) {
    put_result(out, found.rows);
    put_result(out, found.answers);
}
void put_result(auto& out, improved_batch const& found) {
    put_result(out, found.start_objective);
    put_result(out, found.objective);
    put_result(out, found.moves);
    out.one(found.evaluations);
    put_result(out, found.answers);
}
void put_result(auto& out, grade_batch const& found) {
    put_result(out, found.rows);
    put_result(out, found.verdicts);
    put_result(out, found.parsed);
    put_result(out, found.format_codes);
    put_result(out, found.answers);
    put_result(out, found.beaten);
    out.one(found.seconds);
}

[[noreturn]] void refuse_rows(std::size_t found, std::size_t expected);

template <class T>
void take_result(reader& in, std::size_t rows, std::vector<T>& found) {
    found = in.array<T>();
    if (found.size() != rows) {
        refuse_rows(found.size(), rows);
    }
}
void take_result(reader& in, std::size_t rows, csr_words& found);
void take_result(reader& in, std::size_t rows, instance_batch& found);
void take_result(reader& in, std::size_t rows, solved_batch& found);
void take_result(reader& in, std::size_t rows, improved_batch& found);
void take_result(reader& in, std::size_t rows, grade_batch& found);

}  // namespace optgap::serve
