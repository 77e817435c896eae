// Observer: adds up the figures of connections.
// SPDX-License-Identifier: MIT
#include "virgl/observe/observer.hpp"

#include "base/caught_error.hpp"

namespace valkyr::virgl {

Figures& Figures::operator+=(const Figures& other) {
    constexpr uint64_t Figures::*kFields[] = {
        &Figures::frames,         &Figures::submits,
        &Figures::commands,       &Figures::draws,
        &Figures::refused_draws,  &Figures::clears,
        &Figures::shader_texts,   &Figures::shader_text_hits,
        &Figures::pipelines,      &Figures::kernels,
        &Figures::uploaded_bytes, &Figures::submit_ns,
        &Figures::shader_ns,      &Figures::pipeline_ns,
        &Figures::wait_ns,        &Figures::transfer_ns,
        &Figures::passes,         &Figures::late_bytes,
        &Figures::dispatches,     &Figures::refused_dispatches};
    for (const auto field : kFields)
        this->*field += other.*field;
    raster::add_calls(message_calls, other.message_calls);
    return *this;
}

void tell(Observer& observer, std::string_view client, std::string_view line) noexcept {
    try {
        observer.log(client, line);
    } catch (...) {
        static_cast<void>(caught_error());
    }
}

}  // namespace valkyr::virgl
