// Host levels: detect the instruction sets that the processor and the operating system support.
// SPDX-License-Identifier: MIT
#include "base/host_level.hpp"

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace valkyr {

namespace {

constexpr std::array<std::string_view, 4> kLevelNames = {"none", "avx2", "avx512", "neon"};
constexpr std::array<std::string_view, 3> kMethodNames = {"auto", "gathers", "loads"};

#if defined(__x86_64__)

enum class CpuidWord : uint8_t { Leaf1Ecx, Leaf7Ebx, Leaf7Ecx, Count };

/// Registers of the processor that the operating system saves, as bits of XCR0.
constexpr uint32_t kAvxState = 0x06;     // XMM, YMM
constexpr uint32_t kAvx512State = 0xE6;  // and the masks and ZMM

/// A feature that a level needs or can use, and where CPUID says whether it is there.
struct Feature {
    std::string_view name;
    HostLevel level;
    CpuidWord word;
    uint8_t bit;
    uint32_t state;
};

// Every processor with BW, DQ and VL has CD too, which brings VPLZCNTD.
constexpr std::array<Feature, 9> kFeatures = {{
    {"avx2", HostLevel::Avx2, CpuidWord::Leaf7Ebx, 5, kAvxState},
    {"fma", HostLevel::Avx2, CpuidWord::Leaf1Ecx, 12, kAvxState},
    {"f16c", HostLevel::Avx2, CpuidWord::Leaf1Ecx, 29, kAvxState},
    {"bmi2", HostLevel::Avx2, CpuidWord::Leaf7Ebx, 8, 0},
    {"avx512f", HostLevel::Avx512, CpuidWord::Leaf7Ebx, 16, kAvx512State},
    {"avx512bw", HostLevel::Avx512, CpuidWord::Leaf7Ebx, 30, kAvx512State},
    {"avx512dq", HostLevel::Avx512, CpuidWord::Leaf7Ebx, 17, kAvx512State},
    {"avx512vl", HostLevel::Avx512, CpuidWord::Leaf7Ebx, 31, kAvx512State},
    {"avx512cd", HostLevel::Avx512, CpuidWord::Leaf7Ebx, 28, kAvx512State},
}};

/// No level asks for it.
constexpr Feature kBytePermutes = {"avx512vbmi", HostLevel::None, CpuidWord::Leaf7Ecx, 1,
                                   kAvx512State};

/// The words of CPUID and XCR0 that the features ask for; zeros if there are none.
struct Processor {
    std::array<uint32_t, static_cast<size_t>(CpuidWord::Count)> words{};
    uint32_t saved_state = 0;
    bool is_amd = false;

    Processor() {
        constexpr uint32_t kOsxsave = 1U << 27;
        constexpr std::array<uint32_t, 3> amd = {0x68747541, 0x69746E65, 0x444D4163};
        uint32_t eax = 0;
        uint32_t ebx = 0;
        uint32_t ecx = 0;
        uint32_t edx = 0;
        if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) != 0)
            is_amd = std::array{ebx, edx, ecx} == amd;  // "AuthenticAMD"
        if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0)
            word(CpuidWord::Leaf1Ecx) = ecx;
        if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0) {
            word(CpuidWord::Leaf7Ebx) = ebx;
            word(CpuidWord::Leaf7Ecx) = ecx;
        }
        if ((word(CpuidWord::Leaf1Ecx) & kOsxsave) != 0)
            __asm__("xgetbv" : "=a"(saved_state), "=d"(edx) : "c"(0));
    }
    [[nodiscard]] bool has(const Feature& feature) const {
        const uint32_t bits = words[static_cast<size_t>(feature.word)];
        return (bits >> feature.bit & 1) != 0 && (saved_state & feature.state) == feature.state;
    }

private:
    uint32_t& word(CpuidWord name) { return words[static_cast<size_t>(name)]; }
};

const Processor& processor() {
    static const Processor instance;
    return instance;
}

bool has_slow_gathers() {
    return processor().is_amd;
}

bool has_features(HostLevel level) {
    for (const Feature& feature : kFeatures)
        if (feature.level == level && !processor().has(feature))
            return false;
    return true;
}

#else

// A level without gather instructions: there is one method.
bool has_slow_gathers() {
    return true;
}

#endif

}  // namespace

bool host_supports(HostLevel level) {
    switch (level) {
    case HostLevel::None: return true;
#if defined(__x86_64__)
    case HostLevel::Avx2: return has_features(HostLevel::Avx2);
    case HostLevel::Avx512: return has_features(HostLevel::Avx2) && has_features(HostLevel::Avx512);
    case HostLevel::Neon: return false;
#else
    case HostLevel::Avx2:
    case HostLevel::Avx512: return false;
    case HostLevel::Neon:
#if defined(__aarch64__)  // every AArch64 Linux system has Advanced SIMD
        return true;
#else
        return false;
#endif
#endif
    }
    return false;
}

HostLevel best_host_level() {
    for (const HostLevel level : {HostLevel::Avx512, HostLevel::Avx2, HostLevel::Neon})
        if (host_supports(level))
            return level;
    return HostLevel::None;
}

bool host_permutes_bytes() {
#if defined(__x86_64__)
    return processor().has(kBytePermutes);
#else
    return false;
#endif
}

GatherMethod fast_gather_method() {
    return has_slow_gathers() ? GatherMethod::Loads : GatherMethod::Gathers;
}

std::string_view gather_method_name(GatherMethod method) {
    return kMethodNames[static_cast<size_t>(method)];
}

std::string_view host_level_name(HostLevel level) {
    return kLevelNames[static_cast<size_t>(level)];
}

std::optional<HostLevel> parse_host_level(std::string_view name) {
    for (size_t i = 0; i < kLevelNames.size(); ++i)
        if (kLevelNames[i] == name)
            return static_cast<HostLevel>(i);
    return std::nullopt;
}

std::string host_features() {
    std::string out;
#if defined(__x86_64__)
    const auto name = [&](const Feature& feature) {
        if (processor().has(feature))
            out.append(out.empty() ? "" : " ").append(feature.name);
    };
    std::for_each(kFeatures.begin(), kFeatures.end(), name);
    name(kBytePermutes);
#elif defined(__aarch64__)
    out = "asimd";
#endif
    return out.empty() ? "none" : out;
}

}  // namespace valkyr
