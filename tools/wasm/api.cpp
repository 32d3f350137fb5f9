#include "tools/wasm/api.hpp"

#include <dlfcn.h>

namespace optgap::wasm {
namespace {

template <class Entry>
bool find_entry(void* library, char const* name, Entry& out) {
    out = reinterpret_cast<Entry>(dlsym(library, name));
    return out != nullptr;
}

}  // namespace

char const* load_api(char const* path, api& out) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        return dlerror();
    }
    static_cast<void>(find_entry(library, "wasmtime_wat2wasm", out.text_to_binary));  // missing in some builds
    bool const whole = find_entry(library, "wasm_config_new", out.config_new) &&
                       find_entry(library, "wasmtime_config_consume_fuel_set", out.config_fuel) &&
                       find_entry(library, "wasmtime_config_parallel_compilation_set", out.config_parallel) &&
                       find_entry(library, "wasmtime_config_cranelift_nan_canonicalization_set", out.config_nan) &&
                       find_entry(library, "wasmtime_config_wasm_relaxed_simd_set", out.config_relaxed_simd) &&
                       find_entry(library, "wasmtime_config_memory_init_cow_set", out.config_cow) &&
                       find_entry(library, "wasmtime_config_wasm_memory64_set", out.config_memory64) &&
                       find_entry(library, "wasmtime_config_wasm_multi_memory_set", out.config_multi_memory) &&
                       find_entry(library, "wasmtime_config_max_wasm_stack_set", out.config_stack) &&
                       find_entry(library, "wasmtime_config_async_stack_size_set", out.config_async_stack) &&
                       find_entry(library, "wasm_engine_new_with_config", out.engine_new) &&
                       find_entry(library, "wasmtime_module_new", out.module_new) &&
                       find_entry(library, "wasmtime_module_serialize", out.module_serialize) &&
                       find_entry(library, "wasmtime_module_deserialize", out.module_deserialize) &&
                       find_entry(library, "wasmtime_store_new", out.store_new) &&
                       find_entry(library, "wasmtime_store_delete", out.store_delete) &&
                       find_entry(library, "wasmtime_store_context", out.store_context) &&
                       find_entry(library, "wasmtime_store_limiter", out.store_limiter) &&
                       find_entry(library, "wasmtime_context_set_fuel", out.set_fuel) &&
                       find_entry(library, "wasmtime_context_get_fuel", out.get_fuel) &&
                       find_entry(library, "wasmtime_linker_new", out.linker_new) &&
                       find_entry(library, "wasmtime_linker_define_func", out.linker_define) &&
                       find_entry(library, "wasmtime_linker_instantiate_pre", out.linker_check) &&
                       find_entry(library, "wasmtime_instance_pre_instantiate", out.instantiate) &&
                       find_entry(library, "wasmtime_module_exports", out.module_exports) &&
                       find_entry(library, "wasm_exporttype_name", out.export_name) &&
                       find_entry(library, "wasmtime_instance_export_get", out.instance_export) &&
                       find_entry(library, "wasmtime_func_call", out.call) &&
                       find_entry(library, "wasmtime_caller_export_get", out.caller_export) &&
                       find_entry(library, "wasmtime_caller_context", out.caller_context) &&
                       find_entry(library, "wasmtime_memory_data", out.memory_data) &&
                       find_entry(library, "wasmtime_memory_data_size", out.memory_size) &&
                       find_entry(library, "wasmtime_trap_new", out.trap_new) &&
                       find_entry(library, "wasm_trap_delete", out.trap_delete) &&
                       find_entry(library, "wasmtime_trap_code", out.trap_code) &&
                       find_entry(library, "wasm_trap_message", out.trap_message) &&
                       find_entry(library, "wasmtime_error_message", out.failure_message) &&
                       find_entry(library, "wasmtime_error_delete", out.failure_delete) &&
                       find_entry(library, "wasm_byte_vec_delete", out.bytes_delete) &&
                       find_entry(library, "wasm_valtype_new", out.value_type_new) &&
                       find_entry(library, "wasm_valtype_vec_new", out.type_vector_new) &&
                       find_entry(library, "wasm_functype_new", out.function_type_new);
    return whole ? nullptr : "an entry of the C interface is missing: another version of wasmtime";
}

engine* make_engine(api const& use) {
    config* const wanted = use.config_new();
    use.config_fuel(wanted, true);
    use.config_parallel(wanted, false);  // starts no thread
    use.config_cow(wanted, false);       // it would need a file in memory
    use.config_nan(wanted, true);        // gives the same bits on every processor
    use.config_relaxed_simd(wanted, false);
    use.config_memory64(wanted, false);
    use.config_multi_memory(wanted, false);
    use.config_async_stack(wanted, module_stack_bytes + (std::size_t(1) << 20));
    use.config_stack(wanted, module_stack_bytes);
    return use.engine_new(wanted);
}

std::string text_of(api const& use, failure* what) {
    byte_vector message;
    use.failure_message(what, &message);
    std::string out(message.data, message.size);
    use.bytes_delete(&message);
    use.failure_delete(what);
    return out;
}

}  // namespace optgap::wasm
