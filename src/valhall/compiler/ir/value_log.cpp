// Value log: turns its notes into DebugInfo, which maps a word and a variable to a location.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/value_log.hpp"

#include <algorithm>

namespace valkyr::valhall {

namespace {

constexpr uint32_t kRegisterBytes = 16;

/// The array that a register lives in, or null.
const DebugInfo::Array*
find_array(const std::vector<DebugInfo::Array>& arrays, tgsi::File file, uint32_t index) {
    for (const DebugInfo::Array& array : arrays)
        if (array.file == file && index >= array.first && index < array.first + array.count)
            return &array;
    return nullptr;
}

}  // namespace

ValueLocation
DebugInfo::locate(tgsi::File file, uint32_t index, unsigned component, uint32_t word) const {
    using Kind = ValueLocation::Kind;
    if (const Array* array = find_array(arrays, file, index))
        return {Kind::Memory,
                array->offset + (index - array->first) * kRegisterBytes + 4 * component,
                {}};
    const auto registers = std::ranges::find(files, file, &Registers::file);
    const uint32_t point = point_of(word);
    if (registers == files.end() || index >= registers->count || point == 0 ||
        point_joins[point] != 0 || word_in_moves[word] != 0)
        return {};
    const uint32_t variable = registers->first_variable + 4 * index + component;
    const auto after =
        std::upper_bound(records.begin(), records.end(), std::pair(variable, point),
                         [](const std::pair<uint32_t, uint32_t>& key, const Record& record) {
                             return key < std::pair(record.variable, record.point);
                         });
    if (after == records.begin() || std::prev(after)->variable != variable) {
        // Inputs and system values are loaded where they are first read.
        const bool loaded = file == tgsi::File::Input || file == tgsi::File::SystemValue;
        return {loaded ? Kind::NotLive : Kind::Unwritten, 0, {}};
    }
    const Record& record = *std::prev(after);
    if (record.location.kind != Kind::Register)
        return record.location;
    if (word >= record.first_word && word <= record.last_word)
        return record.location;
    if (record.slot_word != 0 && word >= record.slot_word)
        return {Kind::Memory, record.slot, {}};
    return {};
}

namespace ir {

uint32_t ValueLog::begin_point(uint32_t line, bool joins) {
    if (info->point_lines.empty()) {  // point 0 is none
        info->point_lines.push_back(0);
        info->point_joins.push_back(0);
    }
    info->point_lines.push_back(line);
    info->point_joins.push_back(joins ? 1 : 0);
    return static_cast<uint32_t>(info->point_lines.size() - 1);
}

void ValueLog::note(uint32_t point, std::span<const Operand> values) {
    current.resize(values.size());
    for (uint32_t v = 0; v < values.size(); ++v) {
        if (current[v] == values[v])
            continue;
        current[v] = values[v];
        entries.push_back({v, point, values[v], {}});
    }
}

void ValueLog::name_uniforms(const std::vector<FauWord>& uniforms) {
    for (Entry& entry : entries)
        if (entry.value.kind == OperandKind::Uniform)
            entry.uniform = uniforms[entry.value.value];
}

namespace {

using Kind = ValueLocation::Kind;

/// Finds words by instruction number: both ascend.
class WordFinder {
public:
    explicit WordFinder(const std::vector<uint32_t>& numbers)
        : numbers_(numbers) {}
    /// The first word of an instruction with at least this number.
    [[nodiscard]] uint32_t first_from(uint32_t number) const {
        return static_cast<uint32_t>(std::ranges::lower_bound(numbers_, number) - numbers_.begin());
    }

private:
    const std::vector<uint32_t>& numbers_;
};

void place(DebugInfo::Record& record, const ValueLog::Interval& interval, const WordFinder& words) {
    const bool spilled = interval.slot != kNone;
    if (interval.reg == 0xFF) {  // a phi in memory, or nothing at all
        record.location.kind = spilled ? Kind::Memory : Kind::NotLive;
        record.location.value = interval.slot;
        return;
    }
    record.location = {Kind::Register, interval.reg, {}};
    record.first_word = words.first_from(interval.at_entry ? interval.first : interval.first + 1);
    // The last instruction may be several words: moves, which may overwrite the register, come
    // before it.
    const uint32_t last = words.first_from(interval.last);
    const uint32_t behind = words.first_from(interval.last + 1);
    record.last_word = last < behind || last == 0 ? last : last - 1;
    if (behind == 0)
        record.location.kind = Kind::NotLive;
    if (spilled) {
        record.slot_word = behind;
        record.slot = interval.slot;
    }
}

}  // namespace

void ValueLog::finish(const std::vector<uint32_t>& numbers, const Function* prologue) {
    const WordFinder words(numbers);
    for (size_t word = 0; word < numbers.size(); ++word) {
        const uint32_t number = numbers[word];
        const bool known = number < inst_points.size();
        const bool moved = word > 0 && known && numbers[word - 1] == number;
        info->word_points.push_back(known ? inst_points[number] : 0);
        info->word_in_moves.push_back(moved && inst_jumps[number] != 0 ? 1 : 0);
    }
    for (const Entry& entry : entries) {
        DebugInfo::Record record;
        record.variable = entry.variable;
        record.point = entry.point;
        if (entry.value.kind == OperandKind::None) {
            record.location.kind = Kind::Unwritten;
        } else if (entry.value.kind == OperandKind::Literal) {
            record.location = {Kind::Literal, entry.value.value, {}};
        } else if (entry.value.kind == OperandKind::Uniform) {
            record.location = {Kind::Uniform, 0, entry.uniform};
            if (entry.uniform.kind == FauKind::Prologue && prologue != nullptr)
                record.location.uniform.value = prologue->pool[entry.uniform.value].value;
        } else if (entry.value.is_value() && entry.value.value < intervals.size()) {
            place(record, intervals[entry.value.value], words);
        }
        // A location has no modifiers.
        if (entry.value.flags != 0 || entry.value.selector != kDefaultSelector)
            record.location = {};
        info->records.push_back(record);
    }
    std::ranges::stable_sort(info->records, {}, [](const DebugInfo::Record& record) {
        return std::pair(record.variable, record.point);
    });
}

}  // namespace ir

}  // namespace valkyr::valhall
