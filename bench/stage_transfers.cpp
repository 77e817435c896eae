// Stage transfers: times transfers of texels class by class (bench_stages, Google Benchmark).
// SPDX-License-Identifier: MIT
//
// Textures of 1024x1024 texels; the argument is the number of threads. The counter "ns" is the time
// per destination texel in nanoseconds; docs/results/transfers.md has results.
#include "bench/random.hpp"
#include "gpu/create_device.hpp"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace valkyr::bench {
namespace {

using namespace raster;

constexpr uint32_t kSize = 1024;
constexpr size_t kWidestTexel = 16;

void need(const Result<void>& result) {
    if (result)
        return;
    std::fprintf(stderr, "bench_stages: %s\n", result.error().text.c_str());
    std::exit(1);
}

enum class Kind : uint8_t { Copy, Clear, ClearPart, Upload, Download, Blit };

/// Properties that most classes leave at their defaults.
struct Special {
    uint32_t samples = 1;   ///< of the source
    uint32_t size = kSize;  ///< of the source
    Filter filter = Filter::Nearest;
    bool stencil = true;       ///< depth/stencil blits: transfer stencil, too
    uint32_t first_texel = 0;  ///< first destination texel of copies
};

/// One class of transfers.
struct Row {
    const char* name;
    Kind kind;
    Format source;
    Format destination = source;
    Special special = {};
};

using F = Format;
constexpr Row kRows[] = {
    {"copy_8", Kind::Copy, F::R8G8B8A8_UNORM},
    {"copy_8_shifted", Kind::Copy, F::R8G8B8A8_UNORM, F::R8G8B8A8_UNORM, {.first_texel = 1}},
    {"copy_r8", Kind::Copy, F::R8_UNORM},
    {"copy_half", Kind::Copy, F::R16G16B16A16_FLOAT},
    {"copy_float", Kind::Copy, F::R32G32B32A32_FLOAT},
    {"copy_depth_stencil", Kind::Copy, F::D24_UNORM_S8_UINT},
    {"copy_samples_4", Kind::Copy, F::R8G8B8A8_UNORM, F::R8G8B8A8_UNORM, {.samples = 4}},
    {"clear_8", Kind::Clear, F::R8G8B8A8_UNORM},
    {"clear_8_part", Kind::ClearPart, F::R8G8B8A8_UNORM},
    {"clear_half_part", Kind::ClearPart, F::R16G16B16A16_FLOAT},
    {"clear_depth_stencil_part", Kind::ClearPart, F::D24_UNORM_S8_UINT},
    {"clear_8_samples_4_part",
     Kind::ClearPart,
     F::R8G8B8A8_UNORM,
     F::R8G8B8A8_UNORM,
     {.samples = 4}},
    {"upload_r8", Kind::Upload, F::R8_UNORM},
    {"upload_rg8", Kind::Upload, F::R8G8_UNORM},
    {"upload_8", Kind::Upload, F::R8G8B8A8_UNORM},
    {"upload_half", Kind::Upload, F::R16G16B16A16_FLOAT},
    {"upload_float", Kind::Upload, F::R32G32B32A32_FLOAT},
    {"upload_rgb8", Kind::Upload, F::R8G8B8_UNORM},
    {"upload_bc1", Kind::Upload, F::BC1_RGB_UNORM},
    {"upload_bc3", Kind::Upload, F::BC3_RGBA_UNORM},
    {"upload_bc5", Kind::Upload, F::BC5_RG_UNORM},
    {"upload_bc6h", Kind::Upload, F::BC6H_RGB_UFLOAT},
    {"upload_bc7", Kind::Upload, F::BC7_RGBA_UNORM},
    {"upload_etc2", Kind::Upload, F::ETC2_RGB8_UNORM},
    {"upload_etc2_rgba", Kind::Upload, F::ETC2_RGBA8_UNORM},
    {"upload_eac", Kind::Upload, F::EAC_RG11_UNORM},
    {"download_r8", Kind::Download, F::R8_UNORM},
    {"download_8", Kind::Download, F::R8G8B8A8_UNORM},
    {"download_half", Kind::Download, F::R16G16B16A16_FLOAT},
    {"download_float", Kind::Download, F::R32G32B32A32_FLOAT},
    {"download_samples_8", Kind::Download, F::R8G8B8A8_UNORM, F::R8G8B8A8_UNORM, {.samples = 4}},
    {"download_samples_half",
     Kind::Download,
     F::R16G16B16A16_FLOAT,
     F::R16G16B16A16_FLOAT,
     {.samples = 4}},
    {"download_samples_depth",
     Kind::Download,
     F::D24_UNORM_S8_UINT,
     F::D24_UNORM_S8_UINT,
     {.samples = 4}},
    {"8_to_8", Kind::Blit, F::B8G8R8A8_UNORM, F::R8G8B8A8_UNORM},
    {"8_to_srgb", Kind::Blit, F::R8G8B8A8_UNORM, F::R8G8B8A8_SRGB},
    {"srgb_to_8", Kind::Blit, F::R8G8B8A8_SRGB, F::R8G8B8A8_UNORM},
    {"8_to_r8", Kind::Blit, F::R8G8B8A8_UNORM, F::R8_UNORM},
    {"r8_to_8", Kind::Blit, F::R8_UNORM, F::R8G8B8A8_UNORM},
    {"snorm_to_8", Kind::Blit, F::R8G8B8A8_SNORM, F::R8G8B8A8_UNORM},
    {"unorm16_to_8", Kind::Blit, F::R16G16B16A16_UNORM, F::R8G8B8A8_UNORM},
    {"half_to_8", Kind::Blit, F::R16G16B16A16_FLOAT, F::R8G8B8A8_UNORM},
    {"float_to_8", Kind::Blit, F::R32G32B32A32_FLOAT, F::R8G8B8A8_UNORM},
    {"float_to_half", Kind::Blit, F::R32G32B32A32_FLOAT, F::R16G16B16A16_FLOAT},
    {"half_to_float", Kind::Blit, F::R16G16B16A16_FLOAT, F::R32G32B32A32_FLOAT},
    {"11_11_10_to_8", Kind::Blit, F::R11G11B10_FLOAT, F::R8G8B8A8_UNORM},
    {"8_to_11_11_10", Kind::Blit, F::R8G8B8A8_UNORM, F::R11G11B10_FLOAT},
    {"10_10_10_2_to_8", Kind::Blit, F::R10G10B10A2_UNORM, F::R8G8B8A8_UNORM},
    {"8_to_10_10_10_2", Kind::Blit, F::R8G8B8A8_UNORM, F::R10G10B10A2_UNORM},
    {"565_to_8", Kind::Blit, F::B5G6R5_UNORM, F::R8G8B8A8_UNORM},
    {"8_to_565", Kind::Blit, F::R8G8B8A8_UNORM, F::B5G6R5_UNORM},
    {"rgb9e5_to_8", Kind::Blit, F::R9G9B9E5_FLOAT, F::R8G8B8A8_UNORM},
    {"8_to_half", Kind::Blit, F::R8G8B8A8_UNORM, F::R16G16B16A16_FLOAT},
    {"8_to_float", Kind::Blit, F::R8G8B8A8_UNORM, F::R32G32B32A32_FLOAT},
    {"uint16_to_uint8", Kind::Blit, F::R16G16B16A16_UINT, F::R8G8B8A8_UINT},
    {"rgb8_to_8", Kind::Blit, F::R8G8B8_UNORM, F::R8G8B8A8_UNORM},
    {"depth_alone", Kind::Blit, F::D24_UNORM_S8_UINT, F::D24_UNORM_S8_UINT, {.stencil = false}},
    {"depth24_to_float", Kind::Blit, F::D24_UNORM_S8_UINT, F::D32_FLOAT_S8X24_UINT},
    {"depth_float_to_24", Kind::Blit, F::D32_FLOAT_S8X24_UINT, F::D24_UNORM_S8_UINT},
    {"depth16_to_24", Kind::Blit, F::D16_UNORM, F::D24_UNORM_X8_UINT},
    {"resolve_8", Kind::Blit, F::R8G8B8A8_UNORM, F::R8G8B8A8_UNORM, {.samples = 4}},
    {"resolve_8_to_bgra", Kind::Blit, F::R8G8B8A8_UNORM, F::B8G8R8A8_UNORM, {.samples = 4}},
    {"resolve_8_samples_16", Kind::Blit, F::R8G8B8A8_UNORM, F::R8G8B8A8_UNORM, {.samples = 16}},
    {"resolve_srgb", Kind::Blit, F::R8G8B8A8_SRGB, F::R8G8B8A8_SRGB, {.samples = 4}},
    {"resolve_half", Kind::Blit, F::R16G16B16A16_FLOAT, F::R16G16B16A16_FLOAT, {.samples = 4}},
    {"resolve_float", Kind::Blit, F::R32G32B32A32_FLOAT, F::R32G32B32A32_FLOAT, {.samples = 4}},
    {"resolve_11_11_10", Kind::Blit, F::R11G11B10_FLOAT, F::R11G11B10_FLOAT, {.samples = 4}},
    {"resolve_depth", Kind::Blit, F::D24_UNORM_S8_UINT, F::D24_UNORM_S8_UINT, {.samples = 4}},
    {"nearest_scaled", Kind::Blit, F::R8G8B8A8_UNORM, F::R8G8B8A8_UNORM, {.size = 700}},
    {"nearest_half_scaled",
     Kind::Blit,
     F::R16G16B16A16_FLOAT,
     F::R16G16B16A16_FLOAT,
     {.size = 700}},
    {"nearest_depth_scaled", Kind::Blit, F::D24_UNORM_S8_UINT, F::D24_UNORM_S8_UINT, {.size = 700}},
    {"linear_larger",
     Kind::Blit,
     F::R8G8B8A8_UNORM,
     F::R8G8B8A8_UNORM,
     {.size = 700, .filter = Filter::Linear}},
    {"linear_smaller",
     Kind::Blit,
     F::R8G8B8A8_UNORM,
     F::R8G8B8A8_UNORM,
     {.size = 1500, .filter = Filter::Linear}},
    {"linear_srgb",
     Kind::Blit,
     F::R8G8B8A8_SRGB,
     F::R8G8B8A8_SRGB,
     {.size = 700, .filter = Filter::Linear}},
    {"linear_half",
     Kind::Blit,
     F::R16G16B16A16_FLOAT,
     F::R16G16B16A16_FLOAT,
     {.size = 700, .filter = Filter::Linear}},
    {"linear_float",
     Kind::Blit,
     F::R32G32B32A32_FLOAT,
     F::R32G32B32A32_FLOAT,
     {.size = 700, .filter = Filter::Linear}},
    {"linear_depth",
     Kind::Blit,
     F::D32_FLOAT,
     F::D32_FLOAT,
     {.size = 700, .filter = Filter::Linear}},
    {"halved_8",
     Kind::Blit,
     F::R8G8B8A8_UNORM,
     F::R8G8B8A8_UNORM,
     {.size = 2048, .filter = Filter::Linear}},
    {"halved_srgb",
     Kind::Blit,
     F::R8G8B8A8_SRGB,
     F::R8G8B8A8_SRGB,
     {.size = 2048, .filter = Filter::Linear}},
    {"halved_r8", Kind::Blit, F::R8_UNORM, F::R8_UNORM, {.size = 2048, .filter = Filter::Linear}},
    {"halved_half",
     Kind::Blit,
     F::R16G16B16A16_FLOAT,
     F::R16G16B16A16_FLOAT,
     {.size = 2048, .filter = Filter::Linear}},
    {"halved_float",
     Kind::Blit,
     F::R32G32B32A32_FLOAT,
     F::R32G32B32A32_FLOAT,
     {.size = 2048, .filter = Filter::Linear}},
};

/// The textures of a row and the timed call.
class Transfer {
public:
    Transfer(const Row& row, unsigned threads)
        : row_(row) {
        DeviceOptions options;
        options.threads = threads;
        device_ = value_of(gpu::create_device(options));
        source_ = texture(row.source, row.special.size, row.special.samples);
        const bool keeps_samples = row.kind == Kind::Copy;
        destination_ = texture(row.destination, kSize, keeps_samples ? row.special.samples : 1);
        rows_.resize(size_t{row.special.size} * row.special.size * kWidestTexel);
        Random random(1);
        for (std::byte& byte : rows_)
            byte = static_cast<std::byte>(random.bits() >> 8);
        if (row.special.samples == 1)
            need(write());
    }

    Result<void> run() {
        const uint32_t begin = row_.special.first_texel;
        const Box part{1, 1, 0, kSize - 2, kSize - 2, 1};
        switch (row_.kind) {
        case Kind::Copy:
            return device_->copy_texture(destination_, 0, begin, begin, 0, source_, 0,
                                         {0, 0, 0, kSize - begin, kSize - begin, 1});
        case Kind::Clear: return device_->clear_texture(source_, 0, {0, 0, 0, kSize, kSize, 1}, {});
        case Kind::ClearPart: return device_->clear_texture(source_, 0, part, {});
        case Kind::Upload: return write();
        case Kind::Download:
            return device_->read_texture(
                source_, 0, {0, 0, 0, row_.special.size, row_.special.size, 1}, rows_, stride(), 0);
        case Kind::Blit: break;
        }
        BlitInfo info;
        info.depth = true;
        info.stencil = row_.special.stencil;
        info.filter = row_.special.filter;
        const auto size = static_cast<int32_t>(row_.special.size);
        info.source = {source_, 0, 0, 0, 0, size, size};
        info.destination = {destination_, 0, 0, 0, 0, kSize, kSize};
        return device_->blit(info);
    }

private:
    template <typename T>
    static T value_of(Result<T> result) {
        if (!result)
            need(result.error());
        return std::move(*result);
    }
    TextureRef texture(Format format, uint32_t size, uint32_t samples) {
        TextureDesc desc;
        desc.kind = samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
        desc.format = format;
        desc.width = desc.height = size;
        desc.samples = samples;
        return value_of(device_->create_texture(desc));
    }
    [[nodiscard]] size_t stride() const {
        const exec::FormatInfo& info = exec::format_info(row_.source);
        return size_t{row_.special.size} / info.block_width * info.block_bytes;
    }
    Result<void> write() {
        return device_->write_texture(
            source_, 0, {0, 0, 0, row_.special.size, row_.special.size, 1}, rows_, stride(), 0);
    }

    const Row& row_;
    std::unique_ptr<Device> device_;
    TextureRef source_;
    TextureRef destination_;
    std::vector<std::byte> rows_;
};

void transfer(benchmark::State& state, const Row& row) {
    Transfer transfer(row, static_cast<unsigned>(state.range(0)));
    for ([[maybe_unused]] auto _ : state)
        need(transfer.run());
    state.counters["ns"] = benchmark::Counter(double{kSize} * kSize * 1e-9,
                                              benchmark::Counter::kIsIterationInvariantRate |
                                                  benchmark::Counter::kInvert);
}

[[maybe_unused]] const bool kRegistered = [] {
    for (const Row& row : kRows)
        benchmark::RegisterBenchmark((std::string("transfer/") + row.name).c_str(), transfer, row)
            ->Arg(1)
            ->Arg(2)
            ->UseRealTime()
            ->Unit(benchmark::kMicrosecond);
    return true;
}();

}  // namespace
}  // namespace valkyr::bench
