// gtest's main, except that no test is no success: a filter that matches none, or OPTGAP_REQUIRE=cuda with every test
// skipped.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    int const code = RUN_ALL_TESTS();
    ::testing::UnitTest const& all = *::testing::UnitTest::GetInstance();
    if (GTEST_FLAG_GET(list_tests)) {
        return code;
    }
    bool const skipped =
        all.skipped_test_count() == all.test_to_run_count() && std::getenv("OPTGAP_REQUIRE") != nullptr;
    if (all.test_to_run_count() == 0 || skipped) {
        std::fprintf(stderr, "no test ran: %s\n", skipped ? "all were skipped" : "the filter matches none");
        return 1;
    }
    return code;
}
