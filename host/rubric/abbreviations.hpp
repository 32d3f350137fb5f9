#pragma once
// Words whose full stop does not end a sentence, for the sentence splitter `plain` (lower case, without the last stop).

#include <string_view>

namespace optgap::rubrics {

inline constexpr std::string_view abbreviations[] = {
    "mr",  "mrs", "ms",  "dr",  "prof", "sr",  "jr",  "st",   "rev",  "gen",    "col", "capt", "lt",  "sgt",
    "gov", "sen", "rep", "hon", "pres", "inc", "ltd", "co",   "corp", "vs",     "etc", "e.g",  "i.e", "cf",
    "al",  "fig", "eq",  "ave", "vol",  "pp",  "ed",  "dept", "est",  "approx", "a.m", "p.m",
};

}  // namespace optgap::rubrics
