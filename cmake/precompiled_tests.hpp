// Precompiled header of tests: includes what most of them include.
// SPDX-License-Identifier: MIT
#pragma once

#include "cmake/precompiled.hpp"  // IWYU pragma: export

#include <doctest/doctest.h>
#include <random>
