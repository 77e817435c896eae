// Host listing: records the text, offset and Valhall word of every host instruction.
// SPDX-License-Identifier: MIT
#include "jit/code/listing.hpp"

#include <cstring>
#include <new>
#include <string_view>

namespace valkyr::jit {

asmjit::Error ListingLogger::_log(const char* data, size_t size) noexcept {
    std::string_view text(data, size == SIZE_MAX ? std::strlen(data) : size);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    try {
        if (!text.empty())
            lines_.push_back({word_index_, assembler_.offset(), std::string(text)});
    } catch (const std::bad_alloc&) {
        incomplete_ = true;
    }
    return asmjit::kErrorOk;
}

}  // namespace valkyr::jit
