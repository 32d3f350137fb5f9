#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::size_t sizes[3] = {};  // bytes of input, output, expected output
    std::cin >> sizes[0] >> sizes[1] >> sizes[2];
    std::cin.get();
    std::string input(sizes[0], ' '), output(sizes[1], ' ');
    std::cin.read(input.data(), std::streamsize(sizes[0])).read(output.data(), std::streamsize(sizes[1]));
    std::istringstream given(input), printed(output);
    std::size_t jobs = 0, machines = 0, machine = 0;
    given >> jobs >> machines;
    std::vector<long> end(machines);
    for (long length = 0; given >> length; end[machine] += length) {
        if (!(printed >> machine) || machine >= machines)
            return std::puts("wrong expected a machine for each job"), 0;
    }
    if (std::string more; printed >> more)
        return std::puts("wrong expected no more than that"), 0;
    std::printf("score %ld\n", *std::max_element(end.begin(), end.end()));
}
