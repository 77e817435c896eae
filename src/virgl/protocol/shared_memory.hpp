// Guest storage: shares memory with a client, which cannot shrink it.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <span>
#include <utility>

namespace valkyr::virgl {

/// Owns a file descriptor, or none (-1).
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd)
        : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept
        : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();

    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_ = -1;
};

/// A sealed, mapped memfd. The client may change its bytes at any time: do not trust them.
class SharedMemory {
public:
    SharedMemory() = default;
    SharedMemory(SharedMemory&& other) noexcept { swap(other); }
    SharedMemory& operator=(SharedMemory&& other) noexcept {
        swap(other);
        return *this;
    }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();

    /// Creates `bytes` bytes of zeros. errors  OutOfMemory; System: no descriptors
    static Result<SharedMemory> create(size_t bytes);

    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }
    /// Gives this side's descriptor away, once the client has its own. The mapping stays.
    [[nodiscard]] Descriptor take_descriptor() noexcept { return std::move(descriptor_); }
    void put_descriptor(Descriptor descriptor) noexcept { descriptor_ = std::move(descriptor); }
    [[nodiscard]] size_t size() const noexcept { return size_; }
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {data_, size_}; }

private:
    void swap(SharedMemory& other) noexcept;

    Descriptor descriptor_;
    size_t size_ = 0;
    std::byte* data_ = nullptr;
};

}  // namespace valkyr::virgl
