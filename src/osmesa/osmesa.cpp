// OSMesa: exports the functions of GL/osmesa.h.
// SPDX-License-Identifier: MIT
#include "osmesa/call_redirect.hpp"
#include "osmesa/context.hpp"
#include "osmesa/gl_calls.hpp"
#include "osmesa/names.hpp"
#include "osmesa/report.hpp"

#include <array>
#include <cstring>
#include <span>

#define VALKYR_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace valkyr::osmesa;

Context* own(osmesa_context* context) {
    return static_cast<Context*>(context);
}

/// Checks a wish and makes its context.
osmesa_context* create(const ContextWish& wish, osmesa_context* shared) {
    redirect_calls(own_gl_functions());
    if (!is_format(wish.format))
        report("format 0x%x is not supported", wish.format);
    else if (wish.depth_bits < 0 || wish.stencil_bits < 0 || wish.accumulation_bits < 0)
        report("numbers of bits are negative");
    else
        return Context::create(wish, own(shared));
    return nullptr;
}

/// Takes one attribute. Returns false if it is unknown, or its value is.
bool take_attribute(int name, int value, ContextWish& wish) {
    switch (name) {
    case kFormat: wish.format = static_cast<unsigned>(value); return true;
    case kDepthBits: wish.depth_bits = value; return true;
    case kStencilBits: wish.stencil_bits = value; return true;
    case kAccumBits: wish.accumulation_bits = value; return true;
    case kProfile: wish.core = value == kCoreProfile; return wish.core || value == kCompatProfile;
    case kContextMajorVersion: wish.major = value; return value >= 1;
    case kContextMinorVersion: wish.minor = value; return value >= 0;
    default: return false;
    }
}

/// Stores a result where the program wants it: places may be null.
template <typename T>
void give(T* place, T value) {
    if (place != nullptr)
        *place = value;
}

/// Returns the value of a name, 0 if it is unknown.
int integer_of(int name, const Context* context) {
    const Target target = context != nullptr ? context->target() : Target();
    switch (name) {
    case kWidth: return target.width;
    case kHeight: return target.height;
    case kFormat: return context != nullptr ? static_cast<int>(context->format()) : 0;
    case kType: return static_cast<int>(target.type);
    case kRowLength: return target.row_length;
    case kYUp: return target.y_up ? 1 : 0;
    case kMaxWidth:
    case kMaxHeight: return kMaxSide;
    default: report("OSMesaGetIntegerv: name 0x%x", static_cast<unsigned>(name)); return 0;
    }
}

}  // namespace

VALKYR_EXPORT osmesa_context*
OSMesaCreateContextExt(unsigned format, int depth, int stencil, int accum, osmesa_context* shared) {
    ContextWish wish;
    wish.format = format;
    wish.depth_bits = depth;
    wish.stencil_bits = stencil;
    wish.accumulation_bits = accum;
    return create(wish, shared);
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
    for (const int* at = attributes; at != nullptr && *at != 0; at += 2) {
        if (take_attribute(at[0], at[1], wish))
            continue;
        report("attribute 0x%x with the value %d is not supported", static_cast<unsigned>(at[0]),
               at[1]);
        return nullptr;
    }
    return create(wish, shared);
}

VALKYR_EXPORT void OSMesaDestroyContext(osmesa_context* context) {
    delete own(context);
}

VALKYR_EXPORT unsigned char
OSMesaMakeCurrent(osmesa_context* context, void* buffer, unsigned type, int width, int height) {
    // Programs free the memory of a context before they give it other memory.
    if (Context* before = Context::current(); before != nullptr && before != context)
        before->copy_pixels();
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
    give(value, integer_of(name, Context::current()));
}

VALKYR_EXPORT unsigned char OSMesaGetDepthBuffer(
    osmesa_context* context, int* width, int* height, int* bytes_per_value, void** buffer) {
    const Context::Depth depth = context != nullptr ? own(context)->read_depth() : Context::Depth();
    const bool found = depth.values != nullptr;
    give(width, found ? own(context)->target().width : 0);
    give(height, found ? own(context)->target().height : 0);
    give(bytes_per_value, depth.bytes);
    give(buffer, const_cast<void*>(depth.values));
    return found ? 1 : 0;
}

VALKYR_EXPORT unsigned char
OSMesaGetColorBuffer(osmesa_context* context, int* width, int* height, int* format, void** buffer) {
    const bool found = context != nullptr && own(context)->target().memory != nullptr;
    if (found)
        own(context)->copy_pixels();
    give(width, found ? own(context)->target().width : 0);
    give(height, found ? own(context)->target().height : 0);
    give(format, found ? static_cast<int>(own(context)->format()) : 0);
    give(buffer, found ? own(context)->target().memory : nullptr);
    return found ? 1 : 0;
}

VALKYR_EXPORT void OSMesaColorClamp(unsigned char enable) {
    if (const Context* context = Context::current(); context != nullptr)
        context->platform().gl().clamp_color(kGlClampFragmentColor, enable);
}

VALKYR_EXPORT void OSMesaPostprocess(osmesa_context*, const char* filter, unsigned enable_value) {
    if (enable_value != 0)
        report("OSMesaPostprocess: the filter %s is not supported",
               filter != nullptr ? filter : "(null)");
}

VALKYR_EXPORT Function OSMesaGetProcAddress(const char* name) {
    const auto of = [](auto* function) { return reinterpret_cast<Function>(function); };
    static const std::array<NamedFunction, 13> own_functions = {{
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
    for (const std::span<const NamedFunction> functions :
         {std::span<const NamedFunction>(own_functions), own_gl_functions()})
        for (const NamedFunction& named : functions)
            if (std::strcmp(named.name, name) == 0)
                return named.function;
    const Platform* platform = Platform::get();
    return platform != nullptr ? platform->egl().get_function(name) : nullptr;
}
