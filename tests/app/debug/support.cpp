// Debugger support: opens sessions for the tests of the debugger.
// SPDX-License-Identifier: MIT
#include "tests/app/debug/support.hpp"

#include "base/bits.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {

tgsi::Shader parse_checked(std::string_view text) {
    tgsi::ParseResult parsed = tgsi::parse(text);
    REQUIRE_MESSAGE(parsed.ok(), text);
    REQUIRE_MESSAGE(tgsi::verify(parsed.shader).empty(), text);
    return std::move(parsed.shader);
}

std::shared_ptr<const debug::Session> make_session(std::string_view text,
                                                   const DebugInputs& inputs,
                                                   std::vector<std::string> disabled_passes) {
    debug::ShaderRequest request;
    request.name = "test";
    request.text = text;
    request.shader = parse_checked(text);
    request.group.invocations = inputs.lanes;
    request.constants = {inputs.constants};
    request.disabled_passes = std::move(disabled_passes);
    auto session = debug::open_shader(std::move(request));
    REQUIRE_MESSAGE(session.has_value(), text);
    return *session;
}

std::unique_ptr<debug::Debugger> make_debugger(std::string_view text,
                                               const DebugInputs& inputs,
                                               std::vector<std::string> disabled_passes) {
    auto debugger = debug::Debugger::create(make_session(text, inputs, std::move(disabled_passes)));
    REQUIRE_MESSAGE(debugger.has_value(), text);
    return std::move(*debugger);
}

std::shared_ptr<const debug::Session>
make_group_session(std::string_view text,
                   const debug::WorkGroup& place,
                   std::vector<std::vector<uint32_t>> buffers) {
    debug::ShaderRequest request;
    request.name = "test";
    request.text = text;
    request.shader = parse_checked(text);
    request.work_group = place;
    request.work_group->block = {request.shader.property("CS_FIXED_BLOCK_WIDTH", 1),
                                 request.shader.property("CS_FIXED_BLOCK_HEIGHT", 1),
                                 request.shader.property("CS_FIXED_BLOCK_DEPTH", 1)};
    const std::array<uint32_t, 3>& block = request.work_group->block;
    request.group.invocations.resize(size_t{block[0]} * block[1] * block[2]);
    const auto memory = std::make_shared<std::vector<std::vector<uint32_t>>>(std::move(buffers));
    for (std::vector<uint32_t>& words : *memory)
        request.group.buffers.emplace_back(reinterpret_cast<uint8_t*>(words.data()),
                                           words.size() * 4);
    request.memory = memory;
    auto session = debug::open_shader(std::move(request));
    REQUIRE_MESSAGE(session.has_value(), text);
    return *session;
}

DebugInputs counting_inputs() {
    DebugInputs inputs;
    for (unsigned l = 0; l < exec::kLanes; ++l) {
        const auto x = static_cast<float>(l);
        inputs.lanes[l].inputs = {{as_bits(x), as_bits(x + 0.5F), as_bits(-x), as_bits(1.0F)}};
    }
    return inputs;
}

}  // namespace valkyr::test
