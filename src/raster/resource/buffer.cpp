// Buffers: allocate bytes with slack behind them.
// SPDX-License-Identifier: MIT
#include "raster/resource/bytes.hpp"
#include "raster/resource/resource.hpp"

#include <string>

namespace valkyr::raster {

Result<std::shared_ptr<BufferImpl>>
BufferImpl::create(const DeviceTag* owner, uint64_t size_bytes, std::span<const std::byte> data) {
    if (size_bytes > kMaxBufferBytes)
        return Error{Errc::OutOfRange,
                     {},
                     "a buffer of " + std::to_string(size_bytes) + " bytes, at most " +
                         std::to_string(kMaxBufferBytes)};
    if (data.size() > size_bytes)
        return Error{Errc::OutOfRange, {}, "more initial data than the buffer holds"};
    auto buffer = std::make_shared<BufferImpl>(owner);
    buffer->size_ = size_bytes;
    buffer->bytes_ = allocate_for(owner, size_bytes + kReadSlack);
    if (!buffer->bytes_)
        return Error{Errc::OutOfMemory, {}, "no memory for a buffer"};
    const exec::LoopWatch* watch = watch_of(owner);
    copy_bytes(buffer->bytes_.get(), data.data(), data.size(), watch);
    if (!buffer->bytes_.is_zero())
        clear_bytes(buffer->bytes_.get() + data.size(), size_bytes + kReadSlack - data.size(),
                    watch);
    if (is_cancelled(owner))  // clearing may have been cut short: the bytes must not be visible
        return Error{Errc::Cancelled, {}, "a buffer of a cancelled device"};
    return buffer;
}

}  // namespace valkyr::raster
