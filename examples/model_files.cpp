// Model files: reads a model, its libraries and its pictures from a folder.
// SPDX-License-Identifier: MIT
#include "examples/model.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace valkyr::examples {

namespace fs = std::filesystem;

namespace {

Error system_error(const std::string& what) {
    return {Errc::System, {}, what};
}

}  // namespace

Result<std::string>
read_model_file(const std::string& path, uint64_t limit, const Progress& progress) {
    std::error_code error;
    if (!fs::exists(path, error))
        return system_error("no such file");
    if (!fs::is_regular_file(path, error))
        return system_error("not a regular file");
    const uint64_t size = fs::file_size(path, error);
    if (size > limit)
        return Error{Errc::OutOfRange, {}, "larger than " + std::to_string(limit) + " bytes"};
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    constexpr uint64_t kPiece = uint64_t{4} << 20;
    for (uint64_t at = 0; at < size; at += kPiece) {
        const auto piece = static_cast<std::streamsize>(std::min(kPiece, size - at));
        if (!file.read(text.data() + at, piece))
            return system_error("cannot be read");
        if (progress)
            progress("reading", static_cast<double>(at) / static_cast<double>(size));
    }
    return text;
}

namespace {

/// Reads a picture from a regular file.
Result<Image> read_picture(const std::string& path, uint32_t limit) {
    std::error_code error;
    if (!fs::exists(path, error))
        return system_error(path + ": no such file");
    if (!fs::is_regular_file(path, error))
        return system_error(path + ": not a regular file");
    return read_image(path, limit);
}

}  // namespace

Result<Model>
load_model(const std::string& path, const Progress& progress, const ModelLimits& limits) {
    VALKYR_TRY(text, read_model_file(path, limits.file_bytes, progress));
    const fs::path folder = fs::path(path).parent_path();
    ModelFiles files;
    files.library = [&](const std::string& name, uint64_t limit) {
        return read_model_file((folder / name).string(), limit, {});
    };
    files.picture = [&](const std::string& name, uint32_t limit) {
        return read_picture((folder / name).string(), limit);
    };
    return read_model(std::move(text), files, progress, limits);
}

}  // namespace valkyr::examples
