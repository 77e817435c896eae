// Run shim: connects Mesa to Valkyr's server and waits for replies; `valkyr run` preloads it.
// SPDX-License-Identifier: MIT
//
// Mesa 22.3 connects to /tmp/.virgl_test and has no variable for the path: connect() goes to the
// socket that VALKYR_VTEST_SOCKET names instead. Reads from that socket poll for some microseconds
// before they sleep: most replies come at once, and an idle processor takes longer to wake up than
// the server takes to reply.
//
// A framebuffer with only a front buffer starts with the content of its window, which Mesa reads by
// XGetSubImage. If the window is not mapped, the X server answers with BadMatch, which would end
// the program. The shim drops this error of this call.
//
// The other files of this folder have the calls that concern the X server; what read() and write()
// do beside this is in frames.hpp and messages.hpp.
#include "app/run/shim/frames.hpp"
#include "app/run/shim/messages.hpp"
#include "base/mesa_socket.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

namespace mesa_socket = valkyr::mesa_socket;
namespace shim = valkyr::shim;
using Connect = int (*)(int, const sockaddr*, socklen_t);
using Read = ssize_t (*)(int, void*, size_t);
using Receive = ssize_t (*)(int, msghdr*, int);
using Close = int (*)(int);

// Types of Xlib (Xlib.h). The shim does not link Xlib: programs need not load it.
struct XImage;
struct XErrorEvent {
    int type;
    Display* display;
    unsigned long resource;
    unsigned long serial;
    unsigned char error_code;
    unsigned char request_code;
    unsigned char minor_code;
};
using ErrorHandler = int (*)(Display*, XErrorEvent*);
using SetErrorHandler = ErrorHandler (*)(ErrorHandler);
using GetSubImage = XImage* (*)(Display*,
                                unsigned long,
                                int,
                                int,
                                unsigned,
                                unsigned,
                                unsigned long,
                                int,
                                XImage*,
                                int,
                                int);
constexpr unsigned char kBadMatch = 8;
constexpr unsigned char kGetImage = 73;

/// Whether a descriptor is connected to Valkyr's server.
std::array<std::atomic<bool>, shim::kMostDescriptors> g_connected;

bool is_connected(int fd) {
    return fd >= 0 && static_cast<size_t>(fd) < g_connected.size() &&
           g_connected[static_cast<size_t>(fd)].load(std::memory_order_relaxed);
}

void set_connected(int fd, bool connected) {
    if (fd >= 0 && static_cast<size_t>(fd) < g_connected.size())
        g_connected[static_cast<size_t>(fd)].store(connected, std::memory_order_relaxed);
}

/// The calls behind the ones here.
struct NextCalls {
    Connect connect;
    Close close;
    Read read;
    Receive recvmsg;
    shim::Send write;
};

template <typename Call>
Call next_call(const char* name) {
    return reinterpret_cast<Call>(dlsym(RTLD_NEXT, name));
}

const NextCalls& next_calls() {
    static const NextCalls calls{next_call<Connect>("connect"), next_call<Close>("close"),
                                 next_call<Read>("read"), next_call<Receive>("recvmsg"),
                                 next_call<shim::Send>("write")};
    return calls;
}

/// A child of fork() and a signal handler may call close() and write(), but must not search for
/// them.
[[gnu::constructor]] void find_next_calls() {
    next_calls();
}

/// As mesa_socket::read_soon(), for recvmsg().
bool receive_soon(int fd, msghdr* message, int flags, ssize_t& count) {
    thread_local valkyr::Patience patience;
    return valkyr::look_for(patience, [&] {
        count = next_calls().recvmsg(fd, message, flags | MSG_DONTWAIT);
        return count >= 0 || errno != EAGAIN;
    });
}

/// Reads from a socket of Valkyr's server. Does not sleep before some microseconds have passed.
ssize_t read_soon(int fd, void* bytes, size_t size) {
    ssize_t count = 0;
    const bool soon = mesa_socket::read_soon(fd, bytes, size, count);
    if (soon && count < 0 && errno == ENOTSOCK)
        set_connected(fd, false);  // the program has put another file in its place
    return soon && is_connected(fd) ? count : next_calls().read(fd, bytes, size);
}

/// The program's handler of X errors, which drop_mismatch() replaces for a call.
std::atomic<ErrorHandler> g_error_handler;

int drop_mismatch(Display* display, XErrorEvent* event) {
    if (event->error_code == kBadMatch && event->request_code == kGetImage)
        return 0;
    const ErrorHandler before = g_error_handler.load();
    return before != nullptr ? before(display, event) : 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) XImage*
XGetSubImage(Display* display,  // NOLINT: Xlib's name
             unsigned long drawable,
             int x,
             int y,
             unsigned width,
             unsigned height,
             unsigned long planes,
             int format,
             XImage* image,
             int image_x,
             int image_y) {
    static const auto next = shim::loaded_function<GetSubImage>(shim::kXlib, "XGetSubImage");
    static const auto set_handler =
        shim::loaded_function<SetErrorHandler>(shim::kXlib, "XSetErrorHandler");
    if (next == nullptr)
        return nullptr;
    const auto get = [&] {
        return next(display, drawable, x, y, width, height, planes, format, image, image_x,
                    image_y);
    };
    if (set_handler == nullptr || !shim::is_code_of(__builtin_return_address(0), {"libGLX_mesa"}))
        return get();
    const ErrorHandler before = set_handler(drop_mismatch);
    if (before != drop_mismatch)
        g_error_handler = before;
    XImage* const result = get();
    set_handler(before);
    return result;
}

extern "C" __attribute__((visibility("default"))) int
connect(int fd, const sockaddr* address, socklen_t length) {  // NOLINT: the C library's name
    const Connect next = next_calls().connect;
    const char* path = std::getenv("VALKYR_VTEST_SOCKET");
    if (path == nullptr ||
        !(mesa_socket::is_built_in(address, length) || mesa_socket::is_path(address, length, path)))
        return next(fd, address, length);
    const sockaddr_un other = mesa_socket::address_of(path);
    const int result = next(fd, reinterpret_cast<const sockaddr*>(&other), sizeof other);
    set_connected(fd, result == 0);
    if (result == 0)
        shim::restart_messages(fd);
    return result;
}

extern "C" __attribute__((visibility("default"))) int close(int fd) {  // NOLINT: as above
    set_connected(fd, false);
    return next_calls().close(fd);
}

extern "C" __attribute__((visibility("default"))) ssize_t
read(int fd, void* bytes, size_t size) {  // NOLINT: as above
    const Read next = next_calls().read;
    if (!is_connected(fd))
        return next(fd, bytes, size);
    ssize_t count = shim::read_own_reply(fd, bytes, size);
    if (count != 0)
        return count;
    shim::finish_frames();
    const shim::Reply reply = shim::look_for_answer(fd);
    if (reply == shim::Reply::OnBoard)
        return shim::hand_answer(fd, bytes, size);
    const auto read_reply = reply == shim::Reply::Late ? next : read_soon;
    if (!shim::expects_answer(fd, size)) {
        count = read_reply(fd, bytes, size);
        shim::note_reply(fd, bytes, count);
        return count;
    }
    std::array<uint8_t, shim::kAnswerBytes> answer;
    for (size_t got = 0; got < answer.size(); got += static_cast<size_t>(count)) {
        count = read_reply(fd, answer.data() + got, answer.size() - got);
        if (count > 0)
            continue;
        shim::note_reply(fd, bytes, count);
        return count;
    }
    return shim::hand_answer(fd, bytes, size);
}

extern "C" __attribute__((visibility("default"))) ssize_t
recvmsg(int fd, msghdr* message, int flags) {  // NOLINT: as above
    if (!is_connected(fd))
        return next_calls().recvmsg(fd, message, flags);
    ssize_t count = shim::receive_own_descriptor(fd, *message);
    if (count != 0)
        return count;
    if (!receive_soon(fd, message, flags, count))
        count = next_calls().recvmsg(fd, message, flags);
    shim::note_descriptor(fd, *message, count);
    return count;
}

extern "C" __attribute__((visibility("default"))) ssize_t
write(int fd, const void* bytes, size_t size) {  // NOLINT: as above
    const shim::Send next = next_calls().write;
    if (!is_connected(fd))
        return next(fd, bytes, size);
    shim::look_at_message(bytes, size);
    return shim::send_in_turn(fd, bytes, size, next, __builtin_return_address(0));
}
