#pragma once
// A Python program for the sandbox. It reads {"code", "texts", "strikes", "text_ms"} as JSON and writes a line of JSON
// for each text, [1 or 0, reason].

namespace optgap::programs {

extern char const* const code_runner_source;

}  // namespace optgap::programs
