#pragma once
// OPTGAP_ASSERT states what only a bug in this code can break. Bad input never reaches an assert: it becomes a verdict
// or an error.

#include <cassert>

#ifdef OPTGAP_CHECKED
#define OPTGAP_ASSERT(condition) assert(condition)
#else
#define OPTGAP_ASSERT(condition) ((void)0)
#endif
