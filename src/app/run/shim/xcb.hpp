// XCB: declares what the run shim uses of XCB and Xlib, and finds the functions.
// SPDX-License-Identifier: MIT
//
// The shim links neither: programs need not load them.
#pragma once

#include "app/run/shim/library.hpp"

#include <cstdint>

// Types of Xlib (Xlib.h) and XCB (xcb.h, xproto.h, shm.h), as far as the shim looks at them.
struct Display;
struct XcbConnection;
struct XcbCookie {
    unsigned sequence;
};
struct XcbGeometry {
    uint8_t response_type;
    uint8_t depth;
    uint16_t sequence;
    uint32_t length;
    uint32_t root;
    int16_t x;
    int16_t y;
    uint16_t width;
    uint16_t height;
    uint16_t border_width;
};

namespace valkyr::shim {

inline constexpr const char* kXlib = "libX11.so.6";
inline constexpr const char* kXext = "libXext.so.6";
inline constexpr const char* kXcb = "libxcb.so.1";
inline constexpr const char* kXcbShm = "libxcb-shm.so.0";

/// Functions of libxcb.
struct Xcb {
    XcbCookie (*get_geometry)(XcbConnection*, uint32_t);
    XcbGeometry* (*geometry_reply)(XcbConnection*, XcbCookie, void**);
    XcbCookie (*get_input_focus)(XcbConnection*);
    XcbCookie (*no_operation)(XcbConnection*);
    void* (*wait_for_reply)(XcbConnection*, unsigned, void**);
    int (*poll_for_reply)(XcbConnection*, unsigned, void**, void**);
    void (*discard_reply)(XcbConnection*, unsigned);
    void* (*request_check)(XcbConnection*, XcbCookie);
    int (*flush)(XcbConnection*);
    uint32_t (*generate_id)(XcbConnection*);
    uint64_t (*total_read)(XcbConnection*);
    int (*get_file_descriptor)(XcbConnection*);
    bool complete;  ///< all of them are there
};

/// As xcb_shm_put_image().
using XcbShmPut = XcbCookie (*)(XcbConnection*,
                                uint32_t drawable,
                                uint32_t gc,
                                uint16_t total_width,
                                uint16_t total_height,
                                uint16_t from_x,
                                uint16_t from_y,
                                uint16_t width,
                                uint16_t height,
                                int16_t x,
                                int16_t y,
                                uint8_t depth,
                                uint8_t format,
                                uint8_t send_event,
                                uint32_t segment,
                                uint32_t offset);

/// Functions of libxcb-shm.
struct XcbShm {
    XcbCookie (*attach_descriptor)(XcbConnection*, uint32_t, int32_t, uint8_t);
    XcbCookie (*detach)(XcbConnection*, uint32_t);
    XcbShmPut put_image;
    bool complete;  ///< all of them are there
};

/// The functions of libxcb if the program has loaded it, and those of libxcb-shm.
const Xcb& xcb();
const XcbShm& xcb_shm();

/// The connection of a display, or null.
XcbConnection* connection_of(Display* display);

/// Whether the X server can take descriptors: it was reached by a socket of this machine.
bool takes_descriptors(XcbConnection* connection);

enum class SegmentUse : uint8_t { ReadAndWrite, Read };

/// Attaches memory to the X server, and closes the descriptor. Returns the segment's name in the X
/// protocol, or 0 if the server refuses or a function is missing.
uint32_t attach(XcbConnection* connection, int fd, SegmentUse use);

}  // namespace valkyr::shim
