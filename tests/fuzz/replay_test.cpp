// Replay test: runs every fuzz target on its corpus and on mutations of it.
// SPDX-License-Identifier: MIT
#include "tests/fuzz/targets.hpp"
#include "tests/support/random.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace valkyr;

namespace {

using Bytes = std::vector<uint8_t>;
using Target = void (*)(std::span<const uint8_t>);

constexpr size_t kLongest = 4096;
constexpr unsigned kMutations = 20000;   // a target
constexpr unsigned kFewMutations = 300;  // a target that compiles and runs shaders each time

std::vector<Bytes> read_corpus(const std::string& folder) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    std::vector<Bytes> corpus;
    for (const std::string& path : paths) {
        std::ifstream in(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return corpus;
}

/// A random part of `from`, at most 32 bytes.
Bytes pick_part(const Bytes& from, test::Random& random) {
    if (from.empty())
        return {};
    const size_t at = random.below(static_cast<uint32_t>(from.size()));
    const size_t size = std::min<size_t>(1 + random.below(32), from.size() - at);
    return {from.begin() + static_cast<ptrdiff_t>(at),
            from.begin() + static_cast<ptrdiff_t>(at + size)};
}

/// Changes a bit or a byte, or removes, duplicates or inserts a part.
void mutate(Bytes& bytes, const std::vector<Bytes>& corpus, test::Random& random) {
    const size_t at = random.below(static_cast<uint32_t>(bytes.size() + 1));
    const auto place = bytes.begin() + static_cast<ptrdiff_t>(at);
    switch (random.below(4)) {
    case 0:
        if (at < bytes.size())
            bytes[at] ^= static_cast<uint8_t>(1u << random.below(8));
        return;
    case 1:
        if (at < bytes.size())
            bytes[at] = static_cast<uint8_t>(random.next());
        return;
    case 2:
        bytes.erase(place, place + random.below(static_cast<uint32_t>(
                                       std::min<size_t>(bytes.size() - at, 16) + 1)));
        return;
    default: {
        const Bytes part =
            pick_part(corpus[random.below(static_cast<uint32_t>(corpus.size()))], random);
        bytes.insert(place, part.begin(), part.end());
    }
    }
}

/// How many times as many mutations are wanted.
unsigned rounds() {
    const char* text = std::getenv("VALKYR_FUZZ_ROUNDS");
    return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1;
}

void replay(const char* name, Target target) {
    const auto corpus = read_corpus(std::string("tests/fuzz/corpus-") + name);
    REQUIRE_MESSAGE(!corpus.empty(), name);
    for (const Bytes& bytes : corpus)
        target(bytes);
    target({});
    test::Random random(7);
    constexpr std::array<std::string_view, 3> kSlow{"compute_groups", "geometry", "patches"};
    const bool slow = std::ranges::find(kSlow, name) != kSlow.end();
    const unsigned mutations = rounds() * (slow ? kFewMutations : kMutations);
    for (unsigned i = 0; i < mutations; ++i) {
        Bytes bytes = corpus[i % corpus.size()];
        for (unsigned step = 1 + random.below(8); step > 0; --step)
            mutate(bytes, corpus, random);
        bytes.resize(std::min(bytes.size(), kLongest));
        target(bytes);
    }
}

}  // namespace

// A violated property aborts the process, so a case that ends has passed.
#define VALKYR_FUZZ_TARGET(name)                                                                   \
    TEST_CASE("fuzz target " #name " comes back from its corpus and from mutations") {             \
        replay(#name, &fuzz::name);                                                                \
    }
#include "tests/fuzz/targets.inc"
#undef VALKYR_FUZZ_TARGET
