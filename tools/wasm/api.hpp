#pragma once
// The used part of wasmtime's C API, loaded at run time. The library comes from a package of the machine (PyPI's wheel
// `wasmtime` contains it) without headers. The declarations follow the published interface
// (https://docs.wasmtime.dev/c-api/) with the layouts of versions 40 and later. The self-test of the isolation level
// detects a library with other layouts.

#include <cstddef>
#include <cstdint>
#include <string>

namespace optgap::wasm {

// Opaque types.
struct config;
struct engine;
struct store;
struct context;
struct module;
struct linker;
struct caller;
struct trap;
struct failure;
struct value_type;
struct function_type;
struct export_type;
struct instance_pre;

struct byte_vector {
    std::size_t size = 0;
    char* data = nullptr;
};
struct type_vector {
    std::size_t size = 0;
    value_type** data = nullptr;
};
struct export_vector {
    std::size_t size = 0;
    export_type** data = nullptr;
};
struct instance {
    std::uint64_t store_id;
    std::size_t index;
};
struct function {
    std::uint64_t store_id;
    void* index;
};
struct memory {
    std::uint64_t store_id;
    std::uint32_t first, second;
};
struct exported {
    std::uint8_t kind;
    union {
        function as_function;
        memory as_memory;
        std::uint64_t room[3];
    };
};
struct value {
    std::uint8_t kind;
    union {
        std::int32_t i32;
        std::int64_t i64;
        std::uint64_t room[3];
    };
};
static_assert(sizeof(exported) == 32 && sizeof(value) == 32 && sizeof(memory) == 16);

inline constexpr std::uint8_t exported_function = 0, exported_memory = 3;
inline constexpr std::uint8_t kind_i32 = 0, kind_i64 = 1;
inline constexpr std::uint8_t trap_stack = 0, trap_out_of_fuel = 11;

using host_call = trap* (*)(void* environment, caller* from, value const* arguments, std::size_t argument_count,
                            value* results, std::size_t result_count);

/// Every entry is set once `load_api` has returned null, except that wat2wasm may be null.
struct api {
    config* (*config_new)();
    void (*config_fuel)(config*, bool);
    void (*config_parallel)(config*, bool);
    void (*config_nan)(config*, bool);
    void (*config_relaxed_simd)(config*, bool);
    void (*config_cow)(config*, bool);
    void (*config_memory64)(config*, bool);
    void (*config_multi_memory)(config*, bool);
    void (*config_stack)(config*, std::size_t);
    void (*config_async_stack)(config*, std::uint64_t);
    engine* (*engine_new)(config*);
    failure* (*module_new)(engine*, std::uint8_t const*, std::size_t, module**);
    failure* (*module_serialize)(module*, byte_vector*);
    failure* (*module_deserialize)(engine*, std::uint8_t const*, std::size_t, module**);
    store* (*store_new)(engine*, void*, void (*)(void*));
    void (*store_delete)(store*);
    context* (*store_context)(store*);
    void (*store_limiter)(store*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
    failure* (*set_fuel)(context*, std::uint64_t);
    failure* (*get_fuel)(context const*, std::uint64_t*);
    linker* (*linker_new)(engine*);
    failure* (*linker_define)(linker*, char const*, std::size_t, char const*, std::size_t, function_type const*,
                              host_call, void*, void (*)(void*));
    failure* (*linker_check)(linker const*, module const*, instance_pre**);
    failure* (*instantiate)(instance_pre const*, context*, instance*, trap**);
    void (*module_exports)(module const*, export_vector*);
    byte_vector const* (*export_name)(export_type const*);
    bool (*instance_export)(context*, instance const*, char const*, std::size_t, exported*);
    failure* (*call)(context*, function const*, value const*, std::size_t, value*, std::size_t, trap**);
    bool (*caller_export)(caller*, char const*, std::size_t, exported*);
    context* (*caller_context)(caller*);
    std::uint8_t* (*memory_data)(context const*, memory const*);
    std::size_t (*memory_size)(context const*, memory const*);
    trap* (*trap_new)(char const*, std::size_t);
    void (*trap_delete)(trap*);
    bool (*trap_code)(trap const*, std::uint8_t*);
    void (*trap_message)(trap const*, byte_vector*);
    void (*failure_message)(failure const*, byte_vector*);
    void (*failure_delete)(failure*);
    void (*bytes_delete)(byte_vector*);
    value_type* (*value_type_new)(std::uint8_t);
    void (*type_vector_new)(type_vector*, std::size_t, value_type* const*);
    function_type* (*function_type_new)(type_vector*, type_vector*);
    failure* (*text_to_binary)(char const*, std::size_t, byte_vector*);
};

inline constexpr std::size_t module_stack_bytes = std::size_t(64) << 20;

/// Returns null, or the reason of a failure: the path cannot be loaded, or the library lacks an entry.
[[nodiscard]] char const* load_api(char const* path, api& out);
/// Makes an engine whose code counts steps, and gives the same bits on every processor.
[[nodiscard]] engine* make_engine(api const& use);
/// The failure's message; frees it.
[[nodiscard]] std::string text_of(api const& use, failure* what);
[[nodiscard]] inline std::uint8_t const* bytes_of(std::string const& text) {
    return reinterpret_cast<std::uint8_t const*>(text.data());
}

}  // namespace optgap::wasm
