// Scene files: text to Case.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/conform/case.hpp"

#include <functional>
#include <string_view>

namespace valkyr::conform {

// Limits of the memory that a hostile file may make the reader allocate.
inline constexpr size_t kMaxSceneBytes = size_t{1} << 20;
inline constexpr uint64_t kMaxTextureBytesTotal = uint64_t{32} << 20;
inline constexpr uint32_t kMaxTargetSize = 1024;
inline constexpr uint32_t kMaxDrawVertices = 1U << 18;  ///< count times instances
inline constexpr size_t kMaxCommands = 1024;
inline constexpr size_t kMaxResources = 256;  ///< of each kind

struct ParsedCase {
    Case scene;                 ///< complete only if `errors` is empty
    std::vector<Error> errors;  ///< in the order of the text, at most Diagnostics::kMaxErrors
    [[nodiscard]] bool ok() const { return errors.empty(); }
};

/// Gives the text of a shader file by its path relative to the suite's directory.
using LoadFile = std::function<Result<std::string>(const std::string& path)>;

/// Reads a scene. Grammar and meaning: docs/guide/conformance.md. Only relative paths without ".."
/// are passed to `load`.
ParsedCase parse_case(std::string_view text, const LoadFile& load);

}  // namespace valkyr::conform
