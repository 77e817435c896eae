// Stage programs: make the kernels and the uniforms of one shader.
// SPDX-License-Identifier: MIT
//
// StageProgram is the interface to the shader compilers: src/gpu implements it for TGSI, and
// tests/raster/native_stage.hpp wraps C++ functions, to test the rasterizer alone.
#pragma once

#include "base/result.hpp"
#include "exec/abi.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace valkyr::raster {

/// A kernel whose owner keeps it alive.
class KernelHandle {
public:
    virtual ~KernelHandle() = default;
    [[nodiscard]] virtual exec::Kernel entry() const noexcept = 0;
    /// Bytes of host code that begin at entry().entry; 0: it is no recompiled code.
    [[nodiscard]] virtual size_t code_bytes() const noexcept { return 0; }
};
using KernelRef = std::shared_ptr<const KernelHandle>;

/// Sources of the FAU words of a draw or dispatch.
struct FauInputs {
    exec::DrawContext* context = nullptr;  ///< tables set; used to run the prologue
    std::span<const std::vector<uint32_t>> constants;
    std::span<const exec::BufferDescriptor> storage;   ///< by slot; sizes below 2^32
    std::span<const exec::BufferDescriptor> counters;  ///< atomic counters
    uint32_t base_vertex = 0;
    uint32_t base_instance = 0;
    uint32_t draw_id = 0;
    uint32_t patch_vertices = 0;
    uint32_t target_height = 0;
    uint32_t sample_count = 1;
    uint32_t raster_samples = 1;     ///< 1 if all samples of a pixel lie in its centre
    std::array<uint32_t, 3> grid{};  ///< work-groups of a dispatch; a draw has none
    uint64_t tls = 0;                ///< thread-local storage for the prologue
};

/// One shader of a pipeline.
class StageProgram {
public:
    virtual ~StageProgram() = default;
    [[nodiscard]] virtual const exec::ProgramInfo& info() const noexcept = 0;
    /// Returns the bytes of thread-local storage of a lane, uniform prologue included.
    [[nodiscard]] virtual uint32_t tls_bytes() const noexcept { return info().tls_bytes; }
    /// Returns whether the uniform area holds base vertex, base instance, draw number or vertices
    /// of a patch.
    [[nodiscard]] virtual bool reads_draw_values() const noexcept { return false; }
    /// Returns whether the program, or its prologue, may read
    /// exec::ResourceTables::constant_buffers: uniform words hold the constants that it names by
    /// number.
    [[nodiscard]] virtual bool reads_constant_table() const noexcept { return true; }
    /// Returns the words of the uniform area, an even number.
    [[nodiscard]] virtual uint32_t fau_words() const noexcept = 0;
    /// Fills fau_words() words at `fau`; runs the prologue if there is one.
    virtual void fill_fau(const FauInputs& inputs, uint32_t* fau) const noexcept = 0;
    /// Returns the kernel for a key; cheap if the key equals that of the last call. `key` is an
    /// exec::FragmentKey for fragment programs, otherwise an exec::VertexKey; compute programs have
    /// no attributes in it.
    [[nodiscard]] virtual Result<KernelRef> kernel(const exec::VertexKey& key) const = 0;
    [[nodiscard]] virtual Result<KernelRef> kernel(const exec::FragmentKey& key) const = 0;
};
using StageRef = std::shared_ptr<const StageProgram>;

}  // namespace valkyr::raster
