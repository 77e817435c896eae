// Window resources: knows the memory into which Valkyr's server writes the pixels of windows.
// SPDX-License-Identifier: MIT
#include "app/run/shim/window_resources.hpp"

#include <array>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace valkyr::shim {
namespace {

struct Window {
    uint64_t name = 0;  ///< 0: this entry is free
    int socket = -1;
    uint32_t number = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    uint32_t bytes = 0;
    int fd = -1;
};

/// More windows at a time replace others, whose pixels are then copied.
constexpr size_t kMostWindows = 16;

// The words of TRANSFER_GET2: the resource, the level, the box, the bytes and the offset.
constexpr size_t kLevelWord = 1;
constexpr size_t kBoxWord = 2;
constexpr size_t kOffsetWord = 9;

std::mutex g_mutex;  ///< for both
std::array<Window, kMostWindows> g_windows;
uint64_t g_names;
/// The window that this thread has read last; 0: something else.
thread_local uint64_t t_read = 0;

void forget(Window& window) {
    if (window.fd >= 0)
        close(window.fd);
    window = {};
}

Window* find_window(int socket, uint32_t number) {
    for (Window& window : g_windows)
        if (window.name != 0 && window.socket == socket && window.number == number)
            return &window;
    return nullptr;
}

bool reads_all(const Window& window, const MessageWords& words) {
    const uint32_t box[] = {0, 0, 0, window.width, window.height, 1};
    bool all = words[kLevelWord] == 0 && words[kOffsetWord] == 0;
    for (size_t i = 0; i < std::size(box); ++i)
        all = all && words[kBoxWord + i] == box[i];
    return all;
}

}  // namespace

void note_window_memory(int socket, const MessageWords& creation, int fd) {
    if (!is_window(creation))
        return;
    const std::lock_guard lock(g_mutex);
    Window* place = find_window(socket, creation[kNumberWord]);
    for (Window& window : g_windows)
        if (place == nullptr ||
            (place->number != creation[kNumberWord] && window.name < place->name))
            place = &window;
    forget(*place);
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own >= 0)
        *place = {++g_names,
                  socket,
                  creation[kNumberWord],
                  creation[kWidthWord],
                  creation[kHeightWord],
                  creation[kMemoryWord],
                  own};
}

bool is_window_resource(int socket, uint32_t number) {
    const std::lock_guard lock(g_mutex);
    return find_window(socket, number) != nullptr;
}

bool note_window_message(int socket, Message command, const MessageWords& words) {
    if (command != Message::TransferGet2 && command != Message::ResourceUnref)
        return false;
    const std::lock_guard lock(g_mutex);
    Window* const window = find_window(socket, words[kNumberWord]);
    if (command == Message::TransferGet2)
        t_read = window != nullptr && reads_all(*window, words) ? window->name : 0;
    else if (window != nullptr)
        forget(*window);
    return command == Message::TransferGet2 && window != nullptr;
}

void forget_windows(int socket) {
    const std::lock_guard lock(g_mutex);
    for (Window& window : g_windows)
        if (window.socket == socket)
            forget(window);
}

WindowPixels last_read_window(size_t bytes, bool with_descriptor) {
    if (t_read == 0)
        return {};
    const std::lock_guard lock(g_mutex);
    for (const Window& window : g_windows)
        if (window.name == t_read && window.bytes == bytes)
            return {window.name, with_descriptor ? fcntl(window.fd, F_DUPFD_CLOEXEC, 0) : -1};
    return {};
}

}  // namespace valkyr::shim
