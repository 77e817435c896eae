// Resources: own guest storage, which the client maps, and host storage, which draws use.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "virgl/protocol/format_map.hpp"
#include "virgl/protocol/guest_pool.hpp"
#include "virgl/protocol/protocol.hpp"
#include "virgl/protocol/shared_memory.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace valkyr::virgl {

/// Arguments of RESOURCE_CREATE.
struct ResourceDesc {
    Target target = Target::Buffer;
    uint32_t format = 0;  ///< the protocol's number
    uint32_t bind = 0;    ///< hints
    uint32_t width = 0;   ///< bytes, for a buffer
    uint32_t height = 1;
    uint32_t depth = 1;
    uint32_t array_size = 1;
    uint32_t last_level = 0;
    uint32_t samples = 0;  ///< 0 means 1
};

/// A box of texels of one level; for buffers, x and width are bytes.
struct TransferBox {
    uint32_t level = 0;
    raster::Box box;
};

/// The layout of a box in memory. A pitch of 0 is the natural pitch of the level.
struct TransferLayout {
    uint64_t offset = 0;  ///< byte offset of the box's first texel
    uint64_t stride = 0;
    uint64_t layer_stride = 0;
};

/// Counts the bytes that one client holds against a limit.
class Budget {
public:
    explicit Budget(uint64_t limit)
        : limit_(limit) {}
    [[nodiscard]] uint64_t limit() const noexcept { return limit_; }
    /// False, with no effect, if the client would exceed its limit.
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

/// Budgets of a client, and guest storage that it had before. Guest storage takes no memory until
/// it is touched: its limit is higher.
struct Budgets {
    std::shared_ptr<Budget> host = std::make_shared<Budget>(kMaxClientBytes);
    std::shared_ptr<Budget> guest = std::make_shared<Budget>(kMaxGuestBytes);
    std::shared_ptr<GuestPool> pool = std::make_shared<GuestPool>();
};

/// Bytes taken from a budget; the destructor gives them back.
class Charge {
public:
    explicit Charge(std::shared_ptr<Budget> budget)
        : budget_(std::move(budget)) {}
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;
    ~Charge() { budget_->give(bytes_); }

    /// errors  OutOfRange: the client would exceed its limit
    Result<void> add(uint64_t bytes);

private:
    std::shared_ptr<Budget> budget_;
    uint64_t bytes_ = 0;
};

class Resource {
public:
    /// `guest_bytes` 0: no guest storage. If the device refuses a texture or it exceeds the
    /// client's budget, the resource has no host storage, refusal() says why, and commands on it do
    /// nothing.
    /// errors  OutOfRange: the client would exceed its budget; System: no memory
    static Result<std::shared_ptr<Resource>> create(raster::Device& device,
                                                    const Budgets& budgets,
                                                    const ResourceDesc& desc,
                                                    uint64_t guest_bytes);
    Resource(const Resource&) = delete;
    Resource& operator=(const Resource&) = delete;
    ~Resource() { pool_->give(std::move(guest_)); }

    [[nodiscard]] const ResourceDesc& desc() const noexcept { return desc_; }
    [[nodiscard]] bool is_buffer() const noexcept { return desc_.target == Target::Buffer; }
    [[nodiscard]] SharedMemory& guest() noexcept { return guest_; }
    /// Call once the client has the descriptor of the guest storage. That of a window is not used
    /// again: the X server may still read its last picture.
    void share_guest() noexcept {
        if ((desc_.bind & kBindDisplayTarget) != 0)
            guest_.put_descriptor({});
        else
            pool_->share(guest_);
    }
    [[nodiscard]] const raster::TextureRef& texture() const noexcept { return texture_; }
    [[nodiscard]] const Result<void>& refusal() const noexcept { return refusal_; }
    /// The format by which the texture is viewed or blitted where the client names `format`.
    /// Another one if the texture has wider components than the client asked for.
    [[nodiscard]] raster::Format viewed_as(raster::Format format) const noexcept {
        return format == format_ ? stored_format_ : format;
    }
    /// Stores a texture of binary16 components as binary32 from now on, texels kept, if it has one
    /// level and one sample; others stay as they are. Views and framebuffers made before have the
    /// old texels.
    /// errors  as create() says in refusal(); then the texture stays as it is
    Result<void> widen(raster::Device& device);
    /// Whether texels are converted on their way to and from the client.
    [[nodiscard]] bool is_widened() const noexcept { return stored_format_ != format_; }
    /// The host storage of a buffer, made at first use; null for a texture or if memory runs out.
    const raster::BufferRef& buffer(raster::Device& device);

    /// The layout of guest storage: natural pitches of the box's level.
    [[nodiscard]] TransferLayout natural(const TransferBox& box) const;

    /// The distance from the first byte that a transfer of a box touches to the end of the last.
    [[nodiscard]] uint64_t extent(const TransferBox& box, const TransferLayout& layout) const;

    /// Copies `data` to host storage. layout.offset counts from the start of `data`.
    /// errors  OutOfRange: `data` is too short for box and layout
    Result<void> write(raster::Device& device,
                       const TransferBox& box,
                       const TransferLayout& layout,
                       std::span<const std::byte> data);
    /// Copies host storage to `data`.
    Result<void> read(raster::Device& device,
                      const TransferBox& box,
                      const TransferLayout& layout,
                      std::span<std::byte> data);

    /// Copies texels bit by bit, as the client sees them: a box of `source` to one of the same size
    /// of this texture.
    Result<void> copy_from(raster::Device& device,
                           const TransferBox& target,
                           const Resource& source,
                           const TransferBox& from);

private:
    Resource(const Budgets& budgets, const ResourceDesc& desc)
        : charge_(budgets.host)
        , guest_charge_(budgets.guest)
        , pool_(budgets.pool)
        , desc_(desc) {}

    Result<void> create_texture(raster::Device& device);
    [[nodiscard]] Result<TransferBox> checked(TransferBox box) const;
    [[nodiscard]] TransferLayout complete(const TransferBox& box, TransferLayout layout) const;
    // For a widened texture, which has one level and one layer:
    /// A texture of the client's format for the texels of a box.
    Result<raster::TextureRef> new_texels(raster::Device& device, const raster::Box& box) const;
    /// Narrows a box to the client's format.
    Result<raster::TextureRef> load(raster::Device& device, const raster::Box& box) const;
    /// Widens texels of the client's format.
    Result<void>
    store(raster::Device& device, const raster::Box& box, const raster::TextureRef& texels) const;

    Result<void> write_texels(raster::Device& device,
                              const TransferBox& transfer,
                              const TransferLayout& layout,
                              std::span<const std::byte> data);
    Result<void> read_texels(raster::Device& device,
                             const TransferBox& transfer,
                             const TransferLayout& layout,
                             std::span<std::byte> data);

    Charge charge_;
    Charge guest_charge_;
    std::shared_ptr<GuestPool> pool_;
    ResourceDesc desc_;
    raster::Format format_ = raster::Format::None;  ///< of the client's texels
    raster::Format stored_format_ = raster::Format::None;
    FormatShape shape_;  ///< of the client's texels
    SharedMemory guest_;
    raster::TextureRef texture_;
    raster::BufferRef buffer_;
    Result<void> refusal_;
};
using ResourcePtr = std::shared_ptr<Resource>;

}  // namespace valkyr::virgl
