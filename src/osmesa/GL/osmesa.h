/* OSMesa: declares rendering by OpenGL into memory of the program. */
/* SPDX-License-Identifier: MIT */
/*
 * The interface that Mesa had up to 25.0. Contexts are not current in two threads at once. Pixels
 * are in the program's memory after glFinish(), glFlush(), OSMesaGetColorBuffer() and when another
 * context, or none, becomes current. Functions that fail print why to the standard error output.
 */
#ifndef OSMESA_H
#define OSMESA_H

#include <GL/gl.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OSMESA_MAJOR_VERSION 11
#define OSMESA_MINOR_VERSION 2
#define OSMESA_PATCH_VERSION 0

/* Formats: the order of a pixel's components in memory. OSMESA_COLOR_INDEX is not supported. */
#define OSMESA_COLOR_INDEX GL_COLOR_INDEX
#define OSMESA_RGBA GL_RGBA
#define OSMESA_BGRA 0x1
#define OSMESA_ARGB 0x2
#define OSMESA_RGB GL_RGB
#define OSMESA_BGR 0x4
#define OSMESA_RGB_565 0x5

/* Names of OSMesaPixelStore(): pixels from a row to the next (0: the width), and whether the first
 * row is the lowest one (initially 1). OSMesaGetIntegerv() takes them, too. */
#define OSMESA_ROW_LENGTH 0x10
#define OSMESA_Y_UP 0x11

/* Names of OSMesaGetIntegerv(). */
#define OSMESA_WIDTH 0x20
#define OSMESA_HEIGHT 0x21
#define OSMESA_FORMAT 0x22
#define OSMESA_TYPE 0x23
#define OSMESA_MAX_WIDTH 0x24
#define OSMESA_MAX_HEIGHT 0x25

/* Attributes of OSMesaCreateContextAttribs(), beside OSMESA_FORMAT. */
#define OSMESA_DEPTH_BITS 0x30
#define OSMESA_STENCIL_BITS 0x31
#define OSMESA_ACCUM_BITS 0x32
#define OSMESA_PROFILE 0x33
#define OSMESA_CORE_PROFILE 0x34
#define OSMESA_COMPAT_PROFILE 0x35
#define OSMESA_CONTEXT_MAJOR_VERSION 0x36
#define OSMESA_CONTEXT_MINOR_VERSION 0x37

typedef struct osmesa_context* OSMesaContext;
typedef void (*OSMESAproc)(void);

/* A context with 24 bits of depth and 8 of stencil; it shares objects with `sharelist`, if that is
 * not NULL. Returns NULL if it fails. */
GLAPI OSMesaContext GLAPIENTRY OSMesaCreateContext(GLenum format, OSMesaContext sharelist);
/* The same with numbers of bits. There is no accumulation buffer: accumBits must be 0. */
GLAPI OSMesaContext GLAPIENTRY OSMesaCreateContextExt(GLenum format,
                                                      GLint depthBits,
                                                      GLint stencilBits,
                                                      GLint accumBits,
                                                      OSMesaContext sharelist);
/* The same by pairs of names and values that end with 0. */
GLAPI OSMesaContext GLAPIENTRY OSMesaCreateContextAttribs(const int* attribList,
                                                          OSMesaContext sharelist);
GLAPI void GLAPIENTRY OSMesaDestroyContext(OSMesaContext ctx);

/* Makes a context current in this thread, and `buffer` its colour buffer, for width x height pixels
 * of the context's format. type: GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT or GL_FLOAT; for
 * OSMESA_RGB_565 GL_UNSIGNED_SHORT_5_6_5. Without context and buffer, none is current. The memory is
 * written, never read; another context that was current gets its pixels first. */
GLAPI GLboolean GLAPIENTRY
OSMesaMakeCurrent(OSMesaContext ctx, void* buffer, GLenum type, GLsizei width, GLsizei height);
GLAPI OSMesaContext GLAPIENTRY OSMesaGetCurrentContext(void);

/* Both speak of the current context. Places for results, here and below, may be null. */
GLAPI void GLAPIENTRY OSMesaPixelStore(GLint pname, GLint value);
GLAPI void GLAPIENTRY OSMesaGetIntegerv(GLint pname, GLint* value);

/* The depth of every pixel, lowest row first, as 2 bytes (16 bits of depth) or 4 (24 bits), valid
 * until the next call or the context's end. Returns GL_FALSE, and zeros, if there is none. */
GLAPI GLboolean GLAPIENTRY OSMesaGetDepthBuffer(
    OSMesaContext c, GLint* width, GLint* height, GLint* bytesPerValue, void** buffer);
/* The memory that OSMesaMakeCurrent() was given, with the pixels so far. */
GLAPI GLboolean GLAPIENTRY OSMesaGetColorBuffer(
    OSMesaContext c, GLint* width, GLint* height, GLint* format, void** buffer);

/* A function of OpenGL or of this interface, or NULL. */
GLAPI OSMESAproc GLAPIENTRY OSMesaGetProcAddress(const char* funcName);

/* Whether colours of fragments are clamped to [0, 1] (compatibility profile). */
GLAPI void GLAPIENTRY OSMesaColorClamp(GLboolean enable);
/* Filters of Gallium are not supported: prints so if one is enabled. */
GLAPI void GLAPIENTRY OSMesaPostprocess(OSMesaContext osmesa,
                                        const char* filter,
                                        unsigned enable_value);

#ifdef __cplusplus
}
#endif

#endif
