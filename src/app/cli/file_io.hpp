// File I/O: reads and writes whole files and standard input, with errors as values.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace valkyr::app {

/// Largest input that any command takes, bytes.
inline constexpr size_t kMaxInputBytes = size_t{256} << 20;

/// The bytes of a file; "-" reads standard input.
/// errors  System: unreadable; OutOfRange: too large
Result<std::string> read_input(const std::string& path);

/// Writes a file; "-" writes standard output.
/// errors  System
Result<void> write_output(const std::string& path, std::string_view bytes);

/// The input's name in messages: the path, or "<stdin>".
std::string input_name(const std::string& path);

}  // namespace valkyr::app
