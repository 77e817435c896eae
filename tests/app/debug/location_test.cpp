// Location test: compares values by name with the TGSI interpreter before every line.
// SPDX-License-Identifier: MIT
#include "tests/app/debug/support.hpp"
#include "tests/valhall/compiler/random_shader.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <random>
#include <set>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::test;

namespace {

/// A component of a register.
struct Name {
    tgsi::File file;
    uint32_t index;
    unsigned component;
};

std::vector<Name> names_of(const tgsi::Shader& shader) {
    std::vector<Name> names;
    for (const tgsi::Declaration& declaration : shader.declarations) {
        const tgsi::File file = declaration.file;
        if (file != tgsi::File::Temporary && file != tgsi::File::Output &&
            file != tgsi::File::Input && file != tgsi::File::Address)
            continue;
        for (uint32_t i = declaration.first; i <= declaration.last; ++i)
            for (unsigned c = 0; c < 4; ++c)
                names.push_back({file, i, c});
    }
    return names;
}

/// Lines inside of loops. An IF that became a select executes its words in every iteration, even in
/// those that skip its lines in the text, so a step cannot be mapped to an iteration of the text.
std::set<uint32_t> lines_in_loops(const tgsi::Shader& shader) {
    std::set<uint32_t> lines;
    unsigned depth = 0;
    for (const tgsi::Instruction& instr : shader.instructions) {
        depth += instr.opcode == tgsi::Opcode::BGNLOOP ? 1 : 0;
        if (depth != 0)
            lines.insert(instr.pos.line);
        depth -= instr.opcode == tgsi::Opcode::ENDLOOP ? 1 : 0;
    }
    return lines;
}

/// The TGSI interpreter's registers before each line, by lane, with the number of times that the
/// lane executes the line.
class Snapshots final : public tgsi::StepObserver {
public:
    struct Entry {
        unsigned times = 0;
        std::vector<uint32_t> values;
    };
    explicit Snapshots(std::vector<Name> names)
        : names_(std::move(names)) {}

    void before(const tgsi::Instruction& instr,
                std::span<const uint32_t> lanes,
                const Read& read) override {
        for (const uint32_t lane : lanes) {
            Entry& entry = entries_[{instr.pos.line, lane}];
            if (++entry.times > 1)
                continue;
            for (const Name& name : names_) {
                tgsi::RegisterRef reg;
                reg.file = name.file;
                reg.index.value = static_cast<int32_t>(name.index);
                entry.values.push_back(read(lane, reg, name.component));
            }
        }
    }
    [[nodiscard]] const std::vector<Name>& names() const { return names_; }
    [[nodiscard]] const Entry* find(uint32_t line, uint32_t lane) const {
        const auto found = entries_.find({line, lane});
        return found != entries_.end() ? &found->second : nullptr;
    }

private:
    std::vector<Name> names_;
    std::map<std::pair<uint32_t, uint32_t>, Entry> entries_;
};

bool both_nan(uint32_t a, uint32_t b) {
    return std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b));
}

Watch watch_of(const Name& name) {
    Watch watch;
    watch.file = name.file;
    watch.index = name.index;
    watch.components = {static_cast<uint8_t>(name.component)};
    return watch;
}

struct Tally {
    size_t compared = 0;
    size_t asked = 0;
    size_t registers = 0;  ///< comparisons of values in guest registers
};

std::string name_text(const Name& name) {
    const char* file = name.file == tgsi::File::Temporary ? "TEMP"
                       : name.file == tgsi::File::Output  ? "OUT"
                       : name.file == tgsi::File::Input   ? "IN"
                                                          : "ADDR";
    return std::string(file) + "[" + std::to_string(name.index) + "]." + "xyzw"[name.component];
}

/// Whether a value lies in an array in memory. Such values change within an instruction, whose
/// words store one component after the other.
bool in_array(const WatchValue& value) {
    return value.place.starts_with("tls");
}

/// Whether the next word is the first of its TGSI instruction.
bool first_of_point(const Debugger& debugger) {
    const valhall::DebugInfo& info = *debugger.session().info;
    const uint32_t word = debugger.cursor().word();
    return word == 0 || info.point_of(word - 1) != info.point_of(word);
}

/// Compares every name in the lanes that execute the next word.
void compare_step(const Debugger& debugger, const Snapshots& snapshots, Tally& tally) {
    const uint32_t line = debugger.line();
    const uint16_t running = debugger.state().running;
    const bool first = first_of_point(debugger);
    for (size_t n = 0; line != 0 && n < snapshots.names().size(); ++n) {
        const Name& name = snapshots.names()[n];
        const Watch watch = watch_of(name);
        const WatchValue value = read_watch(debugger.view(), watch, name.component);
        for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
            const Snapshots::Entry* entry = snapshots.find(line, lane);
            if ((running >> lane & 1) == 0 || entry == nullptr || entry->times != 1)
                continue;
            ++tally.asked;
            if ((value.known >> lane & 1) == 0 || (in_array(value) && !first))
                continue;
            ++tally.compared;
            tally.registers += value.place.starts_with('r') ? 1 : 0;
            const uint32_t expected = entry->values[n];
            const uint32_t actual = value.lanes.v[lane];
            REQUIRE_MESSAGE((expected == actual || both_nan(expected, actual)), "line ", line,
                            ", word ", debugger.cursor().word(), ", lane ", lane, ": ",
                            name_text(name), " (", value.place, ") is ", actual, " instead of ",
                            expected);
        }
    }
}

Tally compare_everywhere(const std::string& text,
                         const DebugInputs& inputs,
                         std::vector<std::string> disabled_passes = {}) {
    CAPTURE(text);
    const bool selects = std::ranges::find(disabled_passes, "convert_ifs") == disabled_passes.end();
    const auto session = make_session(text, inputs, std::move(disabled_passes));
    const std::set<uint32_t> skipped =
        selects ? lines_in_loops(*session->shader) : std::set<uint32_t>();
    Snapshots snapshots(names_of(*session->shader));
    tgsi::Group group;
    group.invocations = inputs.lanes;
    group.constants = {inputs.constants};
    const auto interpreter = tgsi::Interpreter::create(*session->shader);
    REQUIRE(interpreter.has_value());
    REQUIRE(interpreter->run(group, &snapshots).has_value());
    Tally tally;
    const auto debugger = Debugger::create(session);
    REQUIRE(debugger.has_value());
    for (size_t i = 0; i < (*debugger)->recording().steps().size(); ++i) {
        (*debugger)->move_to(i);
        if (!skipped.contains((*debugger)->line()))
            compare_step(**debugger, snapshots, tally);
    }
    return tally;
}

DebugInputs random_inputs(std::mt19937& random) {
    DebugInputs inputs;
    for (tgsi::Invocation& lane : inputs.lanes) {
        lane.inputs.resize(4);
        for (tgsi::Word4& value : lane.inputs)
            for (uint32_t& word : value)
                word = std::bit_cast<uint32_t>(static_cast<float>(random() % 4096) / 64 - 32);
    }
    for (unsigned i = 0; i < 32; ++i)
        inputs.constants.push_back(
            std::bit_cast<uint32_t>(static_cast<float>(random() % 512) / 16 - 16));
    return inputs;
}

Tally compare_random(unsigned count,
                     const RandomShaderOptions& options,
                     const std::vector<std::string>& disabled_passes = {}) {
    Tally sum;
    for (unsigned seed = 1; seed <= count; ++seed) {
        std::mt19937 random(seed);
        const std::string text = random_shader(random, options);
        const Tally tally = compare_everywhere(text, random_inputs(random), disabled_passes);
        sum.compared += tally.compared;
        sum.asked += tally.asked;
        sum.registers += tally.registers;
    }
    return sum;
}

}  // namespace

TEST_CASE("values by name are the text's in straight-line shaders") {
    const Tally tally = compare_random(60, {.instructions = 30});
    CHECK(tally.registers > 10000);
    CHECK(tally.compared * 4 > tally.asked);
}

TEST_CASE("values by name are the text's in branches and loops") {
    const RandomShaderOptions options{.instructions = 30, .control_flow = true};
    CHECK(compare_random(40, options).registers > 5000);
    CHECK(compare_random(40, options, {"convert_ifs"}).registers > 5000);
}

TEST_CASE("values by name are the text's without scheduling") {
    const Tally tally =
        compare_random(30, {.instructions = 30, .control_flow = true}, {"schedule", "convert_ifs"});
    CHECK(tally.registers > 5000);
}

TEST_CASE("values by name are the text's in arrays, in subroutines and when spilled") {
    const RandomShaderOptions arrays{.instructions = 30, .indirect = true};
    CHECK(compare_random(20, arrays, {"schedule"}).compared > 5000);
    CHECK(compare_random(20, {.instructions = 30, .subroutines = true}).compared > 5000);
    const Tally spilled = compare_random(6, {.instructions = 150, .temporaries = 40});
    CHECK(spilled.registers > 5000);
}

TEST_CASE("a log of values changes no word and no line") {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        std::mt19937 random(seed);
        const tgsi::Shader shader =
            parse_checked(random_shader(random, {.instructions = 40, .control_flow = true}));
        valhall::DebugInfo info;
        valhall::CompileOptions options;
        options.debug = &info;
        const auto with = valhall::compile(shader, options);
        const auto without = valhall::compile(shader);
        REQUIRE(with.has_value());
        REQUIRE(without.has_value());
        CHECK(with->words == without->words);
        CHECK(with->fau == without->fau);
        CHECK(info.word_points.size() == with->words.size());
    }
}
