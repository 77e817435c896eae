// XCB: finds the functions of XCB and Xlib that the run shim uses.
// SPDX-License-Identifier: MIT
#include "app/run/shim/xcb.hpp"

#include <cstdlib>
#include <sys/socket.h>
#include <unistd.h>

namespace valkyr::shim {
namespace {

template <typename Function>
bool find(Function& function, const char* library, const char* name, int more_flags = RTLD_NOLOAD) {
    function = loaded_function<Function>(library, name, more_flags);
    return function != nullptr;
}

Xcb find_xcb() {
    Xcb x{};
    x.complete = find(x.get_geometry, kXcb, "xcb_get_geometry") &&
                 find(x.geometry_reply, kXcb, "xcb_get_geometry_reply") &&
                 find(x.get_input_focus, kXcb, "xcb_get_input_focus") &&
                 find(x.no_operation, kXcb, "xcb_no_operation") &&
                 find(x.wait_for_reply, kXcb, "xcb_wait_for_reply") &&
                 find(x.poll_for_reply, kXcb, "xcb_poll_for_reply") &&
                 find(x.discard_reply, kXcb, "xcb_discard_reply") &&
                 find(x.request_check, kXcb, "xcb_request_check") &&
                 find(x.flush, kXcb, "xcb_flush") && find(x.generate_id, kXcb, "xcb_generate_id") &&
                 find(x.total_read, kXcb, "xcb_total_read") &&
                 find(x.get_file_descriptor, kXcb, "xcb_get_file_descriptor");
    return x;
}

XcbShm find_xcb_shm() {
    // Mesa's GLX links this library, Mesa's EGL does so from version 24.
    XcbShm x{};
    x.complete = find(x.attach_descriptor, kXcbShm, "xcb_shm_attach_fd_checked", 0) &&
                 find(x.detach, kXcbShm, "xcb_shm_detach", 0) &&
                 find(x.put_image, kXcbShm, "xcb_shm_put_image", 0);
    return x;
}

}  // namespace

const Xcb& xcb() {
    static const Xcb functions = find_xcb();
    return functions;
}

const XcbShm& xcb_shm() {
    static const XcbShm functions = find_xcb_shm();
    return functions;
}

XcbConnection* connection_of(Display* display) {
    using Function = XcbConnection* (*)(Display*);
    static const auto function = loaded_function<Function>("libX11-xcb.so.1", "XGetXCBConnection");
    return function != nullptr ? function(display) : nullptr;
}

bool takes_descriptors(XcbConnection* connection) {
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    return connection != nullptr && xcb().complete &&
           getsockname(xcb().get_file_descriptor(connection), reinterpret_cast<sockaddr*>(&own),
                       &length) == 0 &&
           own.ss_family == AF_UNIX;
}

uint32_t attach(XcbConnection* connection, int fd, SegmentUse use) {
    if (!xcb().complete || !xcb_shm().complete) {
        close(fd);
        return 0;
    }
    const uint32_t name = xcb().generate_id(connection);
    void* const error = xcb().request_check(
        connection, xcb_shm().attach_descriptor(connection, name, fd, use == SegmentUse::Read));
    std::free(error);
    return error == nullptr ? name : 0;
}

}  // namespace valkyr::shim
