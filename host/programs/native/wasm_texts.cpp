#include "host/programs/native/wasm.hpp"

namespace optgap::programs {

char const* const wasm_self_test = R"wat(
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_readdir" (func $list (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_create_directory" (func $make (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "sock_accept" (func $accept (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_raise" (func $raise (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $sleep (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environment (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $arguments (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_fdstat_get" (func $describe (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 1024) "refused ALLOWED read    LOST    ")
  (data (i32.const 1100) "read a file\nlist a folder\nwrite a folder\nopen a socket\nsignal others\nwait\nsee an environment\n")
  (data (i32.const 1200) "see arguments\nread the clock of the machine\nmap beyond the limit\ninherit a descriptor\ninput\n")
  (data (i32.const 1400) "3 1 2\n/etc/passwd")
  (func $print (param $from i32) (param $count i32)
    (i32.store (i32.const 0) (local.get $from))
    (i32.store (i32.const 4) (local.get $count))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $say (param $refused i32) (param $from i32) (param $count i32)
    (call $print (select (i32.const 1024) (i32.const 1032) (local.get $refused)) (i32.const 8))
    (call $print (local.get $from) (local.get $count)))
  (func $has_input (result i32)
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (i32.const 32))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (i32.and
      (i32.eq (i32.load (i32.const 8)) (i32.const 6))
      (i32.and (i32.eq (i32.load (i32.const 64)) (i32.load (i32.const 1400)))
               (i32.eq (i32.load16_u (i32.const 68)) (i32.load16_u (i32.const 1404))))))
  (func $inherits (result i32) (local $k i32)
    (local.set $k (i32.const 3))
    (loop $next
      (if (i32.eqz (call $describe (local.get $k) (i32.const 96))) (then (return (i32.const 1))))
      (br_if $next (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 1024))))
    (i32.const 0))
  (func $clock_is_its_own (result i32)
    (drop (call $clock (i32.const 0) (i64.const 1) (i32.const 128)))
    (i64.lt_u (i64.sub (i64.load (i32.const 128)) (i64.const 1700000000000000000)) (i64.const 1000000000)))
  (func (export "_start")
    (if (call $has_input)
      (then (call $print (i32.const 1040) (i32.const 5)))
      (else (call $print (i32.const 1048) (i32.const 5))))
    (call $print (i32.const 1286) (i32.const 6))
    (call $say (call $open (i32.const 3) (i32.const 0) (i32.const 1406) (i32.const 11) (i32.const 0)
                           (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 96)) (i32.const 1100) (i32.const 12))
    (call $say (call $list (i32.const 3) (i32.const 96) (i32.const 32) (i64.const 0) (i32.const 128))
               (i32.const 1112) (i32.const 14))
    (call $say (call $make (i32.const 3) (i32.const 1406) (i32.const 4)) (i32.const 1126) (i32.const 15))
    (call $say (call $accept (i32.const 3) (i32.const 0) (i32.const 96)) (i32.const 1141) (i32.const 14))
    (call $say (call $raise (i32.const 9)) (i32.const 1155) (i32.const 14))
    (call $say (call $sleep (i32.const 160) (i32.const 224) (i32.const 1) (i32.const 96)) (i32.const 1169) (i32.const 5))
    (i32.store (i32.const 96) (i32.const 1))
    (drop (call $environment (i32.const 96) (i32.const 100)))
    (call $say (i32.eqz (i32.load (i32.const 96))) (i32.const 1174) (i32.const 19))
    (i32.store (i32.const 96) (i32.const 1))
    (drop (call $arguments (i32.const 96) (i32.const 100)))
    (call $say (i32.eqz (i32.load (i32.const 96))) (i32.const 1200) (i32.const 14))
    (call $say (call $clock_is_its_own) (i32.const 1214) (i32.const 30))
    (call $say (i32.eq (memory.grow (i32.const 65000)) (i32.const -1)) (i32.const 1244) (i32.const 21))
    (call $say (i32.eqz (call $inherits)) (i32.const 1265) (i32.const 21))))
)wat";

char const* const wasm_cpp_test = R"cpp(
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>
    int main() {
        std::map<int, std::string> seen;
        for (int value = 0; std::cin >> value;) {
            seen[value] += std::to_string(value);
        }
        for (auto const& [value, text] : seen) {
            std::cout << text << ' ';
        }
        std::cout << "sorted\n";
    }
)cpp";
char const* const wasm_cpp_answer = "1 2 3 sorted\n";

// Leaves out headers for threads, signals and files, which wasm32-wasi does not have.
char const* const wasm_header = R"cpp(
#include <algorithm>
#include <any>
#include <array>
#include <bit>
#include <bitset>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cfloat>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <compare>
#include <complex>
#include <concepts>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <exception>
#include <forward_list>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <ranges>
#include <ratio>
#include <set>
#include <span>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>
)cpp";

// A refused allocation is reported as a native program's exception is, and ends the program.
char const* const wasm_support = R"cpp(
#include <cstdlib>
#include <new>
#include <unistd.h>
    void* operator new(std::size_t size) {
        if (void* const found = std::malloc(size == 0 ? 1 : size)) {
            return found;
        }
        static char const said[] = "std::bad_alloc\n";
        write(2, said, sizeof said - 1);
        std::abort();
    }
    void* operator new[](std::size_t size) { return operator new(size); }
    void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return std::malloc(size == 0 ? 1 : size); }
    void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return std::malloc(size == 0 ? 1 : size); }
)cpp";

}  // namespace optgap::programs
