// Trap tap: runs all shaders of a device by the interpreter, and looks for NaN and infinity.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/trap/trap_log.hpp"
#include "raster/record/kernel_tap.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace valkyr::debug {

/// The tap of one device with one thread. The log outlives it; its kernels own it.
class TrapTap final : public raster::KernelTap, public std::enable_shared_from_this<TrapTap> {
public:
    explicit TrapTap(TrapLog& log)
        : log_(log) {}

    raster::KernelRef wrap(const valhall::Program& program,
                           const exec::VertexKey* vertex,
                           const exec::FragmentKey* fragment,
                           raster::KernelRef kernel) override;

    /// Keeps the text of a shader, which programs will have under the name that is returned.
    /// name  for messages; several shaders may have it
    std::string add_text(const std::string& name, std::string_view text);
    /// Kernel calls from now on belong to this draw or dispatch.
    void set_work(bool is_draw, uint32_t number) {
        is_draw_ = is_draw;
        number_ = number;
    }

private:
    class Kernel;
    [[nodiscard]] const TrapText& text_of(const std::string& program_name);
    [[nodiscard]] std::shared_ptr<PrologueMarks> marks_of(const valhall::Program& prologue);

    TrapLog& log_;
    std::map<std::string, TrapText> texts_;  ///< by name of the programs
    std::map<std::vector<uint64_t>, std::shared_ptr<PrologueMarks>> prologues_;  ///< by their words
    bool is_draw_ = true;
    uint32_t number_ = 0;
};

}  // namespace valkyr::debug
