// System values: gives the lanes of a shader text the values that fixed functions make.
// SPDX-License-Identifier: MIT
#include "app/debug/shader/system_values.hpp"

#include "base/bits.hpp"
#include "tgsi/names.hpp"
#include "valhall/compiler/program_io.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>

namespace valkyr::debug {

namespace {

using tgsi::Semantic;
using tgsi::Stage;
using tgsi::Word4;

constexpr uint32_t kAllOnes = 0xFFFFFFFF;
constexpr float kWindowHeight = 4;

bool is_lower_left(const tgsi::Shader& shader) {
    return shader.property("FS_COORD_ORIGIN", 0) != 0;
}
/// Where a pixel's centre is: 0.5, or 0.
float centre(const tgsi::Shader& shader) {
    return shader.property("FS_COORD_PIXEL_CENTER", 0) != 0 ? 0.0F : 0.5F;
}

/// POSITION of a fragment in the first block of a window.
Word4 first_position(const tgsi::Shader& shader, uint32_t lane) {
    const auto x = static_cast<float>(exec::lane_x(lane & 15));
    const auto row = static_cast<float>(exec::lane_y(lane & 15));
    const float y = is_lower_left(shader) ? kWindowHeight - 1 - row : row;
    return {as_bits(x + centre(shader)), as_bits(y + centre(shader)), as_bits(0.5F), as_bits(1.0F)};
}

Word4 filled(uint32_t word) {
    return {word, word, word, word};
}

/// The value of a register that nothing was given for.
Word4 default_of(const tgsi::Shader& shader, const tgsi::Declaration& declaration, uint32_t lane) {
    const bool input = declaration.file == tgsi::File::Input;
    switch (declaration.semantic) {
    case Semantic::VertexId:
    case Semantic::VertexIdNoBase: return filled(lane);
    case Semantic::InvocationId: return filled(shader.stage == Stage::TessCtrl ? lane : 0);
    case Semantic::Position:
        return shader.stage == Stage::Fragment ? first_position(shader, lane) : Word4{};
    case Semantic::Face:
        return input ? Word4{as_bits(1.0F), 0, 0, as_bits(1.0F)} : filled(kAllOnes);
    case Semantic::PCoord: return {as_bits(0.5F), as_bits(0.5F), 0, as_bits(1.0F)};
    case Semantic::SamplePos: return {as_bits(0.5F), as_bits(0.5F), 0, 0};
    case Semantic::SampleMask: return input ? Word4{} : filled(1);
    default: return {};
    }
}

/// Whether the register is given by fixed functions.
bool is_fixed(const tgsi::Shader& shader, const tgsi::Declaration& declaration) {
    if (declaration.file == tgsi::File::SystemValue)
        return true;
    if (declaration.file != tgsi::File::Input || shader.stage != Stage::Fragment)
        return false;
    return declaration.semantic == Semantic::Position || declaration.semantic == Semantic::Face ||
           declaration.semantic == Semantic::PCoord || declaration.semantic == Semantic::PrimId;
}

std::vector<Word4>& values_of(tgsi::Invocation& lane, tgsi::File file) {
    return file == tgsi::File::Input ? lane.inputs : lane.system_values;
}
const std::vector<Word4>& values_of(const tgsi::Invocation& lane, tgsi::File file) {
    return file == tgsi::File::Input ? lane.inputs : lane.system_values;
}

/// Gives a warp the values of one register after the other.
class Binder {
public:
    Binder(WarpCase& warp, const tgsi::Shader& shader, const tgsi::Group& group)
        : warp_(warp)
        , shader_(shader)
        , group_(group) {}

    Result<void> bind() {
        for (const tgsi::Declaration& declaration : shader_.declarations)
            for (uint32_t i = declaration.first;
                 is_fixed(shader_, declaration) && i <= declaration.last; ++i)
                VALKYR_TRY_VOID(bind_register(declaration, i));
        // It is another name of VERTEXID.
        for (const tgsi::Declaration& declaration : shader_.declarations)
            if (declaration.file == tgsi::File::SystemValue &&
                declaration.semantic == Semantic::VertexIdNoBase)
                VALKYR_TRY_VOID(check_no_base(declaration, declaration.first));
        return {};
    }

private:
    [[nodiscard]] Word4
    value(const tgsi::Declaration& declaration, uint32_t index, uint32_t lane) const {
        const std::vector<Word4>& values = values_of(group_.invocations[lane], declaration.file);
        return index < values.size() ? values[index] : default_of(shader_, declaration, lane);
    }

    /// A value that all lanes share.
    Result<Word4> shared(const tgsi::Declaration& declaration, uint32_t index) const {
        const Word4 first = value(declaration, index, 0);
        for (uint32_t lane = 1; lane < warp_.count; ++lane)
            if (value(declaration, index, lane) != first)
                return refused(declaration, "is one value for all lanes of a warp");
        return first;
    }

    [[nodiscard]] static Error refused(const tgsi::Declaration& declaration,
                                       const std::string& why) {
        return {Errc::Unsupported,
                {},
                std::string(tgsi::name_of(declaration.semantic)) + " of compiled programs " + why};
    }

    /// The only value that compiled programs of this kind of warp have.
    Result<void> fixed(const tgsi::Declaration& declaration, uint32_t index, const char* why) {
        for (uint32_t lane = 0; lane < warp_.count; ++lane) {
            const Word4 given = value(declaration, index, lane);
            const Word4 only = default_of(shader_, declaration, lane);
            if (given[0] != only[0] || given[1] != only[1])
                return refused(declaration, why);
        }
        return {};
    }

    Result<void> bind_register(const tgsi::Declaration& declaration, uint32_t index) {
        switch (declaration.semantic) {
        case Semantic::VertexId:
            for (uint32_t lane = 0; lane < warp_.count; ++lane)
                warp_.vertex_ids[lane] = value(declaration, index, lane)[0];
            warp_.draw.vertex_ids = warp_.vertex_ids;
            return {};
        case Semantic::InstanceId: return take(declaration, index, warp_.instance_id);
        case Semantic::BaseVertex: return take(declaration, index, warp_.base_vertex);
        case Semantic::BaseInstance: return take(declaration, index, warp_.base_instance);
        case Semantic::DrawId: return take(declaration, index, warp_.draw_id);
        case Semantic::Position: return position(declaration, index);
        case Semantic::Face: return face(declaration, index);
        case Semantic::PCoord: return point(declaration, index);
        case Semantic::PrimId:
            return warp_.stage() == exec::Stage::Fragment
                       ? take(declaration, index, warp_.primitive.primitive_id)
                       : Result<void>();
        case Semantic::SampleId:
            return fixed(declaration, index, "is 0 here: pixels have one sample");
        case Semantic::SamplePos:
            return fixed(declaration, index, "is (0.5, 0.5) here: pixels have one sample");
        case Semantic::SampleMask:
            return fixed(declaration, index, "is 1 here: pixels have one sample");
        default: return {};
        }
    }

    Result<void> take(const tgsi::Declaration& declaration, uint32_t index, uint32_t& to) {
        VALKYR_TRY(word, shared(declaration, index));
        to = word[0];
        return {};
    }

    Result<void> face(const tgsi::Declaration& declaration, uint32_t index) {
        VALKYR_TRY(word, shared(declaration, index));
        const bool input = declaration.file == tgsi::File::Input;
        const uint32_t front = input ? as_bits(1.0F) : kAllOnes;
        const uint32_t back = input ? as_bits(-1.0F) : 0;
        if (word[0] != front && word[0] != back)
            return refused(declaration, input ? "is 1 or -1" : "is 0xffffffff or 0");
        warp_.primitive.flags = word[0] == front ? 0 : 1;
        return {};
    }

    Result<void> point(const tgsi::Declaration& declaration, uint32_t index) {
        for (uint32_t lane = 0; lane < warp_.count; ++lane) {
            const Word4 word = value(declaration, index, lane);
            warp_.draw.point_coordinate[0].v[lane] = word[0];
            warp_.draw.point_coordinate[1].v[lane] = word[1];
        }
        return {};
    }

    /// x and y come from the place of the block, z and w by message.
    Result<void> position(const tgsi::Declaration& declaration, uint32_t index) {
        if (warp_.stage() != exec::Stage::Fragment)
            return {};
        const auto number = [&](uint32_t lane, unsigned component) {
            return std::bit_cast<float>(value(declaration, index, lane)[component]) -
                   centre(shader_);
        };
        const float x = number(0, 0);
        const float y = number(0, 1);
        constexpr float kMost = 1 << 20;
        constexpr const char* kWhy = "is that of a block of 4x4 pixels: x of lane 0 is a multiple "
                                     "of 4 from 0 on, and so is y, counted from the top; others "
                                     "follow in Z order";
        const bool lower = is_lower_left(shader_);
        if (!(x >= 0 && x < kMost && y >= 0 && y < kMost) || std::fmod(x, 4) != 0 ||
            (lower ? y != std::floor(y) : std::fmod(y, 4) != 0))
            return refused(declaration, kWhy);
        warp_.x = static_cast<int32_t>(x);
        warp_.y = lower ? 0 : static_cast<int32_t>(y);
        warp_.target_height = lower ? y + 1 : kWindowHeight;
        for (uint32_t lane = 0; lane < warp_.count; ++lane) {
            const auto row = static_cast<float>(exec::lane_y(lane));
            if (number(lane, 0) != x + static_cast<float>(exec::lane_x(lane)) ||
                number(lane, 1) != (lower ? y - row : y + row))
                return refused(declaration, kWhy);
            const Word4 word = value(declaration, index, lane);
            warp_.draw.fragment_z.v[lane] = word[2];
            warp_.draw.fragment_w.v[lane] = word[3];
        }
        return {};
    }

    Result<void> check_no_base(const tgsi::Declaration& declaration, uint32_t index) {
        if (tgsi::find_register(shader_, tgsi::File::SystemValue, Semantic::VertexId, 0) < 0) {
            for (uint32_t lane = 0; lane < warp_.count; ++lane)
                warp_.vertex_ids[lane] = value(declaration, index, lane)[0] + warp_.base_vertex;
            warp_.draw.vertex_ids = warp_.vertex_ids;
        }
        for (uint32_t lane = 0; lane < warp_.count; ++lane)
            if (value(declaration, index, lane)[0] != warp_.vertex_ids[lane] - warp_.base_vertex)
                return refused(declaration, "is VERTEXID minus BASEVERTEX");
        return {};
    }

    WarpCase& warp_;
    const tgsi::Shader& shader_;
    const tgsi::Group& group_;
};

}  // namespace

void default_system_values(const tgsi::Shader& shader, tgsi::Group& group) {
    for (const tgsi::Declaration& declaration : shader.declarations) {
        if (!is_fixed(shader, declaration))
            continue;
        for (uint32_t lane = 0; lane < group.invocations.size(); ++lane) {
            std::vector<Word4>& values = values_of(group.invocations[lane], declaration.file);
            if (values.size() <= declaration.last)
                values.resize(declaration.last + size_t{1});
            for (uint32_t i = declaration.first; i <= declaration.last; ++i)
                values[i] = default_of(shader, declaration, lane);
        }
    }
}

Result<void>
bind_system_values(WarpCase& warp, const tgsi::Shader& shader, const tgsi::Group& group) {
    return Binder(warp, shader, group).bind();
}

}  // namespace valkyr::debug
