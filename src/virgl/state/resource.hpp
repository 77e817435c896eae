// Resources: guest storage that the client maps, host storage that is drawn with, copies between.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "virgl/protocol/format_map.hpp"
#include "virgl/protocol/protocol.hpp"
#include "virgl/protocol/shared_memory.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace valkyr::virgl {

/// Arguments of RESOURCE_CREATE.
struct ResourceDesc {
    Target target = Target::Buffer;
    uint32_t format = 0;  ///< number of the protocol
    uint32_t bind = 0;    ///< hints
    uint32_t width = 0;   ///< bytes, for a buffer
    uint32_t height = 1;
    uint32_t depth = 1;
    uint32_t array_size = 1;
    uint32_t last_level = 0;
    uint32_t samples = 0;  ///< 0 and 1 are the same
};

/// A box of texels of one level; of a buffer: x and width in bytes.
struct TransferBox {
    uint32_t level = 0;
    raster::Box box;
};

/// Layout of the texels of a box; pitches of 0 are the natural ones of the level.
struct TransferLayout {
    uint64_t offset = 0;  ///< place of the box's first texel, bytes
    uint64_t stride = 0;
    uint64_t layer_stride = 0;
};

/// Bytes that one client holds.
class Budget {
public:
    explicit Budget(uint64_t limit)
        : limit_(limit) {}
    [[nodiscard]] uint64_t limit() const noexcept { return limit_; }
    /// False if that would be more than a client may have.
    [[nodiscard]] bool take(uint64_t bytes) {
        if (bytes > limit_ - used_)
            return false;
        used_ += bytes;
        return true;
    }
    void give(uint64_t bytes) { used_ -= bytes; }

private:
    uint64_t limit_;
    uint64_t used_ = 0;
};

/// Budgets of a client's resources. Guest storage takes no memory until the client touches it.
struct Budgets {
    std::shared_ptr<Budget> host = std::make_shared<Budget>(kMaxClientBytes);
    std::shared_ptr<Budget> guest = std::make_shared<Budget>(kMaxGuestBytes);
};

/// A part of a budget, given back at the end.
class Charge {
public:
    explicit Charge(std::shared_ptr<Budget> budget)
        : budget_(std::move(budget)) {}
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;
    ~Charge() { budget_->give(bytes_); }

    /// errors  OutOfRange: more than a client may have
    Result<void> add(uint64_t bytes);

private:
    std::shared_ptr<Budget> budget_;
    uint64_t bytes_ = 0;
};

class Resource {
public:
    /// `guest_bytes` may be 0: no guest storage. A texture that the device refuses has no host
    /// storage, nor has one that is more than a client may have: `refusal()` says why, and what
    /// uses it does nothing.
    /// errors  OutOfRange: more guest storage than a client may have; System: no memory
    static Result<std::shared_ptr<Resource>> create(raster::Device& device,
                                                    const Budgets& budgets,
                                                    const ResourceDesc& desc,
                                                    uint64_t guest_bytes);
    Resource(const Resource&) = delete;
    Resource& operator=(const Resource&) = delete;
    ~Resource() = default;

    [[nodiscard]] const ResourceDesc& desc() const noexcept { return desc_; }
    [[nodiscard]] bool is_buffer() const noexcept { return desc_.target == Target::Buffer; }
    [[nodiscard]] SharedMemory& guest() noexcept { return guest_; }
    [[nodiscard]] const raster::TextureRef& texture() const noexcept { return texture_; }
    [[nodiscard]] const Result<void>& refusal() const noexcept { return refusal_; }
    /// The host storage of a buffer, made when first asked for; null if there is no memory for it
    /// or the resource is a texture.
    const raster::BufferRef& buffer(raster::Device& device);

    /// Memory order of texels of the guest storage.
    [[nodiscard]] TransferLayout natural(const TransferBox& box) const;

    /// Bytes from the first to behind the last that a transfer of a box touches.
    [[nodiscard]] uint64_t extent(const TransferBox& box, const TransferLayout& layout) const;

    /// `data` -> host storage. `data` begins where layout.offset counts from.
    /// errors  OutOfRange: box, layout and data do not fit together
    Result<void> write(raster::Device& device,
                       const TransferBox& box,
                       const TransferLayout& layout,
                       std::span<const std::byte> data);
    /// Host storage -> `data`.
    Result<void> read(raster::Device& device,
                      const TransferBox& box,
                      const TransferLayout& layout,
                      std::span<std::byte> data);

private:
    Resource(const Budgets& budgets, const ResourceDesc& desc)
        : charge_(budgets.host)
        , guest_charge_(budgets.guest)
        , desc_(desc) {}

    Result<void> create_texture(raster::Device& device);
    [[nodiscard]] Result<TransferBox> checked(TransferBox box) const;
    [[nodiscard]] TransferLayout complete(const TransferBox& box, TransferLayout layout) const;

    Charge charge_;
    Charge guest_charge_;
    ResourceDesc desc_;
    raster::Format format_ = raster::Format::None;
    FormatShape shape_;
    SharedMemory guest_;
    raster::TextureRef texture_;
    raster::BufferRef buffer_;
    Result<void> refusal_;
};
using ResourcePtr = std::shared_ptr<Resource>;

}  // namespace valkyr::virgl
