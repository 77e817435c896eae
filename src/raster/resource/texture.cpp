// Textures: validate descriptions, lay out levels, and keep pending clears.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "raster/formats/block_decode.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/resource/bytes.hpp"
#include "raster/resource/resource.hpp"
#include "raster/resource/written_bits.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace valkyr::raster {
namespace {

struct KindRule {
    bool height, depth, layers, levels, samples;  ///< sizes that may exceed 1
    uint32_t max_size;
};

/// Rules, indexed by TextureKind.
constexpr std::array<KindRule, 11> kKindRules{{
    {false, false, false, false, false, 0},               // Buffer: a view of a buffer
    {false, false, false, true, false, kMaxTextureSize},  // Tex1D
    {true, false, false, true, false, kMaxTextureSize},   // Tex2D
    {true, true, false, true, false, kMaxTextureDepth},   // Tex3D
    {true, false, true, true, false, kMaxTextureSize},    // Cube
    {true, false, false, false, false, kMaxTextureSize},  // Rect
    {false, false, true, true, false, kMaxTextureSize},   // Tex1DArray
    {true, false, true, true, false, kMaxTextureSize},    // Tex2DArray
    {true, false, true, true, false, kMaxTextureSize},    // CubeArray
    {true, false, false, false, true, kMaxTextureSize},   // Tex2DMs
    {true, false, true, false, true, kMaxTextureSize},    // Tex2DMsArray
}};

Error bad(Errc code, std::string text) {
    return Error{code, {}, "texture: " + std::move(text)};
}

bool is_cube(TextureKind kind) {
    return kind == TextureKind::Cube || kind == TextureKind::CubeArray;
}

Result<void> check_sizes(const TextureDesc& desc, const KindRule& rule) {
    if (desc.width == 0 || desc.height == 0 || desc.depth == 0 || desc.layers == 0)
        return bad(Errc::InvalidState, "a size is zero");
    if (desc.width > rule.max_size || desc.height > kMaxTextureSize ||
        (desc.depth > kMaxTextureDepth))
        return bad(Errc::OutOfRange,
                   "larger than " + std::to_string(rule.max_size) + " texels a side");
    if (desc.layers > kMaxTextureLayers)
        return bad(Errc::OutOfRange, "more than " + std::to_string(kMaxTextureLayers) + " layers");
    if ((desc.height > 1 && !rule.height) || (desc.depth > 1 && !rule.depth) ||
        (desc.layers > 1 && !rule.layers))
        return bad(Errc::InvalidState, "the kind has fewer dimensions than the sizes");
    if (is_cube(desc.kind) && (desc.layers % 6 != 0 || desc.width != desc.height))
        return bad(Errc::InvalidState, "cubes are square and have six layers each");
    if (desc.kind == TextureKind::Cube && desc.layers != 6)
        return bad(Errc::InvalidState, "a cube has six layers");
    return {};
}

Result<void> check_levels(const TextureDesc& desc, const KindRule& rule) {
    const uint32_t largest = std::max({desc.width, desc.height, desc.depth});
    const auto full = static_cast<uint32_t>(std::bit_width(largest));
    if (desc.levels == 0 || desc.levels > std::min(full, exec::kMaxLevels) ||
        (desc.levels > 1 && !rule.levels))
        return bad(Errc::OutOfRange, std::to_string(desc.levels) + " levels");
    if (!std::has_single_bit(desc.samples) || desc.samples > exec::kMaxSamples ||
        (desc.samples > 1 && !rule.samples))
        return bad(Errc::OutOfRange, std::to_string(desc.samples) + " samples");
    return {};
}

Result<void> check_format(const TextureDesc& desc) {
    if (static_cast<unsigned>(desc.format) >= exec::kFormatCount || desc.format == Format::None)
        return bad(Errc::InvalidState, "no format");
    const exec::FormatInfo& info = exec::format_info(desc.format);
    if (desc.render_target && !is_color_renderable(desc.format) && !is_depth_stencil(desc.format))
        return bad(Errc::Unsupported, std::string(info.name) + " as a render target");
    return {};
}

Result<void> check_desc(const TextureDesc& desc) {
    if (static_cast<size_t>(desc.kind) >= kKindRules.size())
        return bad(Errc::InvalidState, "unknown kind");
    if (desc.kind == TextureKind::Buffer)
        return bad(Errc::InvalidState, "buffer textures are views of buffers");
    const KindRule& rule = kKindRules[static_cast<size_t>(desc.kind)];
    VALKYR_TRY_VOID(check_sizes(desc, rule));
    VALKYR_TRY_VOID(check_levels(desc, rule));
    return check_format(desc);
}

/// Bytes of the blocks of one slice.
struct SliceBlocks {
    size_t row_bytes = 0;
    size_t bytes = 0;
};
SliceBlocks slice_blocks(Format format, const exec::TextureLevel& level) {
    const exec::FormatInfo& info = exec::format_info(format);
    const size_t columns = (level.width + info.block_width - 1U) / info.block_width;
    const size_t rows = (level.height + info.block_height - 1U) / info.block_height;
    return {columns * info.block_bytes, rows * columns * info.block_bytes};
}

/// Allocates bytes that are 0, unless the device is cancelled meanwhile; none without memory.
PooledBlock allocate_zeros(const DeviceTag* owner, size_t bytes) noexcept {
    PooledBlock block = allocate_for(owner, bytes);
    if (block && !block.is_zero())
        clear_bytes(block.get(), bytes, watch_of(owner));
    return block;
}

}  // namespace

Result<std::shared_ptr<TextureImpl>> TextureImpl::create(const DeviceTag* owner,
                                                         const TextureDesc& desc) {
    VALKYR_TRY_VOID(check_desc(desc));
    auto texture = std::make_shared<TextureImpl>(owner);
    texture->desc_ = desc;
    texture->storage_ = storage_format(desc.format);
    texture->texel_bytes_ = exec::format_info(texture->storage_).block_bytes;
    const uint64_t tile_bytes = uint64_t{16} * texture->texel_bytes_ * desc.samples;
    std::vector<uint64_t> offsets;
    uint64_t total = 0;
    for (uint32_t l = 0; l < desc.levels; ++l) {
        exec::TextureLevel level;
        exec::set_size(level, std::max(desc.width >> l, 1U), std::max(desc.height >> l, 1U));
        level.depth = desc.kind == TextureKind::Tex3D ? std::max(desc.depth >> l, 1U) : desc.layers;
        level.slice_bytes =
            align_up(tile_bytes * level.tiles_per_row * ((level.height + 3) / 4), uint64_t{64});
        offsets.push_back(total);
        total += level.slice_bytes * level.depth;
        if (total > kMaxTextureBytes)
            return bad(Errc::OutOfRange,
                       "more than " + std::to_string(kMaxTextureBytes) + " bytes");
        texture->levels_.push_back(level);
    }
    total += exec::read_slack(texture->levels_[0], texture->texel_bytes_);
    texture->bytes_ = allocate_zeros(owner, total);
    if (!texture->bytes_)
        return bad(Errc::OutOfMemory, "no memory");
    for (uint32_t l = 0; l < desc.levels; ++l)
        texture->levels_[l].data = reinterpret_cast<uint8_t*>(texture->bytes_.get()) + offsets[l];
    if (is_cancelled(owner))  // clearing may have been cut short: the texels must not be visible
        return bad(Errc::Cancelled, "the device is cancelled");
    texture->clears_.resize(desc.levels);
    if (desc.render_target && has_stencil(desc.format))
        texture->mark_stencil_cleared();
    if (texture->storage_ != desc.format)
        VALKYR_TRY_VOID(texture->create_blocks());
    return texture;
}

/// Marks the stencil of a new texture as cleared to 0 until a draw writes it: programs clear the
/// depth of their windows often and the stencil seldom.
void TextureImpl::mark_stencil_cleared() {
    for (uint32_t l = 0; l < levels_.size(); ++l)
        for (uint32_t z = 0; z < levels_[l].depth; ++z) {
            std::vector<uint8_t>& flags = slice_clear(l, z).flags;
            std::fill(flags.begin(), flags.end(), kClearStencil);
        }
}

Result<void> TextureImpl::create_blocks() {
    for (const exec::TextureLevel& level : levels_) {
        const size_t bytes = slice_blocks(desc_.format, level).bytes * level.depth;
        blocks_.push_back(allocate_zeros(owner_, bytes));
        if (!blocks_.back())
            return bad(Errc::OutOfMemory, "no memory");
    }
    return {};
}

BlockRows TextureImpl::blocks(uint32_t l, uint32_t z) noexcept {
    if (blocks_.empty())
        return {};
    const SliceBlocks size = slice_blocks(desc_.format, levels_[l]);
    return {blocks_[l].get() + z * size.bytes, size.row_bytes};
}

std::vector<std::span<std::byte>> TextureImpl::memory() {
    const uint8_t* const end =
        levels_.back().data + levels_.back().slice_bytes * levels_.back().depth;
    std::vector<std::span<std::byte>> parts{
        {bytes_.get(), static_cast<size_t>(end - levels_[0].data)}};
    for (size_t l = 0; l < blocks_.size(); ++l)
        parts.emplace_back(blocks_[l].get(),
                           slice_blocks(desc_.format, levels_[l]).bytes * levels_[l].depth);
    return parts;
}

uint8_t* TextureImpl::slice(uint32_t l, uint32_t z) noexcept {
    auto* base = reinterpret_cast<uint8_t*>(bytes_.get());
    const exec::TextureLevel& level = levels_[l];
    return base + (level.data - base) + z * level.slice_bytes;
}

SliceClear& TextureImpl::slice_clear(uint32_t l, uint32_t z) {
    std::vector<SliceClear>& slices = clears_[l];
    if (slices.empty())
        slices.resize(levels_[l].depth);
    SliceClear& clear = slices[z];
    if (clear.flags.empty())
        clear.flags.assign(size_t{tiles_across(levels_[l].width)} * tiles_across(levels_[l].height),
                           0);
    any_clear_ = true;
    return clear;
}

namespace {

/// Computes the bytes of a cleared texel; returns false if its format has parts without a flag.
bool cleared_texel(Format format, const SliceClear& clear, unsigned flags, uint8_t* texel) {
    if (!is_depth_stencil(format)) {
        std::memcpy(texel, clear.texel.data(), clear.texel.size());
        return true;
    }
    const unsigned parts = (has_depth(format) ? unsigned{kClearMain} : 0U) |
                           (has_stencil(format) ? unsigned{kClearStencil} : 0U);
    if ((flags & parts) != parts)
        return false;
    store_depth_stencil(format, {clear.depth, clear.stencil}, texel);
    return true;
}

/// Fills `bytes` bytes with a texel whose size is a power of two.
void fill_texels(uint8_t* to, const uint8_t* texel, size_t texel_bytes, size_t bytes) {
    std::memcpy(to, texel, texel_bytes);
    for (size_t done = texel_bytes; done < bytes; done *= 2)
        std::memcpy(to + done, to, std::min(done, bytes - done));
}

}  // namespace

void TextureImpl::settle_tile(uint32_t l, uint32_t z, uint32_t tile) noexcept {
    SliceClear& clear = clears_[l][z];
    const unsigned flags = clear.flags[tile];
    const exec::TextureLevel& level = levels_[l];
    const size_t block_bytes = size_t{16} * texel_bytes_ * desc_.samples;
    const uint32_t block_rows = (level.height + 3) / 4;
    const uint32_t across = tiles_across(level.width);
    const uint32_t bx = tile % across * exec::kBlocksPerRow;
    const uint32_t by = tile / across * exec::kBlocksPerRow;
    const size_t row_bytes = std::min(exec::kBlocksPerRow, level.tiles_per_row - bx) * block_bytes;
    const size_t stride = level.tiles_per_row * block_bytes;
    uint8_t* const first = slice(l, z) + by * stride + bx * block_bytes;
    uint8_t* const end = slice(l, z) + std::min(by + exec::kBlocksPerRow, block_rows) * stride;
    std::array<uint8_t, 16> texel{};
    if (cleared_texel(desc_.format, clear, flags, texel.data())) {
        fill_texels(first, texel.data(), texel_bytes_, row_bytes);
        for (uint8_t* row = first + stride; row < end; row += stride)
            std::memcpy(row, first, row_bytes);
    } else {
        const WrittenBits bits(desc_.format, {clear.depth, clear.stencil},
                               (flags & kClearMain) != 0, (flags & kClearStencil) != 0,
                               texel_bytes_);
        for (uint8_t* row = first; row < end; row += stride)
            bits.write(row, row_bytes);
    }
    clear.flags[tile] = 0;
}

void TextureImpl::settle(uint32_t l, uint32_t z) noexcept {
    const exec::TextureLevel& level = levels_[l];
    settle(l, z, {.width = level.width, .height = level.height});
}

Result<void> TextureImpl::settle(uint32_t l, uint32_t z, const RowRunner& run) {
    const exec::TextureLevel& level = levels_[l];
    return settle(l, z, {.width = level.width, .height = level.height}, run);
}

Result<void> TextureImpl::settle(uint32_t l, uint32_t z, const Box& box, const RowRunner& run) {
    note_read();
    if (!has_clears(l, z) || box.height == 0)
        return {};
    const uint32_t first_row = box.y / exec::kTileSize;
    const uint32_t rows = tiles_across(box.y + box.height) - first_row;
    return run(rows, [&](uint32_t first, uint32_t end) {
        Box part = box;
        part.y = std::max(box.y, (first_row + first) * exec::kTileSize);
        part.height = std::min(box.y + box.height, (first_row + end) * exec::kTileSize) - part.y;
        settle(l, z, part);
    });
}

void TextureImpl::settle(uint32_t l, uint32_t z, const Box& box) noexcept {
    if (!clears_[l].empty())
        settle_tiles(l, z, box, [](unsigned) { return true; });
}

void TextureImpl::settle_parts(uint32_t l, uint32_t z, const Box& box) noexcept {
    if (clears_[l].empty())
        return;
    const SliceClear& clear = clears_[l][z];
    settle_tiles(l, z, box, [&](unsigned flags) {
        std::array<uint8_t, 16> texel{};
        return !cleared_texel(desc_.format, clear, flags, texel.data());
    });
}

template <typename F>
void TextureImpl::settle_tiles(uint32_t l, uint32_t z, const Box& box, F wanted) noexcept {
    note_read();
    const std::vector<uint8_t>& flags = clears_[l][z].flags;
    if (flags.empty() || box.width == 0 || box.height == 0)
        return;
    const uint32_t across = tiles_across(levels_[l].width);
    const uint32_t last_x = (box.x + box.width - 1) / exec::kTileSize;
    const uint32_t last_y = (box.y + box.height - 1) / exec::kTileSize;
    for (uint32_t y = box.y / exec::kTileSize; y <= last_y; ++y)
        for (uint32_t x = box.x / exec::kTileSize; x <= last_x && !is_cancelled(owner_); ++x) {
            const uint32_t tile = y * across + x;
            if (flags[tile] != 0 && wanted(flags[tile]))
                settle_tile(l, z, tile);
        }
}

FilterCopy& TextureImpl::filter_copy() {
    if (filter_copy_ == nullptr)
        filter_copy_ = std::make_unique<FilterCopy>();
    return *filter_copy_;
}

bool TextureImpl::has_clears(uint32_t l, uint32_t z) const noexcept {
    if (clears_[l].empty())
        return false;
    const std::vector<uint8_t>& flags = clears_[l][z].flags;
    if (flags.empty() || flags.front() != 0)
        return !flags.empty();
    // All are 0 if each is like its neighbour: a loop with an end inside it takes them one by one.
    return std::memcmp(flags.data(), flags.data() + 1, flags.size() - 1) != 0;
}

std::optional<std::array<uint8_t, 16>>
TextureImpl::cleared_tile(uint32_t l, uint32_t z, uint32_t tile) const noexcept {
    const SliceClear& clear = clears_[l][z];
    std::array<uint8_t, 16> texel{};
    if (clear.flags[tile] == 0 ||
        !cleared_texel(desc_.format, clear, clear.flags[tile], texel.data()))
        return std::nullopt;
    return texel;
}

void TextureImpl::settle_all() noexcept {
    static_cast<void>(settle_all(run_on_this_thread));  // which reports no error
}

Result<void> TextureImpl::settle_all(const RowRunner& run) {
    note_read();
    if (!any_clear_)
        return {};
    for (uint32_t l = 0; l < levels_.size(); ++l)
        for (uint32_t z = 0; z < clears_[l].size(); ++z)
            VALKYR_TRY_VOID(settle(l, z, run));
    any_clear_ = false;
    return {};
}

bool is_color_renderable(Format format) {
    const exec::FormatInfo& info = exec::format_info(format);
    const bool plain =
        info.layout == exec::FormatLayout::Array || info.layout == exec::FormatLayout::Packed;
    return plain && std::has_single_bit(static_cast<unsigned>(info.block_bytes)) &&
           info.block_bytes <= SliceClear{}.texel.size() &&
           info.type != exec::ChannelType::Uscaled && info.type != exec::ChannelType::Sscaled;
}

bool is_depth_stencil(Format format) {
    return exec::format_info(format).layout == exec::FormatLayout::DepthStencil;
}

bool has_depth(Format format) {
    return depth_layout(format).depth >= 0;
}

bool has_stencil(Format format) {
    return depth_layout(format).stencil >= 0;
}

}  // namespace valkyr::raster
