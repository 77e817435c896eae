// Platform: is the server and the display that all contexts of the process share.
// SPDX-License-Identifier: MIT
#pragma once

#include "osmesa/egl.hpp"

#include <memory>

namespace valkyr::osmesa {

/// The wishes for a context. Numbers of bits are minima; those of depth and stencil beyond 24 and 8
/// are taken as these, as Mesa's library does.
struct ContextWish {
    unsigned format = 0;
    int depth_bits = 24;
    int stencil_bits = 8;
    int accumulation_bits = 0;
    bool core = false;
    int major = 1;
    int minor = 0;
};

/// Sets the variables of Mesa while it lives: Mesa reads them when the display, and when contexts
/// are made. Programs that the process starts shall not see them.
class MesaVariables {
public:
    MesaVariables();
    MesaVariables(const MesaVariables&) = delete;
    MesaVariables& operator=(const MesaVariables&) = delete;
    ~MesaVariables();

private:
    struct Saved;
    std::unique_ptr<Saved> saved_;
};

class Platform {
public:
    /// Starts the server and opens the display at the first call. Returns null, after a report, if
    /// that fails; later calls try again. Safe in all threads.
    static Platform* get();

    [[nodiscard]] const Egl& egl() const { return egl_; }
    [[nodiscard]] const Gl& gl() const { return gl_; }
    [[nodiscard]] EglObject display() const { return display_; }
    /// The configuration with the fewest bits that has what the wish asks for; null if none.
    /// deep  colours have binary16 components
    [[nodiscard]] EglObject config(const ContextWish& wish, bool deep) const;
    /// A new context that fits each configuration; null, after a report, if that fails.
    [[nodiscard]] EglObject new_context(const ContextWish& wish, EglObject shared) const;

private:
    Platform(const Egl& egl, EglObject display)
        : egl_(egl)
        , gl_(egl)
        , display_(display) {}
    static std::unique_ptr<Platform> open();

    Egl egl_;
    Gl gl_;
    EglObject display_;
};

}  // namespace valkyr::osmesa
