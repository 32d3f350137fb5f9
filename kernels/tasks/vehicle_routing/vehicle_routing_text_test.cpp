// Prompts of given distances, which no generator draws.

#include "kernels/text/task_text.hpp"
#include "tests/support/wide_proofs.hpp"

extern optgap::task_text const optgap_text_vehicle_routing;

namespace optgap {
namespace {

TEST(vehicle_routing, no_prompt_of_given_distances_speaks_of_points) {
    testing::wide_block const given{3, 5, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0, 11, 12, 11, 0, 13, 12, 13, 0};
    for (std::int32_t style = 0; style < optgap_text_vehicle_routing.styles; ++style) {
        std::string const text = optgap_text_vehicle_routing.prompt(testing::wide_view(given), style, {});
        for (char const* const word : {"point", "Point", "Euclid", "coordinate"}) {
            EXPECT_EQ(text.find(word), std::string::npos) << text;
        }
        for (char const* const number : {"11", "12", "13"}) {
            EXPECT_NE(text.find(number), std::string::npos) << text;
        }
    }
    EXPECT_NE(optgap_text_vehicle_routing.picture(testing::wide_view(given), {}).find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace optgap
