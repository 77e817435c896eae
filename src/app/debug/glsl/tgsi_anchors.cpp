// Anchors of TGSI: lists names, constants and functions of a text's instructions.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/anchors.hpp"
#include "app/debug/glsl/number_bits.hpp"
#include "tgsi/names.hpp"
#include "tgsi/opcode_table.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

namespace valkyr::debug {

namespace {

using tgsi::File;
using tgsi::Opcode;
using tgsi::Semantic;
using tgsi::Stage;

/// The symbols of an opcode, by the beginning of its name; the first that fits counts.
struct Spelling {
    std::string_view begin;
    std::string_view symbols;
};
constexpr Spelling kSpellings[] = {
    {"SIN", "sin"},         {"COS", "cos"},
    {"POW", "pow"},         {"EX2", "exp2"},
    {"LG2", "log2"},        {"RSQ", "rsqrt"},
    {"SQRT", "sqrt"},       {"RCP", "div"},
    {"DIV", "div"},         {"DP", "dot"},
    {"FLR", "floor"},       {"CEIL", "ceil"},
    {"FRC", "fract"},       {"TRUNC", "trunc"},
    {"ROUND", "round"},     {"SSG", "sign"},
    {"MIN", "min"},         {"MAX", "max"},
    {"IMIN", "min"},        {"UMIN", "min"},
    {"IMAX", "max"},        {"UMAX", "max"},
    {"LRP", "mix"},         {"DDX", "ddx"},
    {"DDY", "ddy"},         {"TXQ", "texture size"},
    {"TEX", "texture"},     {"TX", "texture"},
    {"TG4", "texture"},     {"LODQ", "texture"},
    {"KILL", "discard"},    {"IF", "if"},
    {"UIF", "if"},          {"ELSE", "else"},
    {"BGNLOOP", "loop"},    {"ENDLOOP", "end loop"},
    {"EMIT", "emit"},       {"ENDPRIM", "end primitive"},
    {"BARRIER", "barrier"}, {"ATOM", "atomic"},
    {"LOAD", "load"},       {"STORE", "store"},
    {"MAD", "mul add"},     {"FMA", "mul add"},
    {"UMAD", "mul add"},    {"MUL", "mul"},
    {"UMUL", "mul"},        {"ADD", "add"},
    {"UADD", "add"},        {"CMP", "select"},
    {"UCMP", "select"},     {"FSLT", "compare"},
    {"FSGE", "compare"},    {"FSEQ", "compare"},
    {"FSNE", "compare"},    {"ISGE", "compare"},
    {"ISLT", "compare"},    {"USEQ", "compare"},
    {"USNE", "compare"},    {"USGE", "compare"},
    {"USLT", "compare"},    {"SLT", "compare"},
    {"SGE", "compare"},     {"SEQ", "compare"},
    {"SNE", "compare"},     {"SHL", "shift"},
    {"ISHR", "shift"},      {"USHR", "shift"},
    {"AND", "and"},         {"OR", "or"},
    {"XOR", "xor"},         {"MOD", "remainder"},
    {"UMOD", "remainder"},  {"IDIV", "div"},
    {"UDIV", "div"},        {"POPC", "bits"},
};

/// The variable of GLSL that a semantic stands for, by stage and direction.
struct BuiltIn {
    Semantic semantic;
    File file;
    std::optional<Stage> stage;
    std::string_view name;
};
constexpr BuiltIn kBuiltIns[] = {
    {Semantic::Position, File::Output, Stage::Fragment, "gl_FragDepth"},
    {Semantic::Position, File::Output, std::nullopt, "gl_Position"},
    {Semantic::Position, File::Input, Stage::Fragment, "gl_FragCoord"},
    {Semantic::Position, File::SystemValue, Stage::Fragment, "gl_FragCoord"},
    {Semantic::Position, File::Input, std::nullopt, "gl_in"},
    {Semantic::Color, File::Output, Stage::Fragment, "gl_FragColor"},
    {Semantic::Color, File::Output, std::nullopt, "gl_FrontColor"},
    {Semantic::Color, File::Input, Stage::Fragment, "gl_Color"},
    {Semantic::BColor, File::Output, std::nullopt, "gl_BackColor"},
    {Semantic::Fog, File::Output, std::nullopt, "gl_FogFragCoord"},
    {Semantic::Fog, File::Input, std::nullopt, "gl_FogFragCoord"},
    {Semantic::PSize, File::Output, std::nullopt, "gl_PointSize"},
    {Semantic::TexCoord, File::Output, std::nullopt, "gl_TexCoord"},
    {Semantic::TexCoord, File::Input, std::nullopt, "gl_TexCoord"},
    {Semantic::PCoord, File::Input, std::nullopt, "gl_PointCoord"},
    {Semantic::Face, File::Input, std::nullopt, "gl_FrontFacing"},
    {Semantic::Face, File::SystemValue, std::nullopt, "gl_FrontFacing"},
    {Semantic::ClipDist, File::Output, std::nullopt, "gl_ClipDistance"},
    {Semantic::ClipVertex, File::Output, std::nullopt, "gl_ClipVertex"},
    {Semantic::Layer, File::Output, std::nullopt, "gl_Layer"},
    {Semantic::ViewportIndex, File::Output, std::nullopt, "gl_ViewportIndex"},
    {Semantic::VertexId, File::SystemValue, std::nullopt, "gl_VertexID"},
    {Semantic::InstanceId, File::SystemValue, std::nullopt, "gl_InstanceID"},
    {Semantic::PrimId, File::SystemValue, std::nullopt, "gl_PrimitiveID"},
    {Semantic::BlockId, File::SystemValue, std::nullopt, "gl_WorkGroupID"},
    {Semantic::GridSize, File::SystemValue, std::nullopt, "gl_NumWorkGroups"},
    {Semantic::ThreadId, File::SystemValue, std::nullopt, "gl_LocalInvocationID"},
    {Semantic::SampleId, File::SystemValue, std::nullopt, "gl_SampleID"},
};

std::string_view built_in(const tgsi::Declaration& declaration, Stage stage) {
    for (const BuiltIn& each : kBuiltIns)
        if (declaration.has_semantic && declaration.semantic == each.semantic &&
            declaration.file == each.file && each.stage.value_or(stage) == stage)
            return each.name;
    return {};
}

/// Lists the anchors of a shader.
class Lister {
public:
    Lister(const tgsi::Shader& shader, const RegisterNames& names)
        : shader_(shader)
        , names_(names) {}

    std::vector<Anchor> run() {
        for (const tgsi::Instruction& instruction : shader_.instructions)
            if (anchors_.size() < kMostAnchors)
                add(instruction);
        return std::move(anchors_);
    }

private:
    void add(const tgsi::Instruction& instruction) {
        const uint32_t line = instruction.pos.line;
        for (unsigned i = 0; i < instruction.src_count; ++i) {
            const tgsi::Src& source = instruction.src[i];
            if (source.reg.file == File::Immediate)
                add_number(source, line);
            else
                add_name(source.reg, line);
        }
        const std::string_view opcode = tgsi::opcode_info(instruction.opcode).name;
        for (const Spelling& each : kSpellings)
            if (opcode.starts_with(each.begin)) {
                add_symbols(each.symbols, line);
                break;
            }
        for (unsigned i = 0; i < instruction.dst_count; ++i)
            add_name(instruction.dst[i].reg, line);
    }

    void add_symbols(std::string_view symbols, uint32_t line) {
        // Two symbols of one opcode; "texture size", "end loop" and "end primitive" are one each.
        if (symbols == "mul add") {
            anchors_.push_back({"mul", line});
            symbols = "add";
        }
        anchors_.push_back({std::string(symbols), line});
    }

    /// The constants that a source reads, each once.
    void add_number(const tgsi::Src& source, uint32_t line) {
        const auto index = static_cast<size_t>(source.reg.index.value);
        if (source.reg.index.indirect || index >= shader_.immediates.size())
            return;
        uint32_t last = 0;
        bool any = false;
        for (const uint8_t component : source.swizzle) {
            uint32_t word = shader_.immediates[index].words[component];
            if (source.negate && word >> 31 != 0)
                word ^= 0x80000000U;
            if (!any || word != last)
                anchors_.push_back({"number " + number_bits(word), line});
            last = word;
            any = true;
        }
    }

    void add_name(const tgsi::RegisterRef& reg, uint32_t line) {
        std::string name = plain_name(name_of(reg));
        if (!name.empty())
            anchors_.push_back({"name " + std::move(name), line});
    }

    [[nodiscard]] std::string name_of(const tgsi::RegisterRef& reg) const {
        const std::string file(tgsi::name_of(reg.file));
        std::string key = file;
        if (reg.file == File::Constant)
            key += "[" + std::to_string(reg.has_outer ? reg.outer.value : 0) + "]";
        key += "[" + std::to_string(reg.index.value) + "]";
        if (const auto found = names_.find(key); found != names_.end())
            return found->second;
        for (const tgsi::Declaration& each : shader_.declarations)
            if (each.file == reg.file && reg.index.value >= 0 &&
                static_cast<uint32_t>(reg.index.value) >= each.first &&
                static_cast<uint32_t>(reg.index.value) <= each.last)
                return std::string(built_in(each, shader_.stage));
        return {};
    }

    const tgsi::Shader& shader_;
    const RegisterNames& names_;
    std::vector<Anchor> anchors_;
};

}  // namespace

RegisterNames parse_names(std::string_view text) {
    RegisterNames names;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const size_t blank = line.find(' ');
        if (blank != std::string_view::npos)
            names.emplace(line.substr(0, blank), line.substr(blank + 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

std::string base_name(std::string_view name) {
    return std::string(name.substr(0, name.find_first_of("[.")));
}

bool may_be_swizzle(std::string_view member) {
    constexpr std::string_view kSets[] = {"xyzw", "rgba", "stpq"};
    return member.size() <= 4 && std::ranges::any_of(kSets, [member](std::string_view set) {
               return member.find_first_not_of(set) == std::string_view::npos;
           });
}

std::string plain_name(std::string_view name) {
    std::string plain;
    while (!name.empty()) {
        const size_t point = std::min(name.find('.'), name.size());
        const std::string_view part = name.substr(0, point);
        const std::string_view word = part.substr(0, part.find('['));
        if (plain.empty())
            plain = word;
        else if (!may_be_swizzle(word))
            plain += "." + std::string(word);
        name.remove_prefix(std::min(point + 1, name.size()));
    }
    return plain;
}

std::vector<Anchor> tgsi_anchors(const tgsi::Shader& shader, const RegisterNames& names) {
    return Lister(shader, names).run();
}

unsigned anchor_weight(std::string_view symbol) {
    constexpr std::string_view kWeak[] = {"mul", "add",    "div",   "and", "or",
                                          "xor", "select", "shift", "abs", "compare"};
    constexpr std::string_view kCommonNumbers[] = {"number 00000000", "number 3f800000"};
    if (std::ranges::find(kWeak, symbol) != std::end(kWeak) ||
        std::ranges::find(kCommonNumbers, symbol) != std::end(kCommonNumbers))
        return 1;
    if (symbol.starts_with("name "))
        return 8;
    return symbol.starts_with("number ") ? 5 : 6;
}

}  // namespace valkyr::debug
