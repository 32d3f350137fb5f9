#pragma once  // Stable.
// Everything: #include <optgap/optgap.hpp>. No CUDA header is reachable from here.

#include "optgap/advantage.hpp"
#include "optgap/answer.hpp"
#include "optgap/baseline.hpp"
#include "optgap/batch.hpp"
#include "optgap/curriculum.hpp"
#include "optgap/difficulty.hpp"
#include "optgap/engine.hpp"
#include "optgap/fork.hpp"
#include "optgap/format.hpp"
#include "optgap/key.hpp"
#include "optgap/reward.hpp"
#include "optgap/run_record.hpp"
#include "optgap/scheduler.hpp"
#include "optgap/statistics.hpp"
#include "optgap/status.hpp"
#include "optgap/verdict.hpp"
