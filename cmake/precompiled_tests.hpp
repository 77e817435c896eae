// Precompiled header of tests: includes what most tests include.
// SPDX-License-Identifier: MIT
#pragma once

#include "cmake/precompiled.hpp"  // IWYU pragma: export

#include <doctest/doctest.h>
#include <random>
