// Kernel table: keeps what each kernel of a profiled device was made from.
// SPDX-License-Identifier: MIT
#include "app/profile/kernel_table.hpp"

#include "app/debug/session/warp_case.hpp"

#include <utility>

namespace valkyr::profile {

namespace {

void append(std::string& key, const void* bytes, size_t count) {
    key += std::to_string(count) + ':';
    key.append(static_cast<const char*>(bytes), count);
}

}  // namespace

size_t KernelTable::enter(const valhall::Program& program,
                          const exec::VertexKey* vertex,
                          const exec::FragmentKey* fragment) {
    std::string key;
    append(key, program.source_name.data(), program.source_name.size());
    append(key, program.words.data(), program.words.size() * sizeof(uint64_t));
    append(key, vertex, vertex != nullptr ? sizeof(*vertex) : 0);
    append(key, fragment, fragment != nullptr ? sizeof(*fragment) : 0);
    const auto [place, is_new] = numbers_.try_emplace(std::move(key), kernels_.size());
    if (is_new) {
        const std::shared_ptr<valhall::Program> copy = debug::copy_of(program);
        copy->double_ranges = program.double_ranges;  // they decide what code becomes of the words
        KernelSource source{copy, {}, {}};
        if (vertex != nullptr)
            source.vertex = *vertex;
        if (fragment != nullptr)
            source.fragment = *fragment;
        kernels_.push_back(std::move(source));
    }
    return place->second;
}

}  // namespace valkyr::profile
