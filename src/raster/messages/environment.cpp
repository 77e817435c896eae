// Environment: lists the message routines in a table.
// SPDX-License-Identifier: MIT
#include "raster/messages/environment.hpp"

#include "raster/messages/env_routines.hpp"

namespace valkyr::raster {
namespace {

/// Returns the counters of the call that the warp belongs to; null: calls are not counted.
uint64_t* counters_of(const Warp& warp) {
    if (warp.fragment != nullptr)
        return warp.fragment->message_calls;
    return warp.vertex != nullptr ? warp.vertex->message_calls : nullptr;
}

/// Counts a call for the worker that makes it (kMessageNames); no atomics are needed.
template <size_t kMessage, auto kRoutine>
struct Counted;
template <size_t kMessage,
          typename... Arguments,
          void (*kRoutine)(const Warp&, Arguments...) noexcept>
struct Counted<kMessage, kRoutine> {
    static void call(const Warp& warp, Arguments... arguments) noexcept {
        if (uint64_t* const calls = counters_of(warp); calls != nullptr)
            ++calls[kMessage];
        kRoutine(warp, arguments...);
    }
};

}  // namespace

const exec::Environment& raster_environment() noexcept {
    static constexpr exec::Environment kEnvironment{
        .attribute = Counted<0, env_attribute>::call,
        .varying = Counted<1, env_varying>::call,
        .varying_special = Counted<2, env_varying_special>::call,
        .texture = Counted<3, env_texture>::call,
        .image_load = Counted<4, env_image_load>::call,
        .image_address = Counted<5, env_image_address>::call,
        .convert_store = Counted<6, env_convert_store>::call,
        .early_zs = Counted<7, env_early_zs>::call,
        .atest = Counted<8, env_atest>::call,
        .zs_emit = Counted<9, env_zs_emit>::call,
        .blend = Counted<10, env_blend>::call,
        .tile_load = Counted<11, env_tile_load>::call,
        .tile_store = Counted<12, env_tile_store>::call,
    };
    return kEnvironment;
}

}  // namespace valkyr::raster
