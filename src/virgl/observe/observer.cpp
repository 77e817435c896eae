// Observer: adds up the figures of connections.
// SPDX-License-Identifier: MIT
#include "virgl/observe/observer.hpp"

namespace valkyr::virgl {

Figures& Figures::operator+=(const Figures& other) {
    constexpr uint64_t Figures::*kFields[] = {
        &Figures::frames,       &Figures::submits,          &Figures::commands,
        &Figures::draws,        &Figures::refused_draws,    &Figures::clears,
        &Figures::shader_texts, &Figures::shader_text_hits, &Figures::pipelines,
        &Figures::kernels,      &Figures::uploaded_bytes,   &Figures::submit_ns,
        &Figures::shader_ns,    &Figures::pipeline_ns,      &Figures::wait_ns,
        &Figures::transfer_ns};
    for (const auto field : kFields)
        this->*field += other.*field;
    return *this;
}

}  // namespace valkyr::virgl
