#include "tools/cli/problem/hostile_candidates.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace optgap::cli {

std::vector<bad_output> bad_outputs(std::string const& right, std::string const& other, std::int64_t output_kb) {
    std::size_t const most = std::size_t(output_kb) * 1024;
    std::string numbers;
    while (numbers.size() + 2 < most) {
        numbers += "1 ";
    }
    std::vector<bad_output> out{
        {"no output", ""},
        {"blanks", " \n\n\t \r\n"},
        {"words", "The answer is below.\n"},
        {"a score", "score 999999\n"},
        {"zero bytes", std::string(64, '\0')},
        {"bytes that are no text", "\xff\xfe\x80 \xc3\x28\n"},
        {"a huge number", std::string(100'000, '9') + "\n"},
        {"a huge exponent", "1e999999999 nan inf -inf\n"},
        {"a number below zero", "-1\n"},
        {"nested brackets", std::string(100'000, '[')},
        {fmt::format("{} KiB of numbers", output_kb), std::move(numbers)},
        {"one line of all it may print", std::string(most, 'x')},
        {"half of a right output", right.substr(0, right.size() / 2)},
        {"a right output and a score", right + "\nscore 0\n"},
    };
    if (!other.empty()) {
        out.push_back({"a right output to another instance", other});
    }
    return out;
}

std::vector<hostile_candidate> hostile_candidates(std::string_view folder) {
    std::string const place = nlohmann::json(folder).dump();  // a literal of Python as well
    std::string const looking = fmt::format(
        "import os\n"
        "reached = []\n"
        "for place in ({}, '/tmp', '.'):\n"
        "    for name in ('judge.py', 'judge.cpp', 'generator.py', 'generator.cpp', 'problem.toml', 'new'):\n",
        place);
    std::string const end =
        "        except OSError:\n"
        "            pass\n"
        "print('reached' if reached else 'nothing')\n";
    return {
        {"that reads the problem's files",
         looking + "        try:\n            reached.append(open(os.path.join(place, name)).read(1))\n" + end,
         "nothing\n"},
        {"that writes to the judge's files",
         looking + "        try:\n            reached.append(open(os.path.join(place, name), 'a'))\n" + end,
         "nothing\n"},
        {"that starts a process",
         "import os\ntry:\n    os.fork()\n    print('reached')\nexcept OSError:\n    print('nothing')\n", "nothing\n"},
        {"that prints for ever", "while True:\n    print('0 ' * 100000)\n", ""},
        {"that never ends", "while True:\n    pass\n", ""},
        {"that sleeps for ever", "import time\nwhile True:\n    time.sleep(1)\n", ""},
        {"that exits with 3", "import sys\nprint(0)\nsys.exit(3)\n", ""},
        {"that crashes", "import os\nprint(0, flush=True)\nos.abort()\n", ""},
        {"that takes all memory", "blocks = []\nwhile True:\n    blocks.append(bytearray(1 << 26))\n", ""},
    };
}

}  // namespace optgap::cli
