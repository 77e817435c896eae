// Messages: keeps the messages of a program's threads to Valkyr's server apart.
// SPDX-License-Identifier: MIT
//
// Mesa's virpipe driver has one socket for all contexts of a display, and no lock: if two threads
// draw, pieces of their messages mix, and a thread reads the other's reply. Here, a thread has the
// socket from the first byte of a message to its last, or to the end of the reply.
//
// Numbers of resources come from a variable in the driver: two threads can send the same number.
// So creations of a process follow each other (creation_turn.hpp). A driver that asks for protocol
// version 3, as those from Mesa 25 do, leaves the numbers to the server. Valkyr's server has
// version 2; for its threads' sake, such a driver is told that it has version 3, and gets numbers
// from here. Other drivers' numbers are replaced where they are taken (driver_numbers.hpp).
#pragma once

#include "app/run/shim/held_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

struct msghdr;

namespace valkyr::shim {

/// As write() to a socket of Valkyr's server.
/// send  the next write()
/// code  of the driver that calls
ssize_t send_in_turn(int fd, const void* bytes, size_t size, Send send, const void* code);

/// Reads bytes of a reply that comes from here. 0: the next ones come from the server.
ssize_t read_own_reply(int fd, void* bytes, size_t size);

/// Where the next bytes of a socket are.
enum class Reply : uint8_t {
    Expected,  ///< they come by the socket
    Late,      ///< they come by the socket, but not soon: the thread shall sleep
    OnBoard,   ///< the answer to a wait, which came by memory: call hand_answer()
};
/// Looks for the answer to a wait that was sent, if it may come by memory, but not for long.
Reply look_for_answer(int fd);

/// The bytes of the server's answer to a wait.
inline constexpr size_t kAnswerBytes = 12;
/// Whether the next bytes are an answer to a wait, and the driver asks for its header. Read the
/// whole answer, then call hand_answer() instead of note_reply(): one call, where the driver makes
/// two.
bool expects_answer(int fd, size_t size);
/// Gives the driver the bytes that it asks for; read_own_reply() gives the others.
ssize_t hand_answer(int fd, void* bytes, size_t size);

/// Notes bytes that were read from such a socket, and changes the reply to a question for the
/// protocol's version; `count` below 1: the socket's end, or an error.
void note_reply(int fd, void* bytes, ssize_t count);

/// Receives a descriptor that comes from here: returns 1, and 0 if it comes from the server.
ssize_t receive_own_descriptor(int fd, msghdr& message);

/// Notes what came by such a socket, which may be a descriptor. `count` as recvmsg() returned.
void note_descriptor(int fd, const msghdr& message, ssize_t count);

/// Forgets what was under way: the descriptor is closed, or is a new socket.
void restart_messages(int fd);

/// The most descriptors whose sockets are watched.
inline constexpr size_t kMostDescriptors = 1024;

}  // namespace valkyr::shim
