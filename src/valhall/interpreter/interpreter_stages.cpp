// Stages: turn vertex, geometry and fragment calls into warps of the interpreter.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "valhall/interpreter/interpreter.hpp"
#include "valhall/interpreter/interpreter_hazards.hpp"
#include "valhall/interpreter/interpreter_run.hpp"

#include <algorithm>

namespace valkyr::valhall {

using exec::kLanes;
using exec::Lanes;

namespace {

void fill(Lanes& lanes, uint32_t value) {
    std::ranges::fill(lanes.v, value);
}

/// All lanes of the quads that have a covered lane.
uint16_t whole_quads(uint16_t covered) {
    uint16_t quads = 0;
    for (unsigned q = 0; q < kLanes; q += 4)
        if (covered >> q & 0xF)
            quads |= static_cast<uint16_t>(0xFU << q);
    return quads;
}

uint16_t covered_lanes(const Lanes& coverage) {
    uint16_t lanes = 0;
    for (unsigned l = 0; l < kLanes; ++l)
        lanes |= static_cast<uint16_t>((coverage.v[l] ? 1U : 0U) << l);
    return lanes;
}

Lanes masked(const Lanes& lanes, uint32_t mask) {
    Lanes result = lanes;
    for (uint32_t& value : result.v)
        value &= mask;
    return result;
}

/// Members of the interpreter that running a stage needs.
struct StageRun {
    std::span<const Instr> instrs;
    const InterpreterOptions& options;
    interpret::CallContext call;
    std::vector<RunFault>* faults;

    void run(WarpState& state, exec::Warp& warp, uint64_t preload, bool end_without_live) const {
        if (!options.hazards)
            return interpret::WarpRun(instrs, options, state, warp, call, nullptr, faults)
                .run(end_without_live);
        interpret::Hazards hazards(preload);
        interpret::WarpRun(instrs, options, state, warp, call, &hazards, faults)
            .run(end_without_live);
    }
};

/// Sample masks of each lane of block number `index` of the call.
Lanes rasterised_coverage(const exec::FragmentCall& call, uint32_t index, unsigned samples) {
    Lanes coverage{};
    for (unsigned s = 0; s < samples; ++s) {
        const uint16_t mask = call.sample_masks ? call.sample_masks[size_t{index} * samples + s]
                                                : call.blocks[index].mask;
        for (unsigned l = 0; l < kLanes; ++l)
            coverage.v[l] |= static_cast<uint32_t>(mask >> l & 1) << s;
    }
    return coverage;
}

/// The samples that a program finds in r61. If all lie in the pixel centre, they are one.
uint32_t seen_samples(const exec::Warp& warp, uint32_t rasterised, uint32_t coverage) {
    const auto* key = static_cast<const exec::FragmentKey*>(warp.draw->key);
    if (key && key->centered_samples)
        return coverage != 0 ? 1 : 0;
    return coverage != 0 ? rasterised & 0xFFFF : 0;
}

void preload_fragment(WarpState& state,
                      const exec::Warp& warp,
                      const Lanes& rasterised,
                      const Lanes& coverage) {
    fill(state.r[exec::kPrimitiveIdRegister], warp.fragment->primitive->primitive_id);
    fill(state.r[exec::kPrimitiveFlagsRegister], warp.fragment->primitive->flags);
    for (unsigned l = 0; l < kLanes; ++l) {
        const uint32_t x = static_cast<uint32_t>(warp.x) + exec::lane_x(l);
        const uint32_t y = static_cast<uint32_t>(warp.y) + exec::lane_y(l);
        state.r[exec::kPixelRegister].v[l] = (x & 0xFFFF) | y << 16;
        state.r[exec::kCoverageRegister].v[l] = coverage.v[l];
        state.r[exec::kSampleRegister].v[l] = seen_samples(warp, rasterised.v[l], coverage.v[l]) |
                                              warp.sample_id << exec::kSampleIdShift;
    }
}

/// One invocation of every pixel with some coverage.
void shade(const StageRun& stage,
           exec::Warp& warp,
           const Lanes& rasterised,
           const Lanes& coverage) {
    const uint16_t covered = covered_lanes(coverage);
    if (!covered)
        return;
    WarpState state;
    state.alive = whole_quads(covered);
    state.live = covered;
    preload_fragment(state, warp, rasterised, coverage);
    stage.run(state, warp, exec::entry_registers(exec::Stage::Fragment), true);
}

void shade_block(const StageRun& stage, exec::FragmentCall& call, uint32_t index) {
    const auto* key = static_cast<const exec::FragmentKey*>(call.draw->key);
    const unsigned samples = key ? std::clamp<unsigned>(key->samples, 1, exec::kMaxSamples) : 1;
    const uint32_t block = call.blocks[index].block;
    exec::Warp warp;
    warp.draw = call.draw;
    warp.fragment = &call;
    warp.block = block;
    warp.x = call.tile_x + static_cast<int32_t>(block % exec::kBlocksPerRow * 4);
    warp.y = call.tile_y + static_cast<int32_t>(block / exec::kBlocksPerRow * 4);
    const Lanes rasterised = rasterised_coverage(call, index, samples);
    Lanes coverage = rasterised;
    if (key && key->zs.early && call.draw->environment && call.draw->environment->early_zs) {
        warp.running = warp.live = covered_lanes(coverage);
        call.draw->environment->early_zs(warp, coverage);
    }
    if (!key || !key->per_sample)
        return shade(stage, warp, rasterised, coverage);
    for (unsigned s = 0; s < samples; ++s) {
        warp.sample_id = s;
        shade(stage, warp, masked(rasterised, 1U << s), masked(coverage, 1U << s));
    }
}

}  // namespace

void Interpreter::run(exec::VertexCall& call, std::vector<RunFault>* faults) const {
    const StageRun stage{instrs_,
                         options_,
                         {{call.draw->fau, fau_words_}, call.tls, info_.tls_bytes, call.worker},
                         faults};
    for (uint32_t first = 0; first < call.count; first += kLanes) {
        const uint32_t lanes = std::min<uint32_t>(kLanes, call.count - first);
        WarpState state;
        state.alive = state.live = static_cast<uint16_t>((1U << lanes) - 1);
        fill(state.r[exec::kInstanceIdRegister], call.instance_id);
        for (unsigned l = 0; l < lanes; ++l) {
            state.r[exec::kRecordNumberRegister].v[l] = call.first_record + first + l;
            state.r[exec::kVertexIdRegister].v[l] = call.vertex_ids[first + l];
        }
        exec::Warp warp;
        warp.draw = call.draw;
        warp.vertex = &call;
        stage.run(state, warp, exec::entry_registers(exec::Stage::Vertex), false);
    }
}

void Interpreter::run(exec::GeometryCall& call, std::vector<RunFault>* faults) const {
    const exec::VertexCall& out = call.out;
    const StageRun stage{instrs_,
                         options_,
                         {{out.draw->fau, fau_words_}, out.tls, info_.tls_bytes, out.worker},
                         faults};
    const unsigned vertices = exec::vertices_of(info_.geometry.input);
    for (uint32_t first = 0; first < out.count; first += kLanes) {
        const uint32_t lanes = std::min<uint32_t>(kLanes, out.count - first);
        WarpState state;
        state.alive = state.live = static_cast<uint16_t>((1U << lanes) - 1);
        for (unsigned l = 0; l < lanes; ++l) {
            const uint32_t pair = first + l;
            for (unsigned v = 0; v < vertices; ++v)
                state.r[exec::kInputRecordRegister + v].v[l] = call.vertices[v][pair];
            state.r[exec::kInvocationRegister].v[l] = call.invocations[pair];
            state.r[exec::kPrimitiveIdRegister].v[l] = call.primitive_ids[pair];
            state.r[exec::kRecordNumberRegister].v[l] = pair;
        }
        exec::Warp warp;
        warp.draw = out.draw;
        warp.vertex = &call.out;
        warp.geometry = true;
        stage.run(state, warp, exec::entry_registers(exec::Stage::Geometry), false);
    }
}

void Interpreter::run(exec::FragmentCall& call, std::vector<RunFault>* faults) const {
    const StageRun stage{instrs_,
                         options_,
                         {{call.draw->fau, fau_words_}, call.tls, info_.tls_bytes, call.worker},
                         faults};
    for (uint32_t index = 0; index < call.block_count; ++index)
        shade_block(stage, call, index);
}

}  // namespace valkyr::valhall
