// Eval groups: work-groups of `valkyr eval`, their options, memory and the words that they change.
// SPDX-License-Identifier: MIT
#include "app/eval/eval_groups.hpp"

#include "app/cli/file_io.hpp"
#include "app/cli/shared_argument.hpp"
#include "app/cli/text_scan.hpp"
#include "app/eval/eval_values.hpp"
#include "exec/work_groups.hpp"
#include "valhall/compiler/program_io.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace valkyr::app {

namespace {

using Triple = GroupOptions::Triple;

constexpr size_t kMaxBufferWords = size_t{1} << 20;

Result<void> take_triple(const std::string& text, std::optional<Triple>& triple) {
    std::string_view rest = text;
    Triple numbers{};
    for (size_t k = 0; k < numbers.size(); ++k) {
        const bool separated = k == 0 || rest.starts_with(',');
        if (k != 0 && separated)
            rest.remove_prefix(1);
        const auto number = separated ? take_number(rest) : std::nullopt;
        if (!number)
            return Error{Errc::Syntax, {}, "'" + text + "' is not X,Y,Z"};
        numbers[k] = *number;
    }
    if (!rest.empty())
        return Error{Errc::Syntax, {}, "'" + text + "' is not X,Y,Z"};
    triple = numbers;
    return {};
}

/// Adds "VALUE" or "VALUE*COUNT".
Result<void> add_words(std::string_view part, std::vector<uint32_t>& words) {
    const size_t star = part.find('*');
    uint32_t count = 1;
    if (star != std::string_view::npos) {
        std::string_view number = part.substr(star + 1);
        const auto times = take_number(number);
        if (!times || !number.empty())
            return Error{Errc::Syntax, {}, "expected a count behind *"};
        count = *times;
    }
    const auto word = parse_word(part.substr(0, star));
    if (!word)
        return Error{Errc::Syntax, {}, "\"" + std::string(part) + "\" is not a value"};
    if (count > kMaxBufferWords - words.size())
        return Error{
            Errc::OutOfRange, {}, "more than " + std::to_string(kMaxBufferWords) + " words"};
    words.insert(words.end(), count, *word);
    return {};
}

/// The words of a file, little-endian.
Result<std::vector<uint32_t>> file_words(const std::string& path) {
    VALKYR_TRY(bytes, read_input(path));
    if (bytes.size() > kMaxBufferWords * sizeof(uint32_t))
        return Error{
            Errc::OutOfRange, {}, "more than " + std::to_string(kMaxBufferWords) + " words"};
    if (bytes.empty() || bytes.size() % sizeof(uint32_t) != 0)
        return Error{
            Errc::Syntax, {}, std::to_string(bytes.size()) + " bytes are no whole number of words"};
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

bool declares_buffer(const tgsi::Shader& shader, uint32_t number) {
    return std::ranges::any_of(shader.declarations, [&](const tgsi::Declaration& d) {
        return d.file == tgsi::File::Buffer && number >= d.first && number <= d.last;
    });
}

Result<void> set_buffer(std::string_view text, const tgsi::Shader& shader, GroupBench& bench) {
    std::string_view rest = text;
    const auto number = take_number(rest);
    if (!number || !rest.starts_with('='))
        return Error{Errc::Syntax, {}, "expected N=VALUES"};
    if (!declares_buffer(shader, *number))
        return Error{
            Errc::Semantic, {}, "the shader declares no BUFFER[" + std::to_string(*number) + "]"};
    std::vector<uint32_t> words;
    if (rest.starts_with("=@")) {
        VALKYR_TRY(read, file_words(std::string(rest.substr(2))));
        words = std::move(read);
    }
    for (bool more = words.empty(); more;) {
        rest.remove_prefix(1);
        const size_t comma = rest.find(',');
        more = comma != std::string_view::npos;
        VALKYR_TRY_VOID(add_words(rest.substr(0, comma), words));
        if (more)
            rest.remove_prefix(comma);
    }
    if (bench.start.size() <= *number)
        bench.start.resize(*number + size_t{1});
    bench.start[*number] = std::move(words);
    return {};
}

/// The block that the text fixes, or a row of `lanes`.
Result<Triple> block_of(const tgsi::Shader& shader, uint32_t lanes) {
    const uint32_t block[3] = {shader.property("CS_FIXED_BLOCK_WIDTH", 0),
                               shader.property("CS_FIXED_BLOCK_HEIGHT", 0),
                               shader.property("CS_FIXED_BLOCK_DEPTH", 0)};
    if (block[0] == 0 || block[1] == 0 || block[2] == 0)
        return Triple{lanes, 1, 1};
    if (exec::group_invocations(block) == 0)
        return Error{Errc::OutOfRange,
                     {},
                     "a work-group of more than " + std::to_string(exec::kMaxGroupInvocations) +
                         " invocations"};
    return Triple{block[0], block[1], block[2]};
}

Result<void> place_group(const GroupOptions& options, debug::WorkGroup& place) {
    const Triple group = options.group.value_or(Triple{});
    uint64_t row = 1;
    for (size_t k = 0; k < group.size(); ++k) {
        place.grid[k] = options.grid ? (*options.grid)[k] : group[k] + 1;
        // The limit of each size keeps the number of the group below 2^48.
        constexpr uint32_t kMaxSize = 65535;
        if (place.grid[k] == 0 || place.grid[k] > kMaxSize)
            return Error{Errc::OutOfRange,
                         {},
                         "a grid has 1 to " + std::to_string(kMaxSize) + " groups a direction"};
        if (group[k] >= place.grid[k])
            return Error{Errc::OutOfRange, {}, "--group is not in --grid"};
        place.number += group[k] * row;
        row *= place.grid[k];
    }
    return {};
}

tgsi::Word4 word4(const Triple& triple) {
    return {triple[0], triple[1], triple[2], 0};
}

tgsi::Word4
system_value(tgsi::Semantic semantic, const debug::WorkGroup& place, uint32_t invocation) {
    const auto at = [](uint64_t index, const Triple& sizes) {
        const uint32_t numbers[3] = {sizes[0], sizes[1], sizes[2]};
        return word4(exec::place_of(index, numbers));
    };
    switch (semantic) {
    case tgsi::Semantic::ThreadId: return at(invocation, place.block);
    case tgsi::Semantic::BlockId: return at(place.number, place.grid);
    case tgsi::Semantic::BlockSize: return word4(place.block);
    case tgsi::Semantic::GridSize: return word4(place.grid);
    default: return {};
    }
}

std::string memory_changes(const std::string& name,
                           const std::vector<uint32_t>& before,
                           const std::vector<uint32_t>& after) {
    std::string text;
    for (size_t first = 0; first < after.size(); first += 4) {
        const size_t count = std::min<size_t>(4, after.size() - first);
        const auto row = std::span(after).subspan(first, count);
        if (!std::ranges::equal(row, std::span(before).subspan(first, count)))
            text +=
                fmt::format("  {:<20} {}\n", fmt::format("byte {}", 4 * first), format_words(row));
    }
    return name + (text.empty() ? ": unchanged\n" : "\n" + text);
}

}  // namespace

void add_group_options(Command command, GroupOptions& options) {
    command
        .option(
            "--group",
            [&options](const std::string& text) { return take_triple(text, options.group); },
            "COMP texts: the work-group that runs (default: 0,0,0)")
        .value_name("X,Y,Z");
    command
        .option(
            "--grid",
            [&options](const std::string& text) { return take_triple(text, options.grid); },
            "COMP texts: work-groups of the grid (default: up to the one that runs)")
        .value_name("X,Y,Z");
    command
        .option("--buffer", options.buffers,
                "COMP texts: N=VALUES fills BUFFER[N] with words as in --input; 0u*64 are 64 of "
                "them; N=@FILE with those of a file. Other buffers are empty")
        .one_value_each();
    add_shared_argument(command, options.shared_bytes);
}

Result<void> refuse_group_options(const GroupOptions& options) {
    if (options.group || options.grid || !options.buffers.empty())
        return Error{Errc::Unsupported, {}, "--group, --grid and --buffer are for COMP texts"};
    return {};
}

Result<void> check_group_inputs(const std::vector<std::string>& values,
                                const tgsi::Shader& shader) {
    for (const std::string& text : values) {
        const auto input = parse_eval_input(text, shader);
        if (input && input->file == tgsi::File::SystemValue)
            return Error{Errc::Unsupported,
                         {},
                         "--input " + text +
                             ": --group and --grid say the system values of a work-group"};
    }
    return {};
}

Result<GroupBench>
make_group(const tgsi::Shader& shader, const GroupOptions& options, uint32_t lanes) {
    GroupBench bench;
    VALKYR_TRY(block, block_of(shader, lanes));
    bench.place.block = block;
    bench.place.shared_bytes = options.shared_bytes;
    VALKYR_TRY_VOID(place_group(options, bench.place));
    for (const std::string& text : options.buffers)
        if (const auto set = set_buffer(text, shader, bench); !set)
            return Error{set.error().code, {}, "--buffer " + text + ": " + set.error().text};
    bench.buffers = bench.start;
    bench.shared.resize((options.shared_bytes + 3) / 4);
    return bench;
}

void attach_group(GroupBench& bench, const tgsi::Shader& shader, tgsi::Group& group) {
    const Triple& block = bench.place.block;
    group.invocations.resize(size_t{block[0]} * block[1] * block[2]);
    for (uint32_t n = 0; n < group.invocations.size(); ++n)
        valhall::for_each_register(
            shader, tgsi::File::SystemValue,
            [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t /*index*/) {
                auto& values = group.invocations[n].system_values;
                values.resize(std::max<size_t>(values.size(), i + size_t{1}));
                values[i] = system_value(declaration.semantic, bench.place, n);
            });
    for (std::vector<uint32_t>& words : bench.buffers)
        group.buffers.emplace_back(reinterpret_cast<uint8_t*>(words.data()), words.size() * 4);
    group.shared = {reinterpret_cast<uint8_t*>(bench.shared.data()), bench.place.shared_bytes};
}

std::string changes_text(const GroupBench& bench) {
    std::string text;
    for (size_t n = 0; n < bench.buffers.size(); ++n)
        if (!bench.buffers[n].empty())
            text += memory_changes(fmt::format("buffer {}", n), bench.start[n], bench.buffers[n]);
    const std::vector<uint32_t> zeros(bench.shared.size());
    return text + memory_changes("shared memory", zeros, bench.shared);
}

}  // namespace valkyr::app
