// Sanitizers: says with which of them this code is compiled.
// SPDX-License-Identifier: MIT
#pragma once

namespace valkyr {

// GCC defines names, Clang answers __has_feature().
#if defined(__has_feature)
#define VALKYR_HAS_FEATURE(name) __has_feature(name)
#else
#define VALKYR_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || VALKYR_HAS_FEATURE(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || VALKYR_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

#undef VALKYR_HAS_FEATURE

}  // namespace valkyr
