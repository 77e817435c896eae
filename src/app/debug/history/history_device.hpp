// History device: reads a texel before and after each command that may write it.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/work_device.hpp"
#include "app/debug/history/fragments.hpp"
#include "app/debug/history/history_log.hpp"

#include <map>

namespace valkyr::debug {

/// Forwards every call to the inner device, a CountingDevice of the log's DrawLog, and adds entries
/// to the log's history.
class HistoryDevice final : public app::WorkDevice {
public:
    /// The log must outlive the device.
    HistoryDevice(std::unique_ptr<raster::Device> inside, HistoryLog& log)
        : WorkDevice(std::move(inside))
        , log_(log) {}

    Result<raster::TextureRef> create_texture(const raster::TextureDesc& desc) override;
    Result<void> write_texture(const raster::TextureRef& texture,
                               uint32_t level,
                               const raster::Box& box,
                               std::span<const std::byte> data,
                               size_t stride_bytes,
                               size_t slice_bytes) override;
    Result<void> read_texture(const raster::TextureRef& texture,
                              uint32_t level,
                              const raster::Box& box,
                              std::span<std::byte> data,
                              size_t stride_bytes,
                              size_t slice_bytes) override;
    Result<raster::PipelineRef> create_pipeline(const raster::PipelineDesc& desc) override;
    Result<void> clear(const raster::Framebuffer& framebuffer,
                       const raster::ClearInfo& info) override;
    Result<void> copy_texture(const raster::TextureRef& to,
                              uint32_t to_level,
                              uint32_t x,
                              uint32_t y,
                              uint32_t z,
                              const raster::TextureRef& from,
                              uint32_t from_level,
                              const raster::Box& box) override;
    Result<void> clear_texture(const raster::TextureRef& texture,
                               uint32_t level,
                               const raster::Box& box,
                               const std::array<uint32_t, 4>& value) override;
    Result<void> blit(const raster::BlitInfo& info) override;

private:
    Result<void> work(const Work& work, const DoWork& do_work) override;
    /// The watched texel among the attachments of a framebuffer.
    struct Attached {
        Attachment attachment;
        raster::TextureRef texture;
        uint32_t layer = 0;        ///< of the framebuffer
        raster::TextureRef depth;  ///< beside a colour; null: none
        Spot depth_spot;
    };
    [[nodiscard]] std::optional<Attached> find(const raster::Framebuffer& framebuffer) const;
    [[nodiscard]] bool
    covers(const raster::TextureRef& texture, uint32_t level, const raster::Box& box) const;
    [[nodiscard]] bool stores_to(const raster::StageResources& resources) const;

    void begin_command();
    [[nodiscard]] Texel read(const raster::TextureRef& texture, const Spot& spot);
    [[nodiscard]] Source source(const raster::TextureRef& texture, const Spot& spot, bool filtered);
    void find_sources(Fragment& fragment, const raster::StageResources& resources);
    [[nodiscard]] std::optional<Texel> read_depth(const Attached& attached);
    /// Reads the value that the history begins with.
    void begin_history();
    template <typename Command>
    Result<void> watched(Entry entry, const raster::TextureRef& texture, Command&& command);
    template <typename Command>
    Result<void> watched_if_changed(Entry entry, bool may_write, Command&& command);
    template <typename Command>
    Result<void> drawn_to(const Attached& attached,
                          const raster::DrawState& state,
                          Entry whole,
                          Command&& command);
    template <typename Command>
    Result<void> drawn(const raster::DrawState& state, Command&& command);
    void add_fragments(const Attached& attached, const raster::DrawState& state, Entry whole);
    void add(Entry entry) { log_.history.entries.push_back(std::move(entry)); }

    HistoryLog& log_;
    raster::TextureRef target_;  ///< the texture of the watched texel, once it is created
    std::map<raster::PipelineRef, bool> scissored_;
};

}  // namespace valkyr::debug
