// Window resources: knows the memory into which Valkyr's server writes the pixels of windows.
// SPDX-License-Identifier: MIT
//
// A program that has read a whole window sends to the X server what Valkyr wrote last, so the X
// server may read it there. The functions may be called by all threads.
#pragma once

#include "app/run/shim/vtest_messages.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::shim {

/// CREATE_RESOURCE with these words has brought a descriptor, which stays the caller's.
/// socket  the descriptor of the socket
void note_window_memory(int socket, const MessageWords& creation, int fd);

/// Whether the memory of a resource is that of a window.
bool is_window_resource(int socket, uint32_t number);

/// A message was sent: notes reads, and forgets windows. Says whether it reads a window.
bool note_window_message(int socket, Message command, const MessageWords& words);

/// Forgets the windows of a socket.
void forget_windows(int socket);

/// The memory of a window.
struct WindowPixels {
    uint64_t name = 0;  ///< of this memory; 0: none
    int fd = -1;        ///< if it was asked for: the caller closes it
};

/// The window that this thread has read last, if its rows have `bytes` bytes together.
WindowPixels last_read_window(size_t bytes, bool with_descriptor);

}  // namespace valkyr::shim
