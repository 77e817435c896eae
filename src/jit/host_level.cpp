// Host instruction-set levels: detection and names.
// SPDX-License-Identifier: MIT
#include "jit/host_level.hpp"

#include <array>
#include <asmjit/x86.h>
#include <utility>

namespace valkyr::jit {

namespace {

using X86 = asmjit::CpuFeatures::X86;
using Feature = std::pair<X86::Id, std::string_view>;

constexpr std::array<Feature, 4> kAvx2Features = {
    Feature{X86::kAVX2, "avx2"}, {X86::kFMA, "fma"}, {X86::kF16C, "f16c"}, {X86::kBMI2, "bmi2"}};

// Every processor with BW, DQ and VL has CDI too (it brings VPLZCNTD).
constexpr std::array<Feature, 5> kAvx512Features = {Feature{X86::kAVX512_F, "avx512f"},
                                                    {X86::kAVX512_BW, "avx512bw"},
                                                    {X86::kAVX512_DQ, "avx512dq"},
                                                    {X86::kAVX512_VL, "avx512vl"},
                                                    {X86::kAVX512_CDI, "avx512cd"}};

constexpr std::array<std::string_view, 4> kLevelNames = {"none", "avx2", "avx512", "neon"};

bool is_x86_64(const asmjit::CpuInfo& cpu) {
    return cpu.arch() == asmjit::Arch::kX64;
}

// Every AArch64 Linux system has Advanced SIMD.
bool is_aarch64(const asmjit::CpuInfo& cpu) {
    return cpu.arch() == asmjit::Arch::kAArch64;
}

template <size_t N>
bool has_all(const asmjit::CpuInfo& cpu, const std::array<Feature, N>& features) {
    for (const Feature& feature : features)
        if (!cpu.features().x86().has(feature.first))
            return false;
    return true;
}

template <size_t N>
void append_present(const asmjit::CpuInfo& cpu,
                    const std::array<Feature, N>& features,
                    std::string& out) {
    for (const Feature& feature : features) {
        if (!cpu.features().x86().has(feature.first))
            continue;
        out += out.empty() ? "" : " ";
        out += feature.second;
    }
}

}  // namespace

bool host_supports(HostLevel level) {
    const asmjit::CpuInfo& cpu = asmjit::CpuInfo::host();
    switch (level) {
    case HostLevel::None: return true;
    case HostLevel::Avx2: return is_x86_64(cpu) && has_all(cpu, kAvx2Features);
    case HostLevel::Avx512: return host_supports(HostLevel::Avx2) && has_all(cpu, kAvx512Features);
    case HostLevel::Neon: return is_aarch64(cpu);
    }
    return false;
}

HostLevel best_host_level() {
    for (HostLevel level : {HostLevel::Avx512, HostLevel::Avx2, HostLevel::Neon})
        if (host_supports(level))
            return level;
    return HostLevel::None;
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
    const asmjit::CpuInfo& cpu = asmjit::CpuInfo::host();
    std::string out;
    if (is_x86_64(cpu)) {
        append_present(cpu, kAvx2Features, out);
        append_present(cpu, kAvx512Features, out);
    }
    if (is_aarch64(cpu))
        out = "asimd";
    return out.empty() ? "none" : out;
}

std::string asmjit_version() {
    constexpr unsigned version = ASMJIT_LIBRARY_VERSION;
    return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xFF) + "." +
           std::to_string(version & 0xFF);
}

}  // namespace valkyr::jit
