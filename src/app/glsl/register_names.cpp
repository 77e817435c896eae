// Register names: finds the GLSL variables that registers of a TGSI text hold.
// SPDX-License-Identifier: MIT
#include "app/glsl/register_names.hpp"

#include "app/debug/glsl/anchors.hpp"
#include "app/debug/glsl/glsl_tokens.hpp"
#include "app/glsl/program_interface.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace valkyr::app {

namespace {

constexpr uint32_t kVectorBytes = 16;

/// The registers that an element of a type takes.
struct TypeShape {
    uint32_t columns = 1;
    bool wide = false;  ///< 64-bit components: columns of three or four take two registers
};

/// Types by the constants of the headers of OpenGL: those that are not one register.
TypeShape shape_of(uint32_t type) {
    struct Range {
        uint32_t first, last, columns;
        bool wide;
    };
    constexpr Range kRanges[] = {
        {0x8B5A, 0x8B5A, 2, false}, {0x8B5B, 0x8B5B, 3, false}, {0x8B5C, 0x8B5C, 4, false},
        {0x8B65, 0x8B66, 2, false}, {0x8B67, 0x8B68, 3, false}, {0x8B69, 0x8B6A, 4, false},
        {0x8FFD, 0x8FFE, 1, true},  {0x8F46, 0x8F46, 2, false}, {0x8F47, 0x8F47, 3, true},
        {0x8F48, 0x8F48, 4, true},
    };
    for (const Range& range : kRanges)
        if (type >= range.first && type <= range.last)
            return {range.columns, range.wide};
    return {};
}

bool is_sampler(uint32_t type) {
    return (type >= 0x8B5D && type <= 0x8B64) || (type >= 0x8DC0 && type <= 0x8DC5) ||
           (type >= 0x8DC9 && type <= 0x8DD8) || (type >= 0x9108 && type <= 0x910D) ||
           (type >= 0x900C && type <= 0x900F);
}
bool is_image(uint32_t type) {
    return type >= 0x904C && type <= 0x906C;
}
bool is_counter(uint32_t type) {
    return type == 0x92DB;
}

/// "lights[1].matrix[2]": the name of a register of an element. OpenGL's names of arrays end in
/// "[0]".
std::string element_name(const ProgramResource& resource, uint32_t element, uint32_t column) {
    std::string name = resource.name;
    if (name.ends_with("[0]")) {
        name.resize(name.size() - 3);
        name += "[" + std::to_string(element) + "]";
    }
    if (shape_of(resource.type).columns > 1)
        name += "[" + std::to_string(column) + "]";
    return name;
}

/// Collects the names of one stage.
class Namer {
public:
    Namer(const GlslStage& stage, std::string_view interface, std::string_view glsl)
        : stage_(glsl_stage_number(stage))
        , resources_(parse_interface(interface)) {
        const auto tokens = debug::glsl_tokens(glsl);
        for (size_t i = 0; i < tokens.size(); ++i) {
            declared_.try_emplace(tokens[i].text, i);
            has_state_ |= tokens[i].text.starts_with("gl_");
        }
    }

    std::string run(const tgsi::Shader& shader) {
        name_uniforms(shader);
        name_opaque("SAMP", is_sampler);
        name_opaque("IMAGE", is_image);
        name_blocks();
        if (shader.stage == tgsi::Stage::Vertex)
            name_attributes(shader);
        if (shader.stage == tgsi::Stage::Fragment)
            name_colors(shader);
        return std::move(lines_);
    }

private:
    void add(const std::string& reg, const std::string& name) { lines_ += reg + " " + name + "\n"; }

    [[nodiscard]] bool is_used(const ProgramResource& resource) const {
        return (resource.stages >> stage_ & 1) != 0;
    }

    /// The uniforms of no block that the stage uses, by their declarations.
    template <typename Predicate>
    std::vector<const ProgramResource*> uniforms(Predicate fits) const {
        std::vector<const ProgramResource*> found;
        for (const ProgramResource& each : resources_)
            if (each.kind == ResourceKind::Uniform && each.block < 0 && is_used(each) &&
                !each.name.starts_with("gl_") && fits(each.type))
                found.push_back(&each);
        std::ranges::stable_sort(found, {}, [&](const ProgramResource* each) {
            const auto place = declared_.find(debug::base_name(each->name));
            return place != declared_.end() ? place->second : declared_.size();
        });
        return found;
    }

    void name_uniforms(const tgsi::Shader& shader) {
        const auto plain = [](uint32_t type) {
            return !is_sampler(type) && !is_image(type) && !is_counter(type);
        };
        std::vector<std::string> slots;
        for (const ProgramResource* each : uniforms(plain)) {
            const TypeShape shape = shape_of(each->type);
            const uint32_t registers = shape.wide ? 2 : 1;
            for (int32_t element = 0; element < each->size; ++element)
                for (uint32_t column = 0; column < shape.columns * registers; ++column)
                    slots.push_back(
                        element_name(*each, static_cast<uint32_t>(element), column / registers));
        }
        size_t declared = 0;
        for (const tgsi::Declaration& each : shader.declarations)
            if (each.file == tgsi::File::Constant && (!each.has_outer || each.outer == 0))
                declared = std::max<size_t>(declared, each.last + size_t{1});
        // State of OpenGL follows the program's own uniforms. Without any, a text that has more
        // registers than there are uniforms is not understood.
        if (declared > slots.size() && !has_state_)
            return;
        for (size_t i = 0; i < std::min(slots.size(), declared); ++i)
            add("CONST[0][" + std::to_string(i) + "]", slots[i]);
    }

    void name_opaque(const std::string& file, bool (*fits)(uint32_t type)) {
        uint32_t number = 0;
        for (const ProgramResource* each : uniforms(fits))
            for (int32_t element = 0; element < each->size; ++element)
                add(file + "[" + std::to_string(number++) + "]",
                    element_name(*each, static_cast<uint32_t>(element), 0));
    }

    /// Blocks keep their order in the program; the stage has numbers for those that it uses.
    void name_blocks() {
        std::vector<std::optional<uint32_t>> numbers;
        uint32_t next = 1;
        uint32_t buffers = 0;
        for (const ProgramResource& each : resources_) {
            if (each.kind == ResourceKind::Block)
                numbers.push_back(is_used(each) ? std::optional(next++) : std::nullopt);
            if (each.kind == ResourceKind::StorageBlock && is_used(each))
                add("BUFFER[" + std::to_string(buffers++) + "]", each.name);
        }
        for (const ProgramResource& each : resources_) {
            if (each.kind != ResourceKind::Uniform || each.block < 0 || each.offset < 0 ||
                static_cast<size_t>(each.block) >= numbers.size() ||
                !numbers[static_cast<size_t>(each.block)])
                continue;
            for (int32_t element = 0; element < std::min(each.size, kMostElements); ++element)
                for (uint32_t column = 0; column < shape_of(each.type).columns; ++column) {
                    const auto at =
                        static_cast<uint32_t>(each.offset + element * each.array_stride) +
                        column * static_cast<uint32_t>(each.matrix_stride);
                    const std::string reg =
                        "CONST[" + std::to_string(*numbers[static_cast<size_t>(each.block)]) +
                        "][" + std::to_string(at / kVectorBytes) + "]";
                    if (block_registers_.emplace(reg, 0).second)
                        add(reg, element_name(each, static_cast<uint32_t>(element), column));
                }
        }
    }

    /// Inputs of vertex shaders take the registers in the order of their locations; those that
    /// OpenGL names itself precede.
    void name_attributes(const tgsi::Shader& shader) {
        constexpr std::string_view kBuiltIn[] = {
            "gl_Vertex",         "gl_Normal",         "gl_Color",          "gl_SecondaryColor",
            "gl_FogCoord",       "gl_MultiTexCoord0", "gl_MultiTexCoord1", "gl_MultiTexCoord2",
            "gl_MultiTexCoord3", "gl_MultiTexCoord4", "gl_MultiTexCoord5", "gl_MultiTexCoord6",
            "gl_MultiTexCoord7"};
        std::vector<std::pair<int64_t, const ProgramResource*>> inputs;
        for (const ProgramResource& each : resources_) {
            if (each.kind != ResourceKind::Input)
                continue;
            const auto known = std::ranges::find(kBuiltIn, each.name);
            if (known != std::end(kBuiltIn))
                inputs.emplace_back(known - std::end(kBuiltIn), &each);
            else if (each.location >= 0)
                inputs.emplace_back(each.location, &each);
        }
        std::ranges::sort(inputs);
        std::vector<std::string> slots;
        for (const auto& [place, each] : inputs)
            for (int32_t element = 0; element < std::min(each->size, kMostElements); ++element)
                for (uint32_t column = 0; column < shape_of(each->type).columns; ++column)
                    slots.push_back(element_name(*each, static_cast<uint32_t>(element), column));
        size_t declared = 0;
        for (const tgsi::Declaration& each : shader.declarations)
            if (each.file == tgsi::File::Input)
                declared += each.last - each.first + 1;
        for (size_t i = 0; declared == slots.size() && i < declared; ++i)
            add("IN[" + std::to_string(i) + "]", slots[i]);
    }

    /// Colours of fragment shaders have the numbers of their locations.
    void name_colors(const tgsi::Shader& shader) {
        for (const tgsi::Declaration& each : shader.declarations)
            for (const ProgramResource& output : resources_)
                if (each.file == tgsi::File::Output && each.has_semantic &&
                    each.semantic == tgsi::Semantic::Color && output.kind == ResourceKind::Output &&
                    output.location == static_cast<int32_t>(each.semantic_index))
                    add("OUT[" + std::to_string(each.first) + "]", output.name);
    }

    static constexpr int32_t kMostElements = 4096;  ///< of an array, that get names
    unsigned stage_;
    std::vector<ProgramResource> resources_;
    std::map<std::string, size_t> declared_;  ///< first place of each word of the source
    bool has_state_ = false;                  ///< the source names variables of OpenGL
    std::map<std::string, int> block_registers_;
    std::string lines_;
};

}  // namespace

std::string register_names(const GlslStage& stage,
                           std::string_view interface,
                           std::string_view glsl,
                           std::string_view tgsi) {
    const auto parsed = tgsi::parse(tgsi);
    return parsed.ok() ? Namer(stage, interface, glsl).run(parsed.shader) : std::string();
}

}  // namespace valkyr::app
