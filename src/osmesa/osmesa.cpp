// OSMesa: exports the functions of GL/osmesa.h, and those of OpenGL that make pixels visible.
// SPDX-License-Identifier: MIT
//
// All other functions of OpenGL come from libGL.so.1, which this library needs. glFinish and
// glFlush are its own: programs find them here first if they link this library before libGL, and
// others' calls are led here (finish_redirect.hpp).
#include "osmesa/context.hpp"
#include "osmesa/finish_redirect.hpp"
#include "osmesa/names.hpp"
#include "osmesa/report.hpp"

#include <array>
#include <cstring>

#define VALKYR_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace valkyr::osmesa;

Context* own(osmesa_context* context) {
    return static_cast<Context*>(context);
}

void copy_current() {
    if (Context* context = Context::current(); context != nullptr)
        context->copy_pixels();
}

/// Calls a function of OpenGL, then copies. Without a context of ours, there may be one of GLX or
/// EGL.
void call_and_copy(Finish Gl::*ours, Finish others) {
    if (const Context* context = Context::current(); context != nullptr)
        (context->platform().gl().*ours)();
    else if (others != nullptr)
        others();
    copy_current();
}
void finish_and_copy() {
    call_and_copy(&Gl::finish, libgl_functions().finish);
}
void flush_and_copy() {
    call_and_copy(&Gl::flush, libgl_functions().flush);
}

/// Checks a wish and makes its context.
osmesa_context* create(const ContextWish& wish, int accumulation_bits, osmesa_context* shared) {
    redirect_finish({finish_and_copy, flush_and_copy});
    if (!is_format(wish.format))
        report("format 0x%x is not supported", wish.format);
    else if (wish.depth_bits < 0 || wish.stencil_bits < 0 || accumulation_bits < 0)
        report("numbers of bits are negative");
    else if (accumulation_bits > 0)
        report("there are no accumulation buffers: ask for 0 bits");
    else
        return Context::create(wish, own(shared));
    return nullptr;
}

/// Takes one attribute. Returns false if it is unknown, or its value is.
bool take_attribute(int name, int value, ContextWish& wish, int& accumulation_bits) {
    switch (name) {
    case kFormat: wish.format = static_cast<unsigned>(value); return true;
    case kDepthBits: wish.depth_bits = value; return true;
    case kStencilBits: wish.stencil_bits = value; return true;
    case kAccumBits: accumulation_bits = value; return true;
    case kProfile: wish.core = value == kCoreProfile; return wish.core || value == kCompatProfile;
    case kContextMajorVersion: wish.major = value; return value >= 1;
    case kContextMinorVersion: wish.minor = value; return value >= 0;
    default: return false;
    }
}

struct Named {
    const char* name;
    Function function;
};

}  // namespace

VALKYR_EXPORT osmesa_context*
OSMesaCreateContextExt(unsigned format, int depth, int stencil, int accum, osmesa_context* shared) {
    ContextWish wish;
    wish.format = format;
    wish.depth_bits = depth;
    wish.stencil_bits = stencil;
    return create(wish, accum, shared);
}

VALKYR_EXPORT osmesa_context* OSMesaCreateContext(unsigned format, osmesa_context* shared) {
    return OSMesaCreateContextExt(format, 24, 8, 0, shared);
}

VALKYR_EXPORT osmesa_context* OSMesaCreateContextAttribs(const int* attributes,
                                                         osmesa_context* shared) {
    ContextWish wish;
    wish.format = kRgba;
    wish.depth_bits = 0;
    wish.stencil_bits = 0;
    int accumulation_bits = 0;
    for (const int* at = attributes; at != nullptr && *at != 0; at += 2) {
        if (take_attribute(at[0], at[1], wish, accumulation_bits))
            continue;
        report("attribute 0x%x with the value %d is not supported", static_cast<unsigned>(at[0]),
               at[1]);
        return nullptr;
    }
    return create(wish, accumulation_bits, shared);
}

VALKYR_EXPORT void OSMesaDestroyContext(osmesa_context* context) {
    delete own(context);
}

VALKYR_EXPORT unsigned char
OSMesaMakeCurrent(osmesa_context* context, void* buffer, unsigned type, int width, int height) {
    // Programs free the memory of a context before they give it other memory.
    if (Context::current() != context)
        copy_current();
    if (context == nullptr && buffer == nullptr) {
        Context::release();
        return 1;
    }
    if (context == nullptr || buffer == nullptr || width < 1 || height < 1 || width > kMaxSide ||
        height > kMaxSide || !pixel_layout(own(context)->format(), type)) {
        report("OSMesaMakeCurrent: no context, no memory, a size outside 1 to %d, or a type that "
               "the format does not have",
               kMaxSide);
        return 0;
    }
    return own(context)->make_current(buffer, type, width, height) ? 1 : 0;
}

VALKYR_EXPORT osmesa_context* OSMesaGetCurrentContext() {
    return Context::current();
}

VALKYR_EXPORT void OSMesaPixelStore(int name, int value) {
    Context* context = Context::current();
    if (context == nullptr)
        report("OSMesaPixelStore: no context is current");
    else if (name == kRowLength && value >= 0)
        context->set_row_length(value);
    else if (name == kYUp)
        context->set_y_up(value != 0);
    else
        report("OSMesaPixelStore: name 0x%x with the value %d", static_cast<unsigned>(name), value);
}

VALKYR_EXPORT void OSMesaGetIntegerv(int name, int* value) {
    const Context* context = Context::current();
    const Target target = context != nullptr ? context->target() : Target();
    switch (name) {
    case kWidth: *value = target.width; break;
    case kHeight: *value = target.height; break;
    case kFormat: *value = context != nullptr ? static_cast<int>(context->format()) : 0; break;
    case kType: *value = static_cast<int>(target.type); break;
    case kRowLength: *value = target.row_length; break;
    case kYUp: *value = target.y_up ? 1 : 0; break;
    case kMaxWidth:
    case kMaxHeight: *value = kMaxSide; break;
    default: report("OSMesaGetIntegerv: name 0x%x", static_cast<unsigned>(name)); *value = 0;
    }
}

VALKYR_EXPORT unsigned char OSMesaGetDepthBuffer(
    osmesa_context* context, int* width, int* height, int* bytes_per_value, void** buffer) {
    const Context::Depth depth = context != nullptr ? own(context)->read_depth() : Context::Depth();
    const bool found = depth.values != nullptr;
    *width = found ? own(context)->target().width : 0;
    *height = found ? own(context)->target().height : 0;
    *bytes_per_value = depth.bytes;
    *buffer = const_cast<void*>(depth.values);
    return found ? 1 : 0;
}

VALKYR_EXPORT unsigned char
OSMesaGetColorBuffer(osmesa_context* context, int* width, int* height, int* format, void** buffer) {
    const bool found = context != nullptr && own(context)->target().memory != nullptr;
    if (found)
        own(context)->copy_pixels();
    *width = found ? own(context)->target().width : 0;
    *height = found ? own(context)->target().height : 0;
    *format = found ? static_cast<int>(own(context)->format()) : 0;
    *buffer = found ? own(context)->target().memory : nullptr;
    return found ? 1 : 0;
}

VALKYR_EXPORT void OSMesaColorClamp(unsigned char enable) {
    if (const Context* context = Context::current(); context != nullptr)
        context->platform().gl().clamp_color(kGlClampFragmentColor, enable);
}

VALKYR_EXPORT void OSMesaPostprocess(osmesa_context*, const char* filter, unsigned enable_value) {
    if (enable_value != 0)
        report("OSMesaPostprocess: the filter %s is not supported", filter);
}

VALKYR_EXPORT void glFinish() {
    finish_and_copy();
}

VALKYR_EXPORT void glFlush() {
    flush_and_copy();
}

VALKYR_EXPORT Function OSMesaGetProcAddress(const char* name) {
    const auto of = [](auto* function) { return reinterpret_cast<Function>(function); };
    static const std::array<Named, 15> own_functions = {{
        {"glFinish", of(finish_and_copy)},
        {"glFlush", of(flush_and_copy)},
        {"OSMesaColorClamp", of(OSMesaColorClamp)},
        {"OSMesaCreateContext", of(OSMesaCreateContext)},
        {"OSMesaCreateContextAttribs", of(OSMesaCreateContextAttribs)},
        {"OSMesaCreateContextExt", of(OSMesaCreateContextExt)},
        {"OSMesaDestroyContext", of(OSMesaDestroyContext)},
        {"OSMesaGetColorBuffer", of(OSMesaGetColorBuffer)},
        {"OSMesaGetCurrentContext", of(OSMesaGetCurrentContext)},
        {"OSMesaGetDepthBuffer", of(OSMesaGetDepthBuffer)},
        {"OSMesaGetIntegerv", of(OSMesaGetIntegerv)},
        {"OSMesaGetProcAddress", of(OSMesaGetProcAddress)},
        {"OSMesaMakeCurrent", of(OSMesaMakeCurrent)},
        {"OSMesaPixelStore", of(OSMesaPixelStore)},
        {"OSMesaPostprocess", of(OSMesaPostprocess)},
    }};
    if (name == nullptr)
        return nullptr;
    for (const Named& named : own_functions)
        if (std::strcmp(named.name, name) == 0)
            return named.function;
    const Platform* platform = Platform::get();
    return platform != nullptr ? platform->egl().get_function(name) : nullptr;
}
