// Varying layouts: give semantics their slots of the vertex record.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/varyings.hpp"

#include <array>
#include <string>

namespace valkyr::valhall {
namespace lower {
namespace {

struct NameRow {
    tgsi::Semantic semantic;
    exec::VaryingName name;
};

constexpr std::array kNames{
    NameRow{tgsi::Semantic::Generic, exec::VaryingName::Generic},
    NameRow{tgsi::Semantic::Color, exec::VaryingName::Color},
    NameRow{tgsi::Semantic::BColor, exec::VaryingName::BackColor},
    NameRow{tgsi::Semantic::TexCoord, exec::VaryingName::TexCoord},
    NameRow{tgsi::Semantic::Fog, exec::VaryingName::Fog},
    NameRow{tgsi::Semantic::ClipDist, exec::VaryingName::ClipDistance},
    NameRow{tgsi::Semantic::ClipVertex, exec::VaryingName::ClipVertex},
    NameRow{tgsi::Semantic::Layer, exec::VaryingName::Layer},
    NameRow{tgsi::Semantic::ViewportIndex, exec::VaryingName::ViewportIndex},
    NameRow{tgsi::Semantic::EdgeFlag, exec::VaryingName::EdgeFlag},
};

}  // namespace

std::optional<exec::VaryingName> varying_name(tgsi::Semantic semantic) {
    for (const NameRow& row : kNames) {
        if (row.semantic == semantic)
            return row.name;
    }
    return std::nullopt;
}

std::optional<uint32_t>
find_slot(const VaryingLayout& layout, const tgsi::Declaration& declaration, uint32_t index) {
    const std::optional<exec::VaryingName> name = varying_name(declaration.semantic);
    if (!declaration.has_semantic || !name)
        return std::nullopt;
    const uint32_t number = declaration.semantic_index + (index - declaration.first);
    for (uint32_t slot = 0; slot < layout.slots.size(); ++slot) {
        if (layout.slots[slot].name == *name && layout.slots[slot].index == number)
            return slot;
    }
    return std::nullopt;
}

}  // namespace lower

namespace {

using lower::varying_name;

/// Whether clipping, culling or polygon mode read it, even if the fragment shader does not.
bool needed_by_front_end(exec::VaryingName name) {
    return name == exec::VaryingName::ClipDistance || name == exec::VaryingName::ClipVertex ||
           name == exec::VaryingName::EdgeFlag;
}

exec::Interpolation interpolation_of(const tgsi::Declaration& declaration) {
    // Integers for the rasterizer are never interpolated.
    if (declaration.semantic == tgsi::Semantic::Layer ||
        declaration.semantic == tgsi::Semantic::ViewportIndex)
        return exec::Interpolation::Flat;
    if (!declaration.has_interpolation)
        return exec::Interpolation::Perspective;
    switch (declaration.interpolation) {
    case tgsi::Interpolation::Constant: return exec::Interpolation::Flat;
    case tgsi::Interpolation::Linear: return exec::Interpolation::Linear;
    case tgsi::Interpolation::Perspective: return exec::Interpolation::Perspective;
    case tgsi::Interpolation::Color: return exec::Interpolation::Color;
    }
    return exec::Interpolation::Perspective;
}

class LayoutMaker {
public:
    /// Calls add() for each register of `file` that is a varying.
    template <typename F>
    void for_each_varying(const tgsi::Shader& shader, tgsi::File file, F&& f) {
        for (const tgsi::Declaration& declaration : shader.declarations) {
            const auto name = varying_name(declaration.semantic);
            if (declaration.file != file || !declaration.has_semantic || !name)
                continue;
            for (uint32_t i = 0; i <= declaration.last - declaration.first && !error; ++i)
                f(declaration, *name, declaration.semantic_index + i);
        }
    }

    void add(const tgsi::Declaration& declaration,
             exec::VaryingName name,
             uint32_t index,
             exec::Interpolation interpolation,
             bool written) {
        for (exec::VaryingSlot& slot : layout.slots) {
            if (slot.name == name && slot.index == index) {
                slot.components |= declaration.usage_mask;
                return;
            }
        }
        if (index > 0xFF || layout.slots.size() == exec::kMaxVaryingSlots) {
            error = Error{Errc::OutOfRange, declaration.pos,
                          "more than " + std::to_string(exec::kMaxVaryingSlots) +
                              " varyings, or a semantic index above 255"};
            return;
        }
        layout.slots.push_back(
            {name, static_cast<uint8_t>(index), interpolation, declaration.usage_mask, written});
    }

    VaryingLayout layout;
    std::optional<Error> error;
};

bool writes(const tgsi::Shader& shader, exec::VaryingName name, uint32_t index) {
    for (const tgsi::Declaration& declaration : shader.declarations) {
        if (declaration.file == tgsi::File::Output && declaration.has_semantic &&
            varying_name(declaration.semantic) == name && index >= declaration.semantic_index &&
            index - declaration.semantic_index <= declaration.last - declaration.first)
            return true;
    }
    return false;
}

Result<VaryingLayout> finish(LayoutMaker& maker) {
    if (maker.error)
        return std::move(*maker.error);
    return std::move(maker.layout);
}

Result<VaryingLayout> varyings_of(const tgsi::Shader& shader, tgsi::File file) {
    LayoutMaker maker;
    maker.for_each_varying(
        shader, file,
        [&](const tgsi::Declaration& declaration, exec::VaryingName name, uint32_t index) {
            maker.add(declaration, name, index, interpolation_of(declaration), true);
        });
    return finish(maker);
}

}  // namespace

Result<VaryingLayout> link_varyings(const tgsi::Shader& producer, const tgsi::Shader& consumer) {
    LayoutMaker maker;
    const bool rasterized = consumer.stage == tgsi::Stage::Fragment;
    maker.for_each_varying(
        consumer, tgsi::File::Input,
        [&](const tgsi::Declaration& declaration, exec::VaryingName name, uint32_t index) {
            const exec::Interpolation interpolation = interpolation_of(declaration);
            // A back colour is read through the front colour's slot, which holds 0 if it is alone.
            const bool back = rasterized && name == exec::VaryingName::Color &&
                              writes(producer, exec::VaryingName::BackColor, index);
            maker.add(declaration, name, index, interpolation,
                      back || writes(producer, name, index));
            if (back)
                maker.add(declaration, exec::VaryingName::BackColor, index, interpolation, true);
        });
    maker.for_each_varying(
        producer, tgsi::File::Output,
        [&](const tgsi::Declaration& declaration, exec::VaryingName name, uint32_t index) {
            if (rasterized && needed_by_front_end(name))
                maker.add(declaration, name, index, exec::Interpolation::Perspective, true);
        });
    return finish(maker);
}

Result<void> add_outputs_read_back(VaryingLayout& layout, const tgsi::Shader& control) {
    LayoutMaker maker;
    maker.layout = std::move(layout);
    const auto is_read = [&](uint32_t index) {
        for (const tgsi::Instruction& inst : control.instructions)
            for (unsigned i = 0; i < inst.src_count; ++i) {
                const tgsi::RegisterRef& reg = inst.src[i].reg;
                if (reg.file == tgsi::File::Output &&
                    (reg.index.indirect || static_cast<uint32_t>(reg.index.value) == index))
                    return true;
            }
        return false;
    };
    for (const tgsi::Declaration& declaration : control.declarations) {
        const auto name = varying_name(declaration.semantic);
        if (declaration.file != tgsi::File::Output || !declaration.has_semantic || !name)
            continue;
        for (uint32_t i = 0; i <= declaration.last - declaration.first && !maker.error; ++i)
            if (is_read(declaration.first + i))
                maker.add(declaration, *name, declaration.semantic_index + i,
                          exec::Interpolation::Flat, true);
    }
    if (maker.error)
        return std::move(*maker.error);
    layout = std::move(maker.layout);
    return {};
}

Result<VaryingLayout> standalone_varyings(const tgsi::Shader& shader) {
    const bool fragment = shader.stage == tgsi::Stage::Fragment;
    return varyings_of(shader, fragment ? tgsi::File::Input : tgsi::File::Output);
}

Result<VaryingLayout> input_varyings(const tgsi::Shader& shader) {
    return varyings_of(shader, tgsi::File::Input);
}

}  // namespace valkyr::valhall
