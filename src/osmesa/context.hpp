// Context: renders into a surface of its own and copies it to the program's memory.
// SPDX-License-Identifier: MIT
#pragma once

#include "osmesa/accumulation.hpp"
#include "osmesa/pixel_layout.hpp"
#include "osmesa/platform.hpp"
#include "osmesa/wide_copy.hpp"

#include <vector>

/// The type that the interface names.
struct osmesa_context {};

namespace valkyr::osmesa {

/// The program's memory, as OSMesaMakeCurrent() and OSMesaPixelStore() describe it.
struct Target {
    void* memory = nullptr;
    unsigned type = 0;
    int width = 0;
    int height = 0;
    int row_length = 0;  ///< pixels; 0: width
    bool y_up = true;
};

class Context final : public osmesa_context {
public:
    /// Returns null, after a report, if there is no such context.
    static Context* create(const ContextWish& wish, const Context* shared);
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context();

    /// The context of this thread, or null.
    static Context* current();
    /// Makes no context current.
    static void release();

    /// Makes it current, with new memory. The arguments have been checked.
    /// returns  false, after a report, if there is no surface of this size
    bool make_current(void* memory, unsigned type, int width, int height);

    /// Copies all pixels to the program's memory.
    void copy_pixels();
    struct Depth {
        const void* values = nullptr;  ///< null: there is no depth
        int bytes = 0;                 ///< of a value
    };
    Depth read_depth();

    /// glAccum(). Returns false where the context's own function has to report an error.
    bool accumulate(unsigned operation, float value);
    /// glClear() with GL_ACCUM_BUFFER_BIT.
    void clear_accumulation();
    [[nodiscard]] bool has_accumulation() const {
        return wish_.accumulation_bits > 0 && !wish_.core;
    }

    [[nodiscard]] const Target& target() const { return target_; }
    [[nodiscard]] unsigned format() const { return wish_.format; }
    void set_row_length(int pixels) { target_.row_length = pixels; }
    void set_y_up(bool y_up) { target_.y_up = y_up; }
    [[nodiscard]] const Platform& platform() const { return platform_; }

private:
    Context(Platform& platform, const ContextWish& wish)
        : platform_(platform)
        , wish_(wish) {}
    bool make_surface(int width, int height, EglObject config, bool deep);
    /// Calls read() while a context is current on the surface, then makes current what was before.
    template <typename Read>
    void with_current(EglObject context, Read read);
    /// Calls read() while the reader is current and reads pixels of the surface.
    template <typename Read>
    void with_pixels(Read read);
    std::vector<float> read_colors(const Box& box);
    void write_colors(const WriteState& state, const std::vector<float>& colors);

    Platform& platform_;
    ContextWish wish_;
    Target target_;
    EglObject context_ = nullptr;
    /// Reads pixels, so that the state of the program's context neither matters nor changes. From
    /// Mesa 25 on, each context has a depth buffer of its own.
    EglObject reader_ = nullptr;
    EglObject surface_ = nullptr;
    EglObject config_ = nullptr;    ///< of the surface
    WideCopy wide_copy_;            ///< of the reader
    std::vector<uint32_t> depth_;   ///< what read_depth() gave
    std::vector<uint8_t> flipped_;  ///< rows in the surface's order
    Accumulation accumulation_;
};

}  // namespace valkyr::osmesa
