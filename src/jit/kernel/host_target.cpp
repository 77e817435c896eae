// Host target: makes the assembler of a host level.
// SPDX-License-Identifier: MIT
#include "jit/kernel/host_target.hpp"

#include "jit/host/a64/a64_assembler.hpp"
#include "jit/host/x86/x86_assembler.hpp"

namespace valkyr::jit {

asmjit::Environment environment_of(HostLevel level) {
    const auto arch = level == HostLevel::Neon ? asmjit::Arch::kAArch64 : asmjit::Arch::kX64;
    const asmjit::Environment& host = asmjit::Environment::host();
    return host.arch() == arch ? host : asmjit::Environment(arch);
}

std::unique_ptr<HostAssembler>
make_assembler(HostLevel level, GatherMethod method, asmjit::CodeHolder& code) {
    if (level == HostLevel::Neon)
        return std::make_unique<A64Assembler>(code);
    return std::make_unique<X86Assembler>(code, level == HostLevel::Avx512, method);
}

}  // namespace valkyr::jit
