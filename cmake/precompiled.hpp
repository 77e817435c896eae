// Precompiled header: includes what most files of all rooms include.
// SPDX-License-Identifier: MIT
//
// Files include what they need by themselves, too: not every build has this header. Headers that
// change often do not belong here, because a change of one compiles everything again.
#pragma once

#include "base/bits.hpp"          // IWYU pragma: export
#include "base/caught_error.hpp"  // IWYU pragma: export
#include "base/check.hpp"         // IWYU pragma: export
#include "base/float_bits.hpp"    // IWYU pragma: export
#include "base/result.hpp"        // IWYU pragma: export
#include "exec/abi.hpp"           // IWYU pragma: export

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
