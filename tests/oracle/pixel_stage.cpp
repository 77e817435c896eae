// Pixel stage: shades quad by quad over the bounds of a primitive.
// SPDX-License-Identifier: MIT
#include "tests/oracle/pixel_stage.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::reference {
namespace {

using raster::BlendFactor;
using tgsi::Semantic;

bool is_second_source(BlendFactor factor) {
    return factor == BlendFactor::Src1Color || factor == BlendFactor::Src1Alpha ||
           factor == BlendFactor::InvSrc1Color || factor == BlendFactor::InvSrc1Alpha;
}

bool is_dual_source(const raster::BlendTarget& target) {
    return target.enable &&
           (is_second_source(target.rgb_src) || is_second_source(target.rgb_dst) ||
            is_second_source(target.alpha_src) || is_second_source(target.alpha_dst));
}

/// INTERP_*: evaluates inputs at other points than declared (docs/rules/isa-notes.md
/// "Interpolation").
class QuadInterpolator final : public tgsi::Interpolator {
public:
    QuadInterpolator(const Primitive& primitive,
                     const FragmentInputs& inputs,
                     const std::array<LanePixel, 4>& quad)
        : primitive_(primitive)
        , inputs_(inputs)
        , quad_(quad) {}

    Vec4 at_centroid(uint32_t lane, uint32_t input) override {
        return inputs_.at_point(primitive_, input,
                                inputs_.point(quad_[lane], tgsi::Location::Centroid));
    }
    Vec4 at_sample(uint32_t lane, uint32_t input, uint32_t sample) override {
        return inputs_.at_point(primitive_, input, inputs_.sample(quad_[lane], sample));
    }
    /// The offset is relative to the pixel centre, in 1/256 pixel.
    Vec4 at_offset(uint32_t lane, uint32_t input, uint32_t x, uint32_t y) override {
        const auto steps = [](uint32_t offset) {
            return static_cast<int32_t>(std::nearbyintf((as_float(offset) + 0.5F) * 256.0F));
        };
        return inputs_.at_point(primitive_, input,
                                {256 * quad_[lane].x + steps(x), 256 * quad_[lane].y + steps(y)});
    }

private:
    const Primitive& primitive_;
    const FragmentInputs& inputs_;
    const std::array<LanePixel, 4>& quad_;
};

}  // namespace

PixelStage::PixelStage(const raster::DrawState& state,
                       const raster::PipelineDesc& pipeline,
                       const Targets& targets)
    : state_(state)
    , pipeline_(pipeline)
    , targets_(targets)
    , merger_(state, pipeline, targets) {}

Result<std::unique_ptr<PixelStage>> PixelStage::create(const raster::DrawState& state,
                                                       const raster::PipelineDesc& pipeline,
                                                       const Targets& targets,
                                                       const tgsi::Shader* fragment,
                                                       std::vector<Port> vertex_outputs) {
    std::unique_ptr<PixelStage> stage(new PixelStage(state, pipeline, targets));
    if (fragment == nullptr)
        return stage;
    VALKYR_TRY(runner, ShaderRunner::create(*fragment, state.fragment(), targets.samples));
    stage->runner_ = std::move(runner);
    stage->inputs_ = std::make_unique<FragmentInputs>(
        *fragment, std::move(vertex_outputs), pipeline.rasterizer, targets.height,
        pipeline.rasterizer.multisample ? targets.samples : 1);
    stage->outputs_ = ports(*fragment, tgsi::File::Output);
    stage->fetches_framebuffer_ =
        std::any_of(fragment->instructions.begin(), fragment->instructions.end(),
                    [](const tgsi::Instruction& i) { return i.opcode == tgsi::Opcode::FBFETCH; });
    stage->early_tests_ = fragment->property("FS_EARLY_DEPTH_STENCIL", 0) != 0;
    stage->color0_to_all_ = fragment->property("FS_COLOR0_WRITES_ALL_CBUFS", 0) != 0;
    return stage;
}

std::optional<Error> PixelStage::error() const {
    return runner_ == nullptr ? std::nullopt : runner_->error();
}

void PixelStage::draw(const Primitive& primitive) {
    const raster::Rect& bounds = primitive.bounds;
    for (int32_t y = bounds.y0 & ~1; y < bounds.y1; y += 2)
        for (int32_t x = bounds.x0 & ~1; x < bounds.x1; x += 2)
            draw_quad(primitive, x, y);
}

uint32_t PixelStage::covered_samples(const Primitive& primitive, int32_t x, int32_t y) const {
    const raster::Rect& bounds = primitive.bounds;
    if (x < bounds.x0 || x >= bounds.x1 || y < bounds.y0 || y >= bounds.y1)
        return 0;
    const uint32_t samples = targets_.samples;
    const uint32_t all = (1U << samples) - 1;
    if (samples == 1 || !pipeline_.rasterizer.multisample)
        return primitive.covers(sample_point(x, y, 0, 1)) ? all : 0;
    uint32_t mask = 0;
    for (uint32_t s = 0; s < samples; s++)
        if (primitive.covers(sample_point(x, y, s, samples)))
            mask |= 1U << s;
    return mask & state_.sample_mask;
}

void PixelStage::draw_quad(const Primitive& primitive, int32_t x, int32_t y) {
    Quad quad;
    uint32_t any = 0;
    for (int32_t lane = 0; lane < 4; lane++) {
        LanePixel& at = quad[static_cast<size_t>(lane)];
        at.x = x + (lane & 1);
        at.y = y + (lane >> 1);
        at.coverage = covered_samples(primitive, at.x, at.y);
        any |= at.coverage;
    }
    if (any == 0)
        return;
    const bool asked = inputs_ != nullptr && inputs_->per_sample();
    const bool forced =
        fetches_framebuffer_ || (pipeline_.rasterizer.sample_shading &&
                                 pipeline_.rasterizer.multisample && targets_.samples > 1);
    if (!asked && !forced) {
        shade(primitive, quad);
        return;
    }
    for (uint32_t s = 0; s < targets_.samples; s++) {
        Quad one = quad;
        for (LanePixel& at : one) {
            at.per_sample = asked;
            at.sample = s;
            at.coverage &= 1U << s;
        }
        if ((any >> s & 1) != 0)
            shade(primitive, one);
    }
}

namespace {

float clamp01(float value) {
    return std::clamp(value, 0.0F, 1.0F);
}

/// The coverage of a pixel (docs/rules/raster-rules.md "Smooth lines", "Smooth points").
float coverage_at(Smooth smooth, const std::array<float, 4>& place) {
    if (smooth == Smooth::Line)
        return clamp01(place[3] - std::fabs(place[0])) *
               clamp01(std::min(place[1], place[2]) + 0.5F);
    const float xx = place[0] * place[0];
    const float yy = place[1] * place[1];
    const float distance = xx + yy;
    const float inside = 1 - distance;
    return clamp01(inside * place[2]);
}

}  // namespace

void PixelStage::shade(const Primitive& primitive, Quad quad) {
    if (runner_ == nullptr || early_tests_) {
        for (LanePixel& at : quad) {
            Fragment tested;
            tested.x = at.x;
            tested.y = at.y;
            tested.coverage = at.coverage;
            at.coverage = merger_.test(primitive, tested);
        }
        if (runner_ == nullptr)
            return;
    }
    for (LanePixel& at : quad)
        if (smooth_coverage(primitive, at) == 0)
            at.coverage = 0;
    std::vector<tgsi::Invocation> lanes;
    for (const LanePixel& at : quad) {
        lanes.push_back(inputs_->lane(primitive, at));
        if (fetches_framebuffer_)
            lanes.back().framebuffer = stored_colors(at);
    }
    QuadInterpolator interpolator(primitive, *inputs_, quad);
    runner_->run(lanes, &interpolator);
    for (size_t lane = 0; lane < quad.size(); lane++) {
        Fragment left = fragment(primitive, quad[lane], lanes[lane]);
        left.coverage = merger_.surviving(left);
        if (!early_tests_)
            left.coverage = merger_.test(primitive, left);
        merger_.write(left);
    }
}

/// The colours that FBFETCH of each output register reads.
std::vector<Vec4> PixelStage::stored_colors(const LanePixel& at) const {
    std::vector<Vec4> colors(register_count(outputs_));
    for (const Port& port : outputs_) {
        if (port.semantic != Semantic::Color || port.index >= targets_.color.size())
            continue;
        const Attachment& target = targets_.color[port.index];
        const bool inside = at.x >= 0 && at.y >= 0 && at.x < static_cast<int32_t>(targets_.width) &&
                            at.y < static_cast<int32_t>(targets_.height);
        if (target.texture != nullptr && inside)
            colors[port.reg] = decode_texel(target.format(), target.texel(at.x, at.y, at.sample));
    }
    return colors;
}

std::optional<Vec4>
PixelStage::output(const tgsi::Invocation& out, Semantic semantic, uint32_t index) const {
    const std::optional<uint32_t> reg = find_port(outputs_, semantic, index);
    if (!reg)
        return std::nullopt;
    return out.outputs[*reg];
}

float PixelStage::smooth_coverage(const Primitive& primitive, const LanePixel& at) const {
    if (primitive.smooth == Smooth::None)
        return 1;
    const Point center = inputs_->point(at, tgsi::Location::Center);
    std::array<float, 4> place;
    for (size_t c = 0; c < 4; c++)
        place[c] = primitive.plane->linear(primitive.place[c], center);
    return coverage_at(primitive.smooth, place);
}

Vec4 PixelStage::covered(const Primitive& primitive, const LanePixel& at, const Vec4& color) const {
    Vec4 result = color;
    if (primitive.smooth != Smooth::None)
        result[3] = as_bits(as_float(color[3]) * smooth_coverage(primitive, at));
    return result;
}

Fragment PixelStage::fragment(const Primitive& primitive,
                              const LanePixel& at,
                              const tgsi::Invocation& out) const {
    Fragment f;
    f.x = at.x;
    f.y = at.y;
    f.coverage = out.killed ? 0 : at.coverage;
    for (uint32_t i = 0; i < exec::kMaxRenderTargets; i++)
        if (const auto color = output(out, Semantic::Color, color0_to_all_ ? 0 : i))
            f.color[i] = covered(primitive, at, *color);
    if (is_dual_source(pipeline_.blend.targets[0])) {
        if (const auto second = output(out, Semantic::Color, 1))
            f.second_color = covered(primitive, at, *second);
        f.color[1].reset();
    }
    if (const auto position = output(out, Semantic::Position, 0))
        f.depth = as_float((*position)[2]);
    if (const auto stencil = output(out, Semantic::Stencil, 0))
        f.stencil = static_cast<uint8_t>((*stencil)[1]);
    if (const auto mask = output(out, Semantic::SampleMask, 0))
        f.sample_mask = (*mask)[0];
    return f;
}

}  // namespace valkyr::reference
