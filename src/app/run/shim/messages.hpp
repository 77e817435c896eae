// Messages: keeps the messages of a program's threads to Valkyr's server apart.
// SPDX-License-Identifier: MIT
//
// Mesa's virpipe driver has one socket for all contexts of a display, and no lock: if two threads
// draw, pieces of their messages mix, and a thread reads the other's reply. Here, a thread has the
// socket from the first byte of a message to its last, or to the end of the reply.
//
// Numbers of resources come from a variable in the driver, which that of Mesa 22.3 reads, sends,
// reads again and then increments: two threads can send the same number. So creations of a process
// follow each other, and one with a number that was taken meanwhile gets the next one, which is
// what the driver reads afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace valkyr::shim {

/// As write() to a socket of Valkyr's server.
/// send  the next write()
/// code  of the driver that calls
using Send = ssize_t (*)(int, const void*, size_t);
ssize_t send_in_turn(int fd, const void* bytes, size_t size, Send send, const void* code);

/// Notes bytes that were read from such a socket; `count` below 1: its end, or an error.
void note_reply(int fd, const void* bytes, ssize_t count);

/// Notes that a descriptor came by such a socket, or did not.
void note_descriptor(int fd, bool came);

/// Forgets what was under way: the descriptor is closed, or is a new socket.
void restart_messages(int fd);

/// The most descriptors whose sockets are watched.
inline constexpr size_t kMostDescriptors = 1024;

}  // namespace valkyr::shim
