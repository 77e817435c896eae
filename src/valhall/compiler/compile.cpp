// compile: lowering and the ordered list of passes.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "valhall/compiler/compiler.hpp"
#include "valhall/compiler/lower_tgsi.hpp"
#include "valhall/compiler/passes.hpp"

#include <algorithm>

namespace valkyr::valhall {
namespace {

class Pipeline {
public:
    Pipeline(ir::Function& function, const CompileOptions& options)
        : function_(function)
        , options_(options) {}

    [[nodiscard]] bool enabled(std::string_view name) const {
        return std::ranges::find(options_.disabled_passes, name) == options_.disabled_passes.end();
    }

    Result<void> run() {
        remove_dead(function_);
        VALKYR_TRY_VOID(lower_constants(function_));
        VALKYR_TRY_VOID(allocate_registers(function_));
        insert_flow(function_);
        mark_last_use(function_, enabled("mark_last_use"));
        return {};
    }

private:
    ir::Function& function_;
    const CompileOptions& options_;
};

void fill_varyings(exec::ProgramInfo& info, const VaryingLayout& layout) {
    info.varying_slot_count = static_cast<uint32_t>(layout.slots.size());
    std::ranges::copy(layout.slots, info.varyings);
    if (info.stage != exec::Stage::Fragment)
        return;
    // Fragments count the components that they really read.
    for (uint32_t i = 0; i < info.varying_slot_count; ++i)
        info.varyings[i].components = 0;
}

}  // namespace

Result<Program> compile(const tgsi::Shader& shader, const CompileOptions& options) {
    VaryingLayout own_layout;
    if (options.varyings == nullptr) {
        VALKYR_TRY(layout, standalone_varyings(shader));
        own_layout = std::move(layout);
    }
    const VaryingLayout& layout = options.varyings != nullptr ? *options.varyings : own_layout;
    if (layout.slots.size() > exec::kMaxVaryingSlots)
        return Error{Errc::OutOfRange, {}, "more varying slots than a vertex record has"};

    ir::Function function;
    if (shader.stage == tgsi::Stage::Fragment)
        function.info.stage = exec::Stage::Fragment;
    fill_varyings(function.info, layout);
    lower::Lowering lowering(shader, options, layout, function);
    VALKYR_TRY_VOID(lowering.run());
    VALKYR_TRY_VOID(Pipeline(function, options).run());

    Program program;
    ir::PackedCode code = pack(function);
    program.words = std::move(code.words);
    program.source_lines = std::move(code.lines);
    program.fau = std::move(function.uniforms);
    program.info = function.info;
    program.info.tls_bytes = align_up(function.tls_bytes, 16U);
    return program;
}

}  // namespace valkyr::valhall
