// Context: renders into a surface of its own and copies it to the program's memory.
// SPDX-License-Identifier: MIT
#include "osmesa/context.hpp"

#include "osmesa/names.hpp"
#include "osmesa/read_state.hpp"
#include "osmesa/report.hpp"

#include <cstring>
#include <string_view>

namespace valkyr::osmesa {

namespace {

// EGL 1.5 (egl.xml of Khronos).
constexpr int kNone = 0x3038;
constexpr int kEglWidth = 0x3057;
constexpr int kEglHeight = 0x3056;
constexpr int kDraw = 0x3059;
constexpr int kRead = 0x305A;
constexpr int kDepthSize = 0x3025;

Context*& current_context() {
    thread_local Context* context = nullptr;
    return context;
}

/// Pixels from a row to the next.
size_t stride(const Target& target) {
    return static_cast<size_t>(target.row_length > 0 ? target.row_length : target.width);
}

/// Copies rows, the last one first.
void flip_rows(const std::vector<uint8_t>& rows,
               const Target& target,
               size_t pixel_bytes,
               uint8_t* memory) {
    const size_t bytes = static_cast<size_t>(target.width) * pixel_bytes;
    for (int row = 0; row < target.height; ++row)
        std::memcpy(memory + stride(target) * pixel_bytes * static_cast<size_t>(row),
                    rows.data() + bytes * static_cast<size_t>(target.height - 1 - row), bytes);
}

/// Tells the server to store the current surface with more bits than Mesa asks for
/// (virgl/commands/command_state.cpp). Mesa sends the text as a marker, behind the clear, with
/// which it binds the surface. Mesa up to 24 tells the server itself which textures are surfaces.
void widen_surface(const Gl& gl) {
    constexpr std::string_view text = "valkyr: wide surface";
    gl.clear(kGlColorBufferBit);
    gl.debug_message(kGlDebugSourceApplication, kGlDebugTypeMarker, 0, kGlDebugSeverityNotification,
                     static_cast<int>(text.size()), text.data());
    gl.flush();
}

}  // namespace

Context* Context::create(const ContextWish& wish, const Context* shared) {
    Platform* platform = Platform::get();
    if (platform == nullptr)
        return nullptr;
    if (platform->config(wish, false) == nullptr) {
        report("no surface has %d bits of depth and %d of stencil", wish.depth_bits,
               wish.stencil_bits);
        return nullptr;
    }
    std::unique_ptr<Context> context(new Context(*platform, wish));
    context->context_ = platform->new_context(wish, shared != nullptr ? shared->context_ : nullptr);
    context->reader_ = platform->new_context({}, nullptr);
    if (context->context_ == nullptr || context->reader_ == nullptr)
        return nullptr;
    return context.release();
}

Context::~Context() {
    if (current() == this)
        release();
    const Egl& egl = platform_.egl();
    for (EglObject context : {context_, reader_})
        if (context != nullptr)
            egl.destroy_context(platform_.display(), context);
    if (surface_ != nullptr)
        egl.destroy_surface(platform_.display(), surface_);
}

Context* Context::current() {
    return current_context();
}

void Context::release() {
    Context*& context = current_context();
    if (context == nullptr)
        return;
    const Platform& platform = context->platform_;
    platform.egl().make_current(platform.display(), nullptr, nullptr, nullptr);
    context = nullptr;
}

bool Context::make_surface(int width, int height, EglObject config, bool deep) {
    const Egl& egl = platform_.egl();
    const int size[] = {kEglWidth, width, kEglHeight, height, kNone};
    EglObject surface = egl.create_surface(platform_.display(), config, size);
    if (surface == nullptr) {
        report("no surface of %d x %d pixels (EGL error 0x%x)", width, height,
               static_cast<unsigned>(egl.get_error()));
        return false;
    }
    if (deep && egl.make_current(platform_.display(), surface, surface, reader_) != 0)
        widen_surface(platform_.gl());
    if (egl.make_current(platform_.display(), surface, surface, context_) == 0) {
        report("the context is not made current (EGL error 0x%x): is it current in another thread?",
               static_cast<unsigned>(egl.get_error()));
        egl.destroy_surface(platform_.display(), surface);
        return false;
    }
    if (surface_ != nullptr)
        egl.destroy_surface(platform_.display(), surface_);
    surface_ = surface;
    config_ = config;
    return true;
}

bool Context::make_current(void* memory, unsigned type, int width, int height) {
    const bool deep = pixel_layout(wish_.format, type)->deep;
    EglObject config = deep ? platform_.config(wish_, true) : nullptr;
    if (config == nullptr)
        config = platform_.config(wish_, false);
    const bool fits = surface_ != nullptr && width == target_.width && height == target_.height &&
                      config == config_;
    if (!fits && !make_surface(width, height, config, deep))
        return false;
    const Egl& egl = platform_.egl();
    if (fits && egl.make_current(platform_.display(), surface_, surface_, context_) == 0) {
        report("the context is not made current (EGL error 0x%x): is it current in another thread?",
               static_cast<unsigned>(egl.get_error()));
        return false;
    }
    current_context() = this;
    target_.memory = memory;
    target_.type = type;
    target_.width = width;
    target_.height = height;
    if (has_accumulation())
        accumulation_.resize(width, height);
    const auto* name = reinterpret_cast<const char*>(platform_.gl().get_string(kGlRenderer));
    if (name != nullptr && std::string_view(name).find("Valkyr") != std::string_view::npos)
        return true;
    report("Mesa renders with \"%s\" instead of Valkyr; `valkyr doctor` says more",
           name != nullptr ? name : "nothing");
    release();
    return false;
}

template <typename Read>
void Context::with_current(EglObject context, Read read) {
    const Egl& egl = platform_.egl();
    EglObject draw_before = egl.get_current_surface(kDraw);
    EglObject read_before = egl.get_current_surface(kRead);
    EglObject context_before = egl.get_current_context();
    if (egl.make_current(platform_.display(), surface_, surface_, context) != 0)
        read();
    else
        report("pixels cannot be read (EGL error 0x%x)", static_cast<unsigned>(egl.get_error()));
    egl.make_current(platform_.display(), draw_before, read_before, context_before);
}

template <typename Read>
void Context::with_pixels(Read read) {
    with_current(reader_, [&] {
        const Gl& gl = platform_.gl();
        const bool deep = pixel_layout(wish_.format, target_.type)->deep;
        gl.clamp_color(kGlClampReadColor, 0);
        if (deep)
            wide_copy_.make(gl, target_.width, target_.height, target_.type);
        read(gl);
        if (deep)
            WideCopy::leave(gl);
    });
}

void Context::copy_pixels() {
    if (surface_ == nullptr || target_.memory == nullptr)
        return;
    const PixelLayout layout = *pixel_layout(wish_.format, target_.type);
    const size_t row_bytes = static_cast<size_t>(target_.width) * layout.bytes;
    const size_t rows = static_cast<size_t>(target_.height);
    auto* const memory = static_cast<uint8_t*>(target_.memory);
    with_pixels([&](const Gl& gl) {
        gl.pixel_store(kGlPackAlignment, 1);
        gl.pixel_store(kGlPackRowLength, target_.y_up ? static_cast<int>(stride(target_)) : 0);
        if (!target_.y_up)
            flipped_.resize(row_bytes * rows);
        gl.read_pixels(0, 0, target_.width, target_.height, layout.format, layout.type,
                       target_.y_up ? memory : flipped_.data());
        if (!target_.y_up)
            flip_rows(flipped_, target_, layout.bytes, memory);
    });
    for (size_t row = 0; row < rows; ++row)
        move_components(layout, memory + stride(target_) * layout.bytes * row,
                        static_cast<unsigned>(target_.width));
}

Context::Depth Context::read_depth() {
    if (surface_ == nullptr)
        return {};
    int bits = 0;
    platform_.egl().get_config_attribute(platform_.display(), config_, kDepthSize, &bits);
    if (bits == 0 || wish_.depth_bits == 0)
        return {};
    const int bytes = bits > 16 ? 4 : 2;
    const size_t count = static_cast<size_t>(target_.width) * static_cast<size_t>(target_.height);
    depth_.resize(count);
    with_current(context_, [&] {
        const ReadState state(platform_.gl(), wish_.core);
        platform_.gl().read_pixels(0, 0, target_.width, target_.height, kGlDepthComponent,
                                   bytes == 4 ? kGlUnsignedInt : kGlUnsignedShort, depth_.data());
    });
    if (bytes == 4 && bits < 32)
        for (uint32_t& value : depth_)
            value >>= 32 - bits;
    return {depth_.data(), bytes};
}

std::vector<float> Context::read_colors(const Box& box) {
    std::vector<float> colors(4 * static_cast<size_t>(box.width) * static_cast<size_t>(box.height));
    with_pixels([&](const Gl& gl) {
        gl.pixel_store(kGlPackRowLength, 0);
        gl.read_pixels(box.x, box.y, box.width, box.height, kGlRgba, kGlFloat, colors.data());
    });
    return colors;
}

void Context::write_colors(const WriteState& state, const std::vector<float>& colors) {
    with_current(reader_, [&] {
        const Gl& gl = platform_.gl();
        gl.color_mask(state.mask[0], state.mask[1], state.mask[2], state.mask[3]);
        gl.window_position(state.box.x, state.box.y);
        gl.draw_pixels(state.box.width, state.box.height, kGlRgba, kGlFloat, colors.data());
    });
}

bool Context::accumulate(unsigned operation, float value) {
    if (!has_accumulation() || surface_ == nullptr)
        return false;
    const WriteState state = read_write_state(platform_.gl(), target_.width, target_.height);
    if (!state.to_surface)
        return false;
    switch (operation) {
    case kGlAccum:
    case kGlLoad:
        accumulation_.add_colors(state.box, read_colors(state.box), value, operation == kGlLoad);
        return true;
    case kGlMult: accumulation_.scale(state.box, value, 0); return true;
    case kGlAdd: accumulation_.scale(state.box, 1, value); return true;
    case kGlReturn: write_colors(state, accumulation_.colors(state.box, value)); return true;
    default: return false;
    }
}

void Context::clear_accumulation() {
    if (!has_accumulation() || surface_ == nullptr)
        return;
    const WriteState state = read_write_state(platform_.gl(), target_.width, target_.height);
    if (state.to_surface)
        accumulation_.clear(state);
}

}  // namespace valkyr::osmesa
