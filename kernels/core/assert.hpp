#pragma once
// OPTGAP_ASSERT states what only a bug of ours can break. Bad input never reaches an assert: it is a verdict or an
// error.

#include <cassert>

#ifdef OPTGAP_CHECKED
#define OPTGAP_ASSERT(condition) assert(condition)
#else
#define OPTGAP_ASSERT(condition) ((void)0)
#endif
