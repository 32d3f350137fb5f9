#include "host/rubric/content/python_case.hpp"

namespace optgap::rubrics {

char32_t ignorecase_class(char32_t point) {
    if (point < 0x80) {
        return point >= 'A' && point <= 'Z' ? point + 32 : point;
    }
    char32_t const lower = point == 0x130 ? U'i' : simple_lower(point);
    switch (lower) {
        case 0xB5: return 0x3BC;
        case 0x131: return U'i';
        case 0x17F: return U's';
        case 0x345:
        case 0x1FBE: return 0x3B9;
        case 0x3C2: return 0x3C3;
        case 0x3D0: return 0x3B2;
        case 0x3D1: return 0x3B8;
        case 0x3D5: return 0x3C6;
        case 0x3D6: return 0x3C0;
        case 0x3F0: return 0x3BA;
        case 0x3F1: return 0x3C1;
        case 0x3F5: return 0x3B5;
        case 0x1C80: return 0x432;
        case 0x1C81: return 0x434;
        case 0x1C82: return 0x43E;
        case 0x1C83: return 0x441;
        case 0x1C84:
        case 0x1C85: return 0x442;
        case 0x1C86: return 0x44A;
        case 0x1C87: return 0x463;
        case 0x1C88: return 0xA64B;
        case 0x1E9B: return 0x1E61;
        case 0x1FD3: return 0x390;
        case 0x1FE3: return 0x3B0;
        case 0xFB06: return 0xFB05;
        default: return lower;
    }
}

bool has_own_lower_case(char32_t point) {
    // U+0130 becomes two code points, and a capital sigma becomes one of two letters.
    return point >= 0x80 && (point == 0x130 || point == 0x3A3 || simple_lower(point) != ignorecase_class(point));
}

}  // namespace optgap::rubrics
