#pragma once
// The broker's executable as a program that it runs itself: a native one that needs no compiler. Started as `program`,
// it tries what no program may do, and prints a line for each: the ladder believes a rung only when all say "refused".

namespace optgap::broker {

[[nodiscard]] int self_test();

}  // namespace optgap::broker
