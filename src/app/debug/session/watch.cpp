// Watches: read values by name, and conditions on them.
// SPDX-License-Identifier: MIT
#include "app/debug/session/watch.hpp"

#include "app/cli/text_scan.hpp"
#include "app/debug/session/debugger.hpp"
#include "app/debug/session/patch_records.hpp"
#include "exec/thread_storage.hpp"
#include "tgsi/names.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace valkyr::debug {

namespace {

using app::take_index;
using app::take_number;
using valhall::ValueLocation;
constexpr std::string_view kComponents = "xyzw";

Error syntax(std::string text) {
    return {Errc::Syntax, {}, std::move(text)};
}

std::string without_blanks(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c != ' ' && c != '\t')
            out += c;
    return out;
}

/// "r12", "u3".
Result<Watch> parse_guest(std::string_view text, const std::string& whole) {
    Watch watch;
    watch.kind = text[0] == 'r' ? Watch::Kind::GuestRegister : Watch::Kind::UniformWord;
    watch.text = whole;
    watch.components = {0};
    std::string_view number = text.substr(1);
    const auto index = take_number(number);
    if (!index || !number.empty())
        return syntax("'" + whole +
                      "' is no name: expected TEMP[0].x, IN, OUT, CONST, IMM, r12, u3");
    const uint32_t limit = text[0] == 'r' ? exec::kRegisters : 256;
    if (*index >= limit)
        return Error{Errc::OutOfRange, {}, "there is no " + whole};
    watch.index = *index;
    return watch;
}

/// The declaration of a register; null if there is none.
const tgsi::Declaration* find_declaration(const tgsi::Shader& shader, const Watch& watch) {
    const auto found =
        std::ranges::find_if(shader.declarations, [&](const tgsi::Declaration& declaration) {
            return declaration.file == watch.file && watch.index >= declaration.first &&
                   watch.index <= declaration.last &&
                   (watch.file != tgsi::File::Constant || declaration.outer == watch.outer);
        });
    return found != shader.declarations.end() ? &*found : nullptr;
}

bool is_declared(const tgsi::Shader& shader, const Watch& watch) {
    return watch.file == tgsi::File::Immediate ? watch.index < shader.immediates.size()
                                               : find_declaration(shader, watch) != nullptr;
}

/// "[0]", "[1][0].xy" behind the name of a file.
Result<Watch> parse_register(tgsi::File file, std::string_view rest, const std::string& whole) {
    Watch watch;
    watch.file = file;
    watch.text = whole;
    const auto first = take_index(rest);
    if (!first)
        return syntax("'" + whole + "': expected an index in brackets");
    watch.index = *first;
    if (const auto second = take_index(rest)) {
        watch.outer = *first;
        watch.index = *second;
    }
    if (rest.starts_with('.')) {
        for (const char c : rest.substr(1)) {
            const size_t component = kComponents.find(c);
            if (component == std::string_view::npos || watch.components.size() == 4)
                return syntax("'" + whole + "': components are x, y, z and w");
            watch.components.push_back(static_cast<uint8_t>(component));
        }
    } else if (!rest.empty()) {
        return syntax("'" + whole + "': unexpected '" + std::string(rest) + "'");
    }
    if (watch.components.empty())
        watch.components = {0, 1, 2, 3};
    return watch;
}

uint32_t constant_word(const Session& session, uint32_t buffer, uint32_t word) {
    if (buffer < session.constants.size())
        return word < session.constants[buffer].size() ? session.constants[buffer][word] : 0;
    const auto& tables = session.warp->draw.tables;
    if (buffer >= tables.constant_buffer_count)
        return 0;
    const exec::BufferDescriptor& bound = tables.constant_buffers[buffer];
    uint32_t value = 0;
    if (bound.address != nullptr && uint64_t{word} * 4 + 4 <= bound.size)
        std::memcpy(&value, bound.address + size_t{word} * 4, sizeof value);
    return value;
}

/// A uniform and its place: a word of the uniform area (FAU), or else of a constant buffer.
struct Uniform {
    uint32_t value = 0;
    std::string place;
};
Uniform read_uniform(const Session& session, const valhall::FauWord& word) {
    const std::vector<valhall::FauWord>& words = session.warp->program->fau;
    const auto found = std::ranges::find(words, word);
    if (found != words.end()) {
        const auto index = static_cast<size_t>(found - words.begin());
        return {session.warp->draw.fau[index], "u" + std::to_string(index)};
    }
    if (word.kind == valhall::FauKind::Constant)
        return {constant_word(session, word.buffer, word.value), "constant buffer"};
    return {};
}

void set_all(WatchValue& value, uint32_t word, std::string place) {
    std::ranges::fill(value.lanes.v, word);
    value.known = 0xFFFF;
    value.place = std::move(place);
}

/// The location's value in one lane; false if it has none.
bool read_location(const View& view, const ValueLocation& location, unsigned lane, uint32_t& word) {
    switch (location.kind) {
    case ValueLocation::Kind::NotLive: return false;
    case ValueLocation::Kind::Unwritten: word = 0; return true;
    case ValueLocation::Kind::Literal: word = location.value; return true;
    case ValueLocation::Kind::Register: word = view.state.r[location.value].v[lane]; return true;
    case ValueLocation::Kind::Uniform: {
        const Uniform uniform = read_uniform(view.session, location.uniform);
        word = uniform.value;
        return !uniform.place.empty();
    }
    case ValueLocation::Kind::Memory: {
        const size_t offset = exec::thread_local_place(lane, location.value);
        if (offset + 4 > view.tls.size())
            return false;
        std::memcpy(&word, view.tls.data() + offset, sizeof word);
        return true;
    }
    }
    return false;
}

std::string place_name(const View& view, const ValueLocation& location) {
    switch (location.kind) {
    case ValueLocation::Kind::NotLive: return "not live";
    case ValueLocation::Kind::Unwritten: return "not written";
    case ValueLocation::Kind::Literal: return "literal";
    case ValueLocation::Kind::Register: return "r" + std::to_string(location.value);
    case ValueLocation::Kind::Uniform: {
        const std::string place = read_uniform(view.session, location.uniform).place;
        return place.empty() ? "not live" : place;
    }
    case ValueLocation::Kind::Memory: return "tls+" + std::to_string(location.value);
    }
    return {};
}

/// Reads IN[v][i] of a geometry shader from the records of the primitives' vertices.
WatchValue read_vertex_input(const View& view, const Watch& watch, unsigned component) {
    WatchValue value;
    const WarpCase& warp = *view.session.warp;
    const size_t word = component * sizeof(uint32_t);
    const auto* declaration = find_declaration(*view.session.shader, watch);
    if (declaration->semantic == tgsi::Semantic::PrimId) {
        std::ranges::copy(warp.primitive_ids, std::begin(value.lanes.v));
        value.known = 0xFFFF;
        value.place = "primitive ID";
        return value;
    }
    const auto place = valhall::record_place(warp.input_slots, *declaration, watch.index);
    if (!place || word >= place->bytes) {
        value.place = "not in the records";
        return value;
    }
    value.place = "record+" + std::to_string(place->offset + word);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const size_t record = size_t{warp.input_vertices[watch.outer][lane]} * warp.input_stride;
        std::memcpy(&value.lanes.v[lane], warp.input_records.data() + record + place->offset + word,
                    sizeof(uint32_t));
    }
    value.known = 0xFFFF;
    return value;
}

/// Reads a register of a tessellation shader that lies in the records of the patch: IN[v][i],
/// IN[i], and the same of OUT of control shaders, as they are at this place.
WatchValue read_patch_register(const View& view, const Watch& watch, unsigned component) {
    WatchValue value;
    const WarpCase& warp = *view.session.warp;
    const PatchGroup& patches = *warp.patches;
    const auto& declaration = *find_declaration(*view.session.shader, watch);
    const auto place = patch_register(warp, declaration, watch.index);
    if (!place || component >= place->words) {
        value.place = "not in the records";
        return value;
    }
    const bool of_patch = place->table == exec::ResourceTable::PatchRecords;
    const bool input = place->table == exec::ResourceTable::InputRecords;
    const uint32_t vertices = of_patch ? 1
                              : input  ? patches.vertices
                                       : warp.program->info.patch.vertices;
    if (!of_patch && watch.outer >= vertices) {
        value.place = "no such vertex";
        return value;
    }
    const unsigned number = table_number(place->table);
    const std::span<const uint8_t> records = view.memory[1 + number];  // behind shared memory
    const size_t offset = place->offset + component * sizeof(uint32_t);
    value.place = "record+" + std::to_string(offset);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const uint32_t invocation = view.warp * exec::kLanes + lane;
        if (invocation >= warp.work_group->invocations())
            continue;
        const size_t record =
            size_t{warp.patch_of(invocation)} * vertices + (of_patch ? 0 : watch.outer);
        value.lanes.v[lane] = word_at(records, record * patches.strides[number] + offset);
        value.known |= static_cast<uint16_t>(1U << lane);
    }
    return value;
}

/// A component of a system value of a tessellation shader.
uint32_t patch_value(const WarpCase& warp,
                     tgsi::Semantic semantic,
                     uint32_t invocation,
                     unsigned component) {
    const PatchGroup& patches = *warp.patches;
    const uint32_t patch = warp.patch_of(invocation);
    const uint8_t* record = patches.record(exec::ResourceTable::PatchRecords, patch);
    const auto word = [component](const uint8_t* words, unsigned count) {
        uint32_t value = 0;
        if (component < count)
            std::memcpy(&value, words + component * sizeof value, sizeof value);
        return value;
    };
    switch (semantic) {
    case tgsi::Semantic::InvocationId: return invocation % warp.work_group->block[0];
    case tgsi::Semantic::VerticesIn: return patches.vertices;
    case tgsi::Semantic::PrimId: return patches.id(patch);
    case tgsi::Semantic::TessCoord:
        return word(patches.record(exec::ResourceTable::DomainPoints, invocation), 3);
    case tgsi::Semantic::TessOuter: return word(record + offsetof(exec::PatchRecord, outer), 4);
    case tgsi::Semantic::TessInner: return word(record + offsetof(exec::PatchRecord, inner), 2);
    default: return 0;
    }
}

WatchValue read_patch_value(const View& view, const Watch& watch, unsigned component) {
    WatchValue value;
    const WarpCase& warp = *view.session.warp;
    const auto& declaration = *find_declaration(*view.session.shader, watch);
    value.place = "of the patch";
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const uint32_t invocation = view.warp * exec::kLanes + lane;
        if (invocation >= warp.work_group->invocations())
            continue;
        value.lanes.v[lane] = patch_value(warp, declaration.semantic, invocation, component);
        value.known |= static_cast<uint16_t>(1U << lane);
    }
    return value;
}

/// Reads TEMP, OUT, IN, ADDR and SV. Each lane finds the value's location by its own next word.
WatchValue read_variable(const View& view, const Watch& watch, unsigned component) {
    WatchValue value;
    const valhall::WarpState& state = view.state;
    if (!view.session.info) {
        value.place = "not known for this program";
        return value;
    }
    const auto locate = [&](uint32_t word) {
        return view.session.info->locate(watch.file, watch.index, component, word);
    };
    for (unsigned lane = 0; lane < exec::kLanes; ++lane)
        if ((state.alive >> lane & 1) != 0 &&
            read_location(view, locate(state.pc[lane]), lane, value.lanes.v[lane]))
            value.known |= static_cast<uint16_t>(1U << lane);
    value.place = state.alive == 0 ? "ended" : place_name(view, locate(view.word));
    return value;
}

bool compare(Condition::Compare how, double a, double b) {
    switch (how) {
    case Condition::Compare::Equal: return a == b;
    case Condition::Compare::NotEqual: return a != b;
    case Condition::Compare::Less: return a < b;
    case Condition::Compare::LessEqual: return a <= b;
    case Condition::Compare::Greater: return a > b;
    case Condition::Compare::GreaterEqual: return a >= b;
    }
    return false;
}

struct CompareName {
    std::string_view text;
    Condition::Compare compare;
};
/// Longer operators come first: "<" is a prefix of "<=".
constexpr CompareName kCompares[] = {
    {"==", Condition::Compare::Equal},     {"!=", Condition::Compare::NotEqual},
    {"<=", Condition::Compare::LessEqual}, {">=", Condition::Compare::GreaterEqual},
    {"<", Condition::Compare::Less},       {">", Condition::Compare::Greater},
};

}  // namespace

Result<Watch> parse_name(std::string_view text) {
    const std::string whole = without_blanks(text);
    const std::string_view name = std::string_view(whole).substr(0, whole.find('['));
    const auto file = tgsi::find_keyword<tgsi::File>(name);
    const bool readable = file && (*file == tgsi::File::Temporary || *file == tgsi::File::Output ||
                                   *file == tgsi::File::Input || *file == tgsi::File::Address ||
                                   *file == tgsi::File::SystemValue ||
                                   *file == tgsi::File::Constant || *file == tgsi::File::Immediate);
    if (!readable) {
        if (whole.size() > 1 && (whole[0] == 'r' || whole[0] == 'u'))
            return parse_guest(whole, whole);
        return syntax("'" + whole +
                      "' is no name: expected TEMP[0].x, IN, OUT, CONST, IMM, r12, u3");
    }
    return parse_register(*file, std::string_view(whole).substr(name.size()), whole);
}

Result<void> check_declared(const Watch& watch, const tgsi::Shader& shader) {
    if (watch.kind != Watch::Kind::Tgsi)
        return {};
    if (watch.file == tgsi::File::Input && shader.stage == tgsi::Stage::Geometry &&
        watch.outer >= exec::kMaxInputVertices)
        return Error{Errc::OutOfRange, {}, "there is no " + watch.text};
    if (!is_declared(shader, watch))
        return Error{Errc::Semantic, {}, "the shader declares no " + watch.text};
    return {};
}

Result<Watch> parse_watch(std::string_view text, const tgsi::Shader& shader) {
    VALKYR_TRY(watch, parse_name(text));
    VALKYR_TRY_VOID(check_declared(watch, shader));
    return watch;
}

WatchValue read_watch(const View& view, const Watch& watch, unsigned component) {
    WatchValue value;
    if (watch.kind == Watch::Kind::GuestRegister) {
        value.lanes = view.state.r[watch.index];
        value.known = 0xFFFF;
        value.place = watch.text;
        return value;
    }
    const size_t fau_words = view.session.warp->program->fau.size();
    if (watch.kind == Watch::Kind::UniformWord) {
        if (watch.index < fau_words)
            set_all(value, view.session.warp->draw.fau[watch.index], watch.text);
        else
            value.place = "the program has " + std::to_string(fau_words) + " uniform words";
        return value;
    }
    if (watch.file == tgsi::File::Immediate) {
        set_all(value, view.session.shader->immediates[watch.index].words[component], "literal");
    } else if (watch.file == tgsi::File::Constant) {
        const valhall::FauWord word{valhall::FauKind::Constant, static_cast<uint8_t>(watch.outer),
                                    4 * watch.index + component};
        const Uniform uniform = read_uniform(view.session, word);
        set_all(value, uniform.value, uniform.place);
    } else if (view.session.warp->patches &&
               (watch.file == tgsi::File::Input ||
                (watch.file == tgsi::File::Output && view.session.warp->is_control()))) {
        return read_patch_register(view, watch, component);
    } else if (view.session.warp->patches && watch.file == tgsi::File::SystemValue) {
        return read_patch_value(view, watch, component);
    } else if (watch.file == tgsi::File::Input &&
               view.session.shader->stage == tgsi::Stage::Geometry) {
        return read_vertex_input(view, watch, component);
    } else {
        return read_variable(view, watch, component);
    }
    return value;
}

Result<Condition> parse_condition(std::string_view text) {
    const std::string whole = without_blanks(text);
    for (const CompareName& name : kCompares) {
        const size_t at = whole.find(name.text);
        if (at == std::string::npos)
            continue;
        VALKYR_TRY(watch, parse_name(std::string_view(whole).substr(0, at)));
        if (watch.components.size() != 1)
            return syntax("'" + watch.text + "': a condition is about one component");
        Condition condition{watch, name.compare};
        std::string number = whole.substr(at + name.text.size());
        condition.is_float = !number.starts_with("0x") && !number.ends_with('i');
        if (number.ends_with('i'))
            number.pop_back();
        char* end = nullptr;
        condition.number = std::strtod(number.c_str(), &end);
        if (number.empty() || *end != '\0')
            return syntax("'" + number + "' is no number");
        return condition;
    }
    return syntax("expected a condition like TEMP[0].x > 0.5");
}

Result<Condition> parse_condition(std::string_view text, const tgsi::Shader& shader) {
    VALKYR_TRY(condition, parse_condition(text));
    VALKYR_TRY_VOID(check_declared(condition.watch, shader));
    return condition;
}

uint16_t lanes_where(const View& view, const Condition& condition) {
    const WatchValue value = read_watch(view, condition.watch, condition.watch.components[0]);
    uint16_t lanes = 0;
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const uint32_t word = value.lanes.v[lane];
        const double number = condition.is_float     ? std::bit_cast<float>(word)
                              : condition.number < 0 ? static_cast<int32_t>(word)
                                                     : static_cast<double>(word);
        if (compare(condition.compare, number, condition.number))
            lanes |= static_cast<uint16_t>(1U << lane);
    }
    return lanes & value.known;
}

bool holds(const View& view, const Condition& condition) {
    return (lanes_where(view, condition) & view.state.running) != 0;
}

Result<NamedFormat> parse_named_format(std::string_view text) {
    NamedFormat request;
    const size_t slash = text.find('/');
    request.name = text.substr(0, slash);
    const std::string_view letters =
        slash == std::string_view::npos ? std::string_view{} : text.substr(slash + 1);
    for (const char letter : letters) {
        switch (letter) {
        case 'f': request.format = NumberFormat::Float; break;
        case 'd': request.format = NumberFormat::Signed; break;
        case 'x': request.format = NumberFormat::Hex; break;
        case 'a': request.all = true; break;
        case ' ': break;
        default: return syntax("format '" + std::string(1, letter) + "': expected f, d, x or a");
        }
    }
    if (request.name.empty())
        return syntax("expected a name: TEMP[0].xy, IN, OUT, CONST, IMM, r12, u3");
    return request;
}

std::string format_number(uint32_t word, NumberFormat format) {
    char buffer[48];
    if (format == NumberFormat::Hex) {
        std::snprintf(buffer, sizeof buffer, "%08x", word);
        return buffer;
    }
    if (format == NumberFormat::Signed)
        return std::to_string(static_cast<int32_t>(word));
    const float value = std::bit_cast<float>(word);
    if (std::isnan(value))
        return "nan";
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

}  // namespace valkyr::debug
