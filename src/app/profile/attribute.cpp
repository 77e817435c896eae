// Attribution: gives each sample to a host instruction, word and line, or to a function.
// SPDX-License-Identifier: MIT
#include "app/profile/attribute.hpp"

#include "app/profile/symbols.hpp"

#include <algorithm>
#include <functional>

namespace valkyr::profile {

namespace {

/// The level of recompiled code that a device uses.
jit::HostLevel level_of(const raster::DeviceOptions& device) {
    switch (device.host) {
    case raster::Host::Avx2: return jit::HostLevel::Avx2;
    case raster::Host::Avx512: return jit::HostLevel::Avx512;
    case raster::Host::Neon: return jit::HostLevel::Neon;
    case raster::Host::Auto: break;
    }
    return jit::best_host_level();
}

/// The stage that a shader's text names in its first line.
std::string stage_of(const KernelSource& source, const std::string& text) {
    if (source.is_prologue())
        return "uniform prologue";
    struct Row {
        std::string_view word;
        std::string_view name;
    };
    constexpr Row kRows[] = {{"VERT", "vertex"},
                             {"FRAG", "fragment"},
                             {"GEOM", "geometry"},
                             {"TESS_CTRL", "tessellation control"},
                             {"TESS_EVAL", "tessellation evaluation"},
                             {"COMP", "compute"}};
    const size_t begin = std::min(text.find_first_not_of(" \t\n"), text.size());
    for (const Row& row : kRows)
        if (text.compare(begin, row.word.size(), row.word) == 0)
            return std::string(row.name);
    return "fragment";  // the empty shader of draws without one
}

/// The last instruction that begins at or before a byte of the code.
HostCost* find_instruction(std::vector<HostCost>& host, uintptr_t offset) {
    const auto next = std::ranges::upper_bound(
        host, offset, {}, [](const HostCost& cost) { return uintptr_t{cost.line.offset}; });
    return next == host.begin() ? nullptr : &*(next - 1);
}

/// Fills in the instructions of a kernel, unless the interpreter runs it.
void list_host(KernelCost& kernel, const Collected& collected, jit::Recompiler& recompiler) {
    const KernelSource& source = kernel.source;
    const jit::KernelKey key{source.vertex ? &*source.vertex : nullptr,
                             source.fragment ? &*source.fragment : nullptr,
                             collected.device.strict_nan};
    jit::RecompileOptions options;
    options.listing = true;
    const auto made = recompiler.recompile(*source.program, key, options);
    if (!made)
        return;
    for (const jit::HostLine& line : (*made)->listing())
        kernel.host.push_back({line, {}});
}

/// The kernels of the table with their listings and counts.
Result<std::vector<KernelCost>> list_kernels(const Collected& collected) {
    VALKYR_TRY(recompiler, jit::Recompiler::create(level_of(collected.device),
                                                   {.gather_method = collected.device.gather_method,
                                                    .listing_only = true}));
    const auto& counts = collected.counts.counts();
    std::vector<KernelCost> kernels;
    for (const KernelSource& source : collected.table.kernels()) {
        const size_t number = kernels.size();
        KernelCost& cost = kernels.emplace_back();
        cost.source = source;
        const auto text = collected.texts.find(source.program->source_name);
        if (text != collected.texts.end())
            cost.text = text->second;
        cost.stage = stage_of(source, cost.text);
        cost.words.resize(source.program->words.size());
        for (size_t word = 0; number < counts.size() && word < counts[number].size(); ++word)
            cost.words[word].count = counts[number][word];
        list_host(cost, collected, *recompiler);
    }
    return kernels;
}

/// Adds a sample to a kernel.
void add_to_kernel(KernelCost& kernel, const CodeRange& code, const Sample& sample, double time) {
    const bool own = code.contains(sample.address);
    const Seconds seconds = own ? Seconds{time, 0} : Seconds{0, time};
    kernel.seconds.add(seconds);
    if (!own && sample.caller == 0)
        return;
    // A return address is behind the call.
    const uintptr_t at = own ? sample.address : sample.caller - 1;
    HostCost* const host = find_instruction(kernel.host, at - code.begin);
    if (host == nullptr)
        return;
    host->seconds.add(seconds);
    if (host->line.word_index < kernel.words.size())
        kernel.words[host->line.word_index].seconds.add(seconds);
}

}  // namespace

Result<void> attribute(const Collected& collected, Profile& profile) {
    VALKYR_TRY(kernels, list_kernels(collected));
    const double period =
        profile.period / static_cast<double>(std::max<uint64_t>(profile.frames, 1));
    const Symbols symbols;
    std::map<std::string, double> functions;
    for (const Sample& sample : collected.timer.samples()) {
        const double time = period * sample.weight;
        profile.sampled += time;
        profile.samples += sample.weight;
        const auto placed = collected.times.placed().find(sample.kernel);
        if (placed != collected.times.placed().end())
            add_to_kernel(kernels[placed->second.number], placed->second.code, sample, time);
        else
            functions[symbols.name_of(sample.address)] += time;
    }
    for (KernelCost& kernel : kernels)
        if (kernel.warps() != 0 || kernel.seconds.all() > 0)
            profile.kernels.push_back(std::move(kernel));
    std::ranges::stable_sort(profile.kernels, std::greater<>(),
                             [](const KernelCost& kernel) { return kernel.seconds.all(); });
    for (const auto& [name, seconds] : functions)
        profile.functions.push_back({name, seconds});
    std::ranges::stable_sort(profile.functions, std::greater<>(), &FunctionCost::seconds);
    return {};
}

}  // namespace valkyr::profile
