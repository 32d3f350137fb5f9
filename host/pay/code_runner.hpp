#pragma once
// What runs in the sandbox: a Python program that reads {"code", "texts", "strikes", "text_ms"} as JSON and writes a
// line of JSON for each text, [1 or 0, why not].

namespace optgap::programs {

extern char const* const code_runner_source;

}  // namespace optgap::programs
