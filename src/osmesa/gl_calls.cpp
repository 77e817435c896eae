// GL calls: have the functions of OpenGL that do more in a context of this library.
// SPDX-License-Identifier: MIT
//
// All other functions come from libGL.so.1, which this library needs. Programs find these here
// first if they link this library before libGL; others' calls are led here (call_redirect.hpp).
#include "osmesa/gl_calls.hpp"

#include "osmesa/context.hpp"
#include "osmesa/names.hpp"

#include <array>

namespace valkyr::osmesa {
namespace {

/// Calls a function of the current context, which may be one of GLX or EGL.
template <auto kFunction, typename... Arguments>
void call(const char* name, Arguments... arguments) {
    using Type = void (*)(Arguments...);
    if (const Context* context = Context::current(); context != nullptr)
        return (context->platform().gl().*kFunction)(arguments...);
    static const auto other = reinterpret_cast<Type>(function_of_libgl(name));
    if (other != nullptr)
        other(arguments...);
}

void copy_current() {
    if (Context* context = Context::current(); context != nullptr)
        context->copy_pixels();
}

void finish() {
    call<&Gl::finish>("glFinish");
    copy_current();
}

void flush() {
    call<&Gl::flush>("glFlush");
    copy_current();
}

void accum(unsigned operation, float value) {
    Context* context = Context::current();
    if (context == nullptr || !context->accumulate(operation, value))
        call<&Gl::accum>("glAccum", operation, value);
}

void clear(unsigned buffers) {
    Context* context = Context::current();
    if ((buffers & kGlAccumBufferBit) != 0 && context != nullptr && context->has_accumulation()) {
        context->clear_accumulation();
        buffers &= ~kGlAccumBufferBit;
    }
    call<&Gl::clear>("glClear", buffers);
}

void get_integer(unsigned name, int* value) {
    constexpr int component_bits = 32;
    const Context* context = Context::current();
    if (name >= kGlAccumRedBits && name <= kGlAccumAlphaBits && context != nullptr &&
        context->has_accumulation())
        *value = component_bits;
    else
        call<&Gl::get_integer>("glGetIntegerv", name, value);
}

template <typename T>
Function of(T* function) {
    return reinterpret_cast<Function>(function);
}

}  // namespace

std::span<const NamedFunction> own_gl_functions() {
    static const std::array<NamedFunction, 5> functions = {{
        {"glFinish", of(finish)},
        {"glFlush", of(flush)},
        {"glAccum", of(accum)},
        {"glClear", of(clear)},
        {"glGetIntegerv", of(get_integer)},
    }};
    return functions;
}

}  // namespace valkyr::osmesa

#define VALKYR_EXPORT extern "C" __attribute__((visibility("default")))

VALKYR_EXPORT void glFinish() {
    valkyr::osmesa::finish();
}

VALKYR_EXPORT void glFlush() {
    valkyr::osmesa::flush();
}

VALKYR_EXPORT void glAccum(unsigned operation, float value) {
    valkyr::osmesa::accum(operation, value);
}

VALKYR_EXPORT void glClear(unsigned buffers) {
    valkyr::osmesa::clear(buffers);
}

VALKYR_EXPORT void glGetIntegerv(unsigned name, int* value) {
    valkyr::osmesa::get_integer(name, value);
}
