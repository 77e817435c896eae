// Names: hold the constants of OSMesa, OpenGL and EGL that the library uses.
// SPDX-License-Identifier: MIT
//
// The headers of OpenGL and EGL need not be installed.
#pragma once

namespace valkyr::osmesa {

// OpenGL (gl.xml of Khronos).
constexpr unsigned kGlRgb = 0x1907;
constexpr unsigned kGlRgba = 0x1908;
constexpr unsigned kGlBgr = 0x80E0;
constexpr unsigned kGlBgra = 0x80E1;
constexpr unsigned kGlDepthComponent = 0x1902;
constexpr unsigned kGlUnsignedByte = 0x1401;
constexpr unsigned kGlUnsignedShort = 0x1403;
constexpr unsigned kGlUnsignedInt = 0x1405;
constexpr unsigned kGlFloat = 0x1406;
constexpr unsigned kGlUnsignedShort565 = 0x8363;
constexpr unsigned kGlPackSwapBytes = 0x0D00;
constexpr unsigned kGlPackRowLength = 0x0D02;
constexpr unsigned kGlPackSkipRows = 0x0D03;
constexpr unsigned kGlPackSkipPixels = 0x0D04;
constexpr unsigned kGlPackAlignment = 0x0D05;
constexpr unsigned kGlDepthScale = 0x0D1E;
constexpr unsigned kGlDepthBias = 0x0D1F;
constexpr unsigned kGlPixelPackBuffer = 0x88EB;
constexpr unsigned kGlPixelPackBufferBinding = 0x88ED;
constexpr unsigned kGlFramebuffer = 0x8D40;
constexpr unsigned kGlDrawFramebuffer = 0x8CA9;
constexpr unsigned kGlRenderbuffer = 0x8D41;
constexpr unsigned kGlColorAttachment0 = 0x8CE0;
constexpr unsigned kGlRgba16 = 0x805B;
constexpr unsigned kGlRgba32f = 0x8814;
constexpr unsigned kGlColorBufferBit = 0x4000;
constexpr unsigned kGlNearest = 0x2600;
constexpr unsigned kGlReadFramebuffer = 0x8CA8;
constexpr unsigned kGlReadFramebufferBinding = 0x8CAA;
constexpr unsigned kGlRenderer = 0x1F01;
constexpr unsigned kGlClampFragmentColor = 0x891B;
constexpr unsigned kGlClampReadColor = 0x891C;
constexpr unsigned kGlAccum = 0x0100;
constexpr unsigned kGlLoad = 0x0101;
constexpr unsigned kGlReturn = 0x0102;
constexpr unsigned kGlMult = 0x0103;
constexpr unsigned kGlAdd = 0x0104;
constexpr unsigned kGlAccumBufferBit = 0x0200;
constexpr unsigned kGlAccumClearValue = 0x0B80;
constexpr unsigned kGlAccumRedBits = 0x0D58;
constexpr unsigned kGlAccumAlphaBits = 0x0D5B;
constexpr unsigned kGlListIndex = 0x0B33;
constexpr unsigned kGlScissorBox = 0x0C10;
constexpr unsigned kGlScissorTest = 0x0C11;
constexpr unsigned kGlColorWritemask = 0x0C23;
constexpr unsigned kGlDrawFramebufferBinding = 0x8CA6;
constexpr unsigned kGlDebugSourceApplication = 0x824A;
constexpr unsigned kGlDebugTypeMarker = 0x8268;
constexpr unsigned kGlDebugSeverityNotification = 0x826B;

// OSMesa (GL/osmesa.h).
constexpr unsigned kRgba = kGlRgba;
constexpr unsigned kBgra = 0x1;
constexpr unsigned kArgb = 0x2;
constexpr unsigned kRgb = kGlRgb;
constexpr unsigned kBgr = 0x4;
constexpr unsigned kRgb565 = 0x5;
constexpr int kRowLength = 0x10;
constexpr int kYUp = 0x11;
constexpr int kWidth = 0x20;
constexpr int kHeight = 0x21;
constexpr int kFormat = 0x22;
constexpr int kType = 0x23;
constexpr int kMaxWidth = 0x24;
constexpr int kMaxHeight = 0x25;
constexpr int kDepthBits = 0x30;
constexpr int kStencilBits = 0x31;
constexpr int kAccumBits = 0x32;
constexpr int kProfile = 0x33;
constexpr int kCoreProfile = 0x34;
constexpr int kCompatProfile = 0x35;
constexpr int kContextMajorVersion = 0x36;
constexpr int kContextMinorVersion = 0x37;

/// The largest width and height.
constexpr int kMaxSide = 16384;

}  // namespace valkyr::osmesa
