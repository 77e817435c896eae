// File I/O: reads and writes whole files and standard input, with errors as values.
// SPDX-License-Identifier: MIT
#include "app/cli/file_io.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace valkyr::app {

namespace {

struct FileCloser {
    void operator()(std::FILE* file) const {
        if (file != stdin && file != stdout)
            std::fclose(file);
    }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

Error system_error(const std::string& path) {
    return Error{Errc::System, {}, input_name(path) + ": " + std::strerror(errno)};
}

}  // namespace

std::string input_name(const std::string& path) {
    return path == "-" ? "<stdin>" : path;
}

Result<std::string> read_input(const std::string& path) {
    const File file{path == "-" ? stdin : std::fopen(path.c_str(), "rb")};
    if (!file)
        return system_error(path);
    std::string bytes;
    char chunk[65536];
    for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, file.get())) != 0;) {
        bytes.append(chunk, n);
        if (bytes.size() > kMaxInputBytes)
            return Error{Errc::OutOfRange, {}, input_name(path) + ": larger than 256 MiB"};
    }
    if (std::ferror(file.get()))
        return system_error(path);
    return bytes;
}

Result<void> write_output(const std::string& path, std::string_view bytes) {
    File file{path == "-" ? stdout : std::fopen(path.c_str(), "wb")};
    if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
        return system_error(path);
    if (file.get() != stdout && std::fclose(file.release()) != 0)
        return system_error(path);
    return {};
}

}  // namespace valkyr::app
