#pragma once
// A program within the broker's executable, so that a native one needs no compiler. Started as `program`, it tries what
// no program may do, and prints a line for each attempt. An isolation level is trusted only when all lines begin with
// "refused".

namespace optgap::broker {

[[nodiscard]] int self_test();

}  // namespace optgap::broker
