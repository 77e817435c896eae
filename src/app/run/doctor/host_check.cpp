// Host check: tests the features of processor and kernel that the server needs.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/host_check.hpp"

#include "app/run/doctor/isolated.hpp"
#include "app/run/sandbox.hpp"
#include "jit/recompiler.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace valkyr::app {

namespace {

Finding level_finding() {
    const jit::HostLevel level = jit::best_host_level();
    const std::string name(jit::host_level_name(level));
    if (level != jit::HostLevel::None)
        return {"host level", name, Verdict::Ok, {}};
    return {"host level", name, Verdict::Note,
            "the interpreter runs all shaders, slowly: use a processor with AVX2, FMA, F16C and "
            "BMI2, or AArch64"};
}

/// Makes executable pages in the sandbox, as the server does.
Result<std::string> map_code() {
    VALKYR_TRY_VOID(enter_sandbox({}));
    VALKYR_TRY_VOID(jit::Recompiler::create(jit::best_host_level()));
    return std::string("can be mapped");
}

Finding code_finding() {
    const auto mapped = isolated(map_code);
    if (mapped.has_value())
        return {"executable memory", *mapped, Verdict::Ok, {}};
    return {"executable memory", mapped.error().text, Verdict::Note,
            "the interpreter runs all shaders, slowly: allow executable mappings of memfd files "
            "(SELinux, noexec on /dev/shm)"};
}

Result<std::string> start_threads() {
    const unsigned count = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    std::string refused;
    try {
        while (threads.size() < count)
            threads.emplace_back([] {});
    } catch (const std::system_error& error) {
        refused = error.what();
    }
    for (std::thread& thread : threads)
        thread.join();
    if (refused.empty())
        return std::to_string(count);
    return Error{Errc::System,
                 {},
                 std::to_string(threads.size()) + " of " + std::to_string(count) +
                     " can be started: " + refused};
}

Finding thread_finding() {
    const auto started = isolated(start_threads);
    if (started.has_value())
        return {"threads", *started, Verdict::Ok, {}};
    return {"threads", started.error().text, Verdict::Missing,
            "raise the limit of processes (ulimit -u, or that of the container), or use --threads "
            "with less"};
}

Finding sandbox_finding() {
    const auto entered = isolated([]() -> Result<std::string> {
        VALKYR_TRY_VOID(enter_sandbox({}));
        return std::string("can be entered");
    });
    if (entered.has_value())
        return {"sandbox", *entered, Verdict::Ok, {}};
    return {
        "sandbox", entered.error().text, Verdict::Missing,
        "allow seccomp filters (those of containers may not), or use `valkyr run --no-sandbox`"};
}

}  // namespace

Findings host_findings() {
    return {level_finding(), code_finding(), thread_finding(), sandbox_finding()};
}

}  // namespace valkyr::app
