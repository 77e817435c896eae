// Fragments: finds out what became of one pixel of a primitive, by running its warp again.
// SPDX-License-Identifier: MIT
#include "app/debug/history/fragments.hpp"

#include "app/debug/history/depth_loss.hpp"
#include "app/debug/history/harmless_run.hpp"
#include "app/debug/session/environment_tap.hpp"
#include "raster/messages/alpha_coverage.hpp"
#include "raster/messages/compare.hpp"
#include "raster/messages/register_convert.hpp"
#include "raster/messages/sampled_levels.hpp"
#include "raster/messages/texture_operands.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace valkyr::debug {

namespace {

/// Instructions that a warp may issue, as the debugger's default.
constexpr uint64_t kStepLimit = 1 << 18;

/// Keeps the messages of one lane.
class LaneMessages final : public MessageSink {
public:
    explicit LaneMessages(unsigned lane)
        : lane_(lane) {}
    bool wants(const exec::Warp& warp) override { return (warp.running >> lane_ & 1) != 0; }
    void add(Message message) override { messages_.push_back(std::move(message)); }
    [[nodiscard]] const std::vector<Message>& all() const { return messages_; }

private:
    unsigned lane_;
    std::vector<Message> messages_;
};

/// Samples of the lane that the rasterizer covers.
uint32_t rasterised(const Hit& hit) {
    const WarpCase& warp = *hit.warp;
    if (warp.sample_masks.empty())
        return warp.mask >> hit.lane & 1;
    uint32_t coverage = 0;
    for (unsigned s = 0; s < warp.samples(); ++s)
        coverage |= static_cast<uint32_t>(warp.sample_masks[s] >> hit.lane & 1) << s;
    return coverage;
}

const ResultPart* part_of(const WarpResult& result, const std::string& name) {
    const auto found = std::ranges::find(result.parts, name, &ResultPart::name);
    return found != result.parts.end() ? &*found : nullptr;
}

/// Block memory as a run left it.
BlockMemory memory_of(const WarpResult& result) {
    BlockMemory memory;
    for (unsigned i = 0; i < exec::kMaxRenderTargets; ++i)
        if (const ResultPart* color = part_of(result, "colour " + std::to_string(i)))
            memory.color[i] = color->bytes;
    if (const ResultPart* depth = part_of(result, "depth")) {
        memory.depth.resize(depth->bytes.size() / sizeof(uint32_t));
        std::memcpy(memory.depth.data(), depth->bytes.data(), depth->bytes.size());
    }
    if (const ResultPart* stencil = part_of(result, "stencil"))
        memory.stencil = stencil->bytes;
    return memory;
}

PixelTexels texels_of(const Hit& hit, const BlockMemory& memory, const Attachment& attachment) {
    const WarpCase& warp = *hit.warp;
    PixelTexels texels;
    const exec::Format color = warp.fragment_key.blend[attachment.color].format;
    if (!attachment.depth_stencil && !memory.color[attachment.color].empty()) {
        texels.watched = texel_of_block(color, warp.samples(), hit.lane,
                                        std::span<const uint8_t>(memory.color[attachment.color]));
        texels.watched->format = attachment.format;
    }
    // A tile without a part of the format does not touch that part: only whole texels are known.
    const raster::DepthLayout layout = raster::depth_layout(attachment.depth_format);
    const bool whole = (layout.depth < 0 || !memory.depth.empty()) &&
                       (layout.stencil < 0 || !memory.stencil.empty());
    if (attachment.depth_format != exec::Format::None && whole)
        (attachment.depth_stencil ? texels.watched : texels.depth) = texel_of_block(
            attachment.depth_format, warp.samples(), hit.lane, memory.depth, memory.stencil);
    return texels;
}

/// Follows the samples of one lane through the messages of its invocations.
class Fate {
public:
    Fate(const Hit& hit,
         const Attachment& attachment,
         const raster::DrawState& state,
         const NameTexture& name,
         Fragment& fragment)
        : warp_(*hit.warp)
        , lane_(hit.lane)
        , attachment_(attachment)
        , state_(state)
        , name_(name)
        , fragment_(fragment) {}

    void follow(const std::vector<Message>& messages) {
        uint32_t entering = fragment_.coverage;
        for (const Message& message : messages)
            if (message.kind == MessageKind::EarlyZs) {
                const uint32_t left = message.coverage_after.v[lane_];
                add_losses(depth_losses(warp_, lane_, entering & ~left, true, {}));
                entering &= left;
            }
        if (!warp_.fragment_key.per_sample)
            return invocation(messages, 0, entering);
        for (unsigned s = 0; s < warp_.samples(); ++s)
            invocation(messages, s, entering & (1U << s));
    }

private:
    void add_losses(const std::vector<Loss>& losses) {
        for (const Loss& loss : losses)
            lose(loss);
    }
    /// Adds the samples to a loss of the same kind, or the loss.
    void lose(const Loss& loss) {
        if (loss.samples == 0)
            return;
        const auto same = [&](const Loss& l) {
            return l.killer == loss.killer && l.early == loss.early;
        };
        const auto known = std::ranges::find_if(fragment_.losses, same);
        if (known != fragment_.losses.end())
            known->samples |= loss.samples;
        else
            fragment_.losses.push_back(loss);
    }

    void invocation(const std::vector<Message>& messages, uint32_t sample, uint32_t entering) {
        if (entering == 0)
            return;
        const bool first = !seen_;
        seen_ = true;
        uint32_t left = entering;
        bool judged = false;
        for (const Message& message : messages) {
            if (message.sample != sample || message.kind == MessageKind::EarlyZs)
                continue;
            if (message.kind == MessageKind::Atest || message.kind == MessageKind::ZsEmit) {
                judge(message, left);
                judged = true;
            } else if (message.kind == MessageKind::Blend) {
                blended(message);
            } else if (first) {
                note(message);
            }
        }
        if (!judged && warp_.program->info.uses_discard) {
            lose({.killer = Killer::Discard, .samples = left});
            left = 0;
        }
        fragment_.written |= left;
    }

    /// ATEST, ZS_EMIT: takes the samples that do not come out of it.
    void judge(const Message& message, uint32_t& left) {
        const uint32_t sent = message.coverage_before.v[lane_] & left;
        const uint32_t after = message.coverage_after.v[lane_] & left;
        if ((message.live >> lane_ & 1) == 0) {
            lose({.killer = Killer::Discard, .samples = left});
            left = 0;
            return;
        }
        lose({.killer = Killer::ShaderSampleMask, .samples = left & ~sent});
        if (message.kind == MessageKind::Atest)
            alpha(message, sent, after);
        else
            add_losses(depth_losses(warp_, lane_, sent & ~after, false, shader_depth(message)));
        left = after;
    }

    void alpha(const Message& message, uint32_t sent, uint32_t after) {
        const exec::FragmentKey& key = warp_.fragment_key;
        const float value = std::bit_cast<float>(message.in[0].v[lane_]);
        if (!raster::compare(key.alpha_func, value, state_.alpha_reference)) {
            lose({.killer = Killer::AlphaTest,
                  .samples = sent,
                  .func = key.alpha_func,
                  .value = value,
                  .against = state_.alpha_reference});
            return;
        }
        uint32_t covered = sent;
        if (key.alpha_to_coverage)
            covered &= raster::alpha_coverage(value, warp_.samples());
        lose({.killer = Killer::AlphaToCoverage, .samples = sent & ~covered, .value = value});
        add_losses(depth_losses(warp_, lane_, covered & ~after, false, {}));
    }

    /// The values that ZS_EMIT sends: depth first.
    [[nodiscard]] ShaderDepth shader_depth(const Message& message) const {
        ShaderDepth given;
        size_t next = 0;
        if (warp_.program->info.writes_depth && next < message.in.size())
            given.depth = std::bit_cast<float>(message.in[next++].v[lane_]);
        if (warp_.program->info.writes_stencil && next < message.in.size())
            given.stencil = static_cast<uint8_t>(message.in[next].v[lane_]);
        return given;
    }

    void blended(const Message& message) {
        const uint32_t samples = message.coverage_after.v[lane_];
        if (attachment_.depth_stencil || message.unit != attachment_.color || samples == 0 ||
            (message.live >> lane_ & 1) == 0)
            return;
        const exec::FormatInfo& info =
            exec::format_info(warp_.fragment_key.blend[attachment_.color].format);
        fragment_.colors.push_back(
            {samples, raster::read_registers(message.in.data(), lane_, 4, message.format, info),
             raster::is_integer(info)});
    }

    /// The levels that a view shows.
    static uint32_t levels_of(const raster::TextureView& view) {
        const uint32_t all = view.texture->desc().levels;
        return std::min<uint32_t>(view.level_count,
                                  all - std::min<uint32_t>(view.first_level, all));
    }

    [[nodiscard]] std::optional<raster::LevelChoice> levels_of(const Message& message) const {
        exec::Warp sampling{};
        sampling.draw = &warp_.draw;
        sampling.running = message.lanes;
        return raster::sampled_levels(sampling, message.texture, message.in.data(), lane_);
    }

    void note(const Message& message) {
        if (message.kind == MessageKind::Varying)
            note_varying(message);
        else if (message.kind == MessageKind::Texture)
            note_texture(message);
    }

    void note_varying(const Message& message) {
        const uint32_t slot = message.unit / 16;
        if (slot >= warp_.program->info.varying_slot_count)
            return;
        LoadedInput input{
            warp_.program->info.varyings[slot], static_cast<uint8_t>(message.unit / 4 % 4), {}};
        for (const exec::Lanes& lanes : message.out)
            input.values.push_back(lanes.v[lane_]);
        fragment_.inputs.push_back(std::move(input));
    }

    void note_texture(const Message& message) {
        TexelRead read;
        read.unit = message.unit;
        read.message = message.texture;
        const auto& views = state_.fragment().textures;
        if (read.unit < views.size() && views[read.unit].texture) {
            read.texture = name_(views[read.unit].texture);
            read.view_levels = levels_of(views[read.unit]);
        }
        const raster::TextureOperands operands =
            raster::texture_operands(message.texture, message.in.data());
        for (unsigned i = 0; i < operands.coordinate_count; ++i)
            read.coordinates.push_back(operands.coordinate[i]->v[lane_]);
        if (message.texture.array)
            read.coordinates.push_back(operands.array->v[lane_]);
        for (const exec::Lanes& lanes : message.out)
            read.result.push_back(lanes.v[lane_]);
        read.levels = levels_of(message);
        if (read.levels && read.view_levels != 0) {
            read.levels->level += views[read.unit].first_level;
            read.levels->second += views[read.unit].first_level;
        }
        fragment_.reads.push_back(std::move(read));
    }

    const WarpCase& warp_;
    unsigned lane_;
    const Attachment& attachment_;
    const raster::DrawState& state_;
    const NameTexture& name_;
    Fragment& fragment_;
    bool seen_ = false;  ///< an invocation, whose inputs are noted
};

}  // namespace

PixelTexels texels_before(const Hit& hit, const Attachment& attachment) {
    return texels_of(hit, hit.warp->memory, attachment);
}

FragmentRun run_fragment(const Hit& hit,
                         const Attachment& attachment,
                         const raster::DrawState& state,
                         const NameTexture& name) {
    const WarpCase& warp = *hit.warp;
    FragmentRun run;
    Fragment& fragment = run.fragment;
    fragment.primitive = warp.primitive.primitive_id;
    fragment.back = (warp.primitive.flags & 1) != 0;
    fragment.coverage = rasterised(hit);
    fragment.blend = warp.fragment_key.blend[attachment.color];
    fragment.blend_constant = state.blend_color;
    fragment.side_effects = warp.program->info.has_side_effects;
    valhall::InterpreterOptions options;
    options.step_limit = kStepLimit;
    MemoryUndo undo;
    options.on_access = [&undo](const valhall::LaneAccess& access) { undo.note(access); };
    const auto interpreter = valhall::Interpreter::create(*warp.program, std::move(options));
    if (!interpreter.has_value()) {
        fragment.fault = interpreter.error().text;
        return run;
    }
    LaneMessages messages(hit.lane);
    std::optional<StorelessDraw> storeless;
    std::optional<TappedDraw> tapped;
    RunOptions running;
    running.wrap = [&](const exec::DrawContext& draw, const RunMemory& /*memory*/) {
        return &tapped.emplace(storeless.emplace(draw), messages);
    };
    std::vector<valhall::RunFault> faults;
    const WarpResult result =
        run_warp(warp, interpreter_engine(*interpreter, warp.stage(), &faults), running);
    undo.undo();
    if (!faults.empty()) {
        fragment.fault = faults.front().text;
        return run;
    }
    Fate(hit, attachment, state, name, fragment).follow(messages.all());
    run.after = texels_of(hit, memory_of(result), attachment);
    return run;
}

}  // namespace valkyr::debug
