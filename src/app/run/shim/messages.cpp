// Messages: keeps the messages of a program's threads to Valkyr's server apart.
// SPDX-License-Identifier: MIT
#include "app/run/shim/messages.hpp"

#include "app/run/shim/board.hpp"
#include "app/run/shim/creation_turn.hpp"
#include "app/run/shim/driver_numbers.hpp"
#include "app/run/shim/fence_waits.hpp"
#include "app/run/shim/held_bytes.hpp"
#include "app/run/shim/known_waits.hpp"
#include "app/run/shim/window_memory.hpp"
#include "app/run/shim/window_resources.hpp"
#include "virgl/protocol/board.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <sys/socket.h>
#include <unistd.h>

namespace valkyr::shim {
namespace {

/// The first version in which the server numbers resources.
constexpr uint32_t kNumberingVersion = 3;

/// The state of a socket. The thread that has the turn changes it.
struct Socket {
    enum class State : uint8_t {
        Header,
        KeptHeader,  ///< the header is held until the first bytes of its payload come
        Payload,
        OwnReply,
        ReplyHeader,
        Reply,
        Descriptor
    };

    std::mutex turn;
    int fd = -1;
    std::atomic<const void*> owner = nullptr;
    State state = State::Header;
    HeldBytes held;
    std::array<uint8_t, kHeaderBytes> header{};
    size_t got = 0;  ///< bytes of the header
    Message command{};
    size_t at = 0;    ///< bytes of the payload
    size_t left = 0;  ///< its further bytes
    MessageWords words{};
    DriverNumbers* numbers = nullptr;  ///< of the driver; null: it asked for numbers
    bool gives_numbers = false;
    bool expects_pong = false;  ///< the next answer to a wait stands behind one to a ping
    uint32_t given = 0;         ///< the last number
    FenceWaits fence_waits;
    KnownWaits known_waits;
    int own_memory = -1;  ///< the descriptor that a creation gets from here
    Board board;          ///< the memory of the first fence, and of all others
};

std::array<std::atomic<Socket*>, kMostDescriptors> g_sockets;

Socket* socket_of(int fd) {
    if (fd < 0 || static_cast<size_t>(fd) >= g_sockets.size())
        return nullptr;
    return g_sockets[static_cast<size_t>(fd)].load(std::memory_order_acquire);
}

bool is_mine(const Socket& socket) {
    return socket.owner.load(std::memory_order_relaxed) == this_thread();
}

/// A thread that goes on is done with the resource that it made before.
void end_creation() {
    if (is_at_creation())
        leave_creation_turn();
}

void close_memory(int& fd) {
    if (fd >= 0)
        close(fd);
    fd = -1;
}

void end_turn(Socket& socket) {
    close_memory(socket.own_memory);  // nobody has asked for it: the creation has failed
    socket.state = Socket::State::Header;
    socket.got = 0;
    socket.owner.store(nullptr, std::memory_order_relaxed);
    socket.turn.unlock();
}

void end_turn_after_creation(Socket& socket, bool created) {
    if (created) {
        if (socket.numbers != nullptr)
            socket.numbers->note(socket.words[kNumberWord]);
        finish_creation();
    } else {
        leave_creation_turn();
    }
    end_turn(socket);
}

/// The driver knows the number.
void wait_for_memory(Socket& socket) {
    if (socket.words[kMemoryWord] != 0 || socket.own_memory >= 0)
        socket.state = Socket::State::Descriptor;
    else
        end_turn_after_creation(socket, true);
}

void end_message(Socket& socket) {
    socket.got = 0;
    const bool reads_window = note_window_message(socket.fd, socket.command, socket.words);
    socket.fence_waits.note(socket.command, socket.words, reads_window);
    socket.known_waits.note(socket.command, socket.words);
    if (is_at_creation())
        finish_creation();  // the driver has filled the resource
    switch (socket.command) {
    case Message::PingProtocolVersion:
        socket.expects_pong = true;
        end_turn(socket);
        return;
    case Message::ProtocolVersion:
        socket.gives_numbers = socket.gives_numbers || socket.words[0] >= kNumberingVersion;
        [[fallthrough]];
    case Message::ResourceBusyWait: socket.state = Socket::State::ReplyHeader; return;
    case Message::ResourceCreate2:
        socket.state = Socket::State::OwnReply;
        if (!socket.gives_numbers)
            wait_for_memory(socket);
        return;
    default: end_turn(socket);
    }
}

/// Takes bytes of a header; says whether it is complete. `left` becomes the bytes that follow.
bool take_header(Socket& socket, const uint8_t*& bytes, size_t& count) {
    const size_t taken = std::min(count, kHeaderBytes - socket.got);
    std::memcpy(socket.header.data() + socket.got, bytes, taken);
    socket.got += taken;
    bytes += taken;
    count -= taken;
    if (socket.got < kHeaderBytes)
        return false;
    uint32_t words[2];
    std::memcpy(words, socket.header.data(), sizeof words);
    socket.command = static_cast<Message>(words[1]);
    socket.at = 0;
    socket.left =
        size_t{words[0]} * (socket.command == Message::CreateRenderer ? 1 : sizeof(uint32_t));
    return true;
}

/// Notes bytes of a message that were sent.
void note_sent(Socket& socket, const uint8_t* bytes, size_t count) {
    while (count != 0 && is_mine(socket)) {
        if (socket.state == Socket::State::Header) {
            if (!take_header(socket, bytes, count))
                return;
            socket.state = Socket::State::Payload;
        }
        const size_t taken = std::min(count, socket.left);
        if (socket.at < sizeof socket.words)
            std::memcpy(reinterpret_cast<uint8_t*>(socket.words.data()) + socket.at, bytes,
                        std::min(taken, sizeof socket.words - socket.at));
        socket.at += taken;
        socket.left -= taken;
        bytes += taken;
        count -= taken;
        if (socket.left == 0)
            end_message(socket);
    }
}

/// The command of the message that these bytes start; none of Message's: they are too few to say.
Message started_command(const void* bytes, size_t size) {
    uint32_t words[2];
    if (size < sizeof words)
        return {};
    std::memcpy(words, bytes, sizeof words);
    return static_cast<Message>(words[1]);
}

/// Waits until this thread may send a message. The turn of creations comes before the socket's: who
/// waits for the first does not keep others from the second.
void start_message(Socket& socket, Message command) {
    if (command == Message::TransferPut2 && is_at_creation())
        continue_creation();
    else
        end_creation();
    if (command == Message::ResourceCreate2)
        take_creation_turn();
    socket.turn.lock();
    socket.owner.store(this_thread(), std::memory_order_relaxed);
}

bool is_payload_of_creation(const Socket& socket, size_t size) {
    const bool begins = socket.state == Socket::State::KeptHeader ||
                        (socket.state == Socket::State::Payload && socket.at == 0);
    return begins && socket.command == Message::ResourceCreate2 && size == sizeof socket.words;
}

/// The number that a resource gets for the one that the driver sends.
uint32_t chosen_number(Socket& socket, uint32_t number, const void* code) {
    socket.numbers = socket.gives_numbers ? nullptr : &numbers_of(code);
    return socket.numbers != nullptr ? socket.numbers->replaced(number) : ++socket.given;
}

/// Keeps a header that has a payload. The driver sends it in a call of its own; each call can wake
/// the server up, and a wait may be answered here.
bool keeps_header(Socket& socket, const void* bytes, size_t size) {
    uint32_t words[2];
    if (socket.state != Socket::State::Header || socket.got != 0 || size != sizeof words)
        return false;
    std::memcpy(words, bytes, sizeof words);
    if (words[0] == 0)
        return false;
    if (!socket.held.add(bytes, size))
        return false;
    const auto* from = static_cast<const uint8_t*>(bytes);
    take_header(socket, from, size);
    socket.state = Socket::State::KeptHeader;
    return true;
}

/// Keeps a message to read texels behind its header. The driver waits next, which the server can
/// answer with one look at its socket. Reads of windows go out at once: frames are 3 % slower
/// otherwise.
bool keeps_read(Socket& socket, const void* bytes, size_t size) {
    uint32_t number = 0;
    if (socket.state != Socket::State::KeptHeader || socket.command != Message::TransferGet2 ||
        size != socket.left || size < sizeof number || socket.held.size() != kHeaderBytes)
        return false;
    std::memcpy(&number, bytes, sizeof number);
    if (is_window_resource(socket.fd, number) || !socket.held.add(bytes, size))
        return false;
    socket.state = Socket::State::Payload;
    note_sent(socket, static_cast<const uint8_t*>(bytes), size);
    return true;
}

/// Answers a wait whose header was kept, if it would end at once or is for a frame's fence.
bool answers_wait(Socket& socket, const void* bytes, size_t size) {
    uint32_t words[2];
    if (socket.state != Socket::State::KeptHeader || socket.command != Message::ResourceBusyWait ||
        size != sizeof words)
        return false;
    std::memcpy(words, bytes, sizeof words);
    const auto is_of_frame = [&] {
        return socket.fence_waits.answers(words[0], words[1]) && socket.board.has_taken(words[0]);
    };
    if (!socket.known_waits.knows(words[0]) && !is_of_frame())
        return false;
    socket.held.drop_last(kHeaderBytes);
    std::copy(std::begin(words), std::end(words), socket.words.begin());
    end_message(socket);
    socket.state = Socket::State::OwnReply;
    return true;
}

/// As `send`, with the held bytes before the others.
ssize_t send_held(int fd, Socket& socket, const void* bytes, size_t size, Send send) {
    if (socket.state == Socket::State::KeptHeader) {
        socket.state = Socket::State::Payload;
        if (socket.command == Message::ResourceBusyWait && !socket.expects_pong)
            socket.board.expect_answer();
    }
    return socket.board.send_piece(fd, socket.held, bytes, size, send);
}

/// Fences share the memory of the first one, which is larger than the driver asks for.
void share_fence_memory(Socket& socket, MessageWords& creation) {
    if (!is_fence(creation) || creation[kMemoryWord] == 0)
        return;
    if (socket.board.memory() >= 0)
        socket.own_memory = fcntl(socket.board.memory(), F_DUPFD_CLOEXEC, 0);
    if (socket.own_memory >= 0)
        creation[kMemoryWord] = 0;
    else
        creation[kMemoryWord] = virgl::kMailboxBoardBytes;
}

/// The descriptor that came by a message; -1: none.
int descriptor_of(const msghdr& message) {
    const cmsghdr* const part = message.msg_controllen != 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    int fd = -1;
    if (part != nullptr && part->cmsg_type == SCM_RIGHTS && part->cmsg_len >= CMSG_LEN(sizeof fd))
        std::memcpy(&fd, CMSG_DATA(part), sizeof fd);
    return fd;
}

}  // namespace

ssize_t send_in_turn(int fd, const void* bytes, size_t size, Send send, const void* code) {
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || size == 0) {
        end_creation();
        return send(fd, bytes, size);
    }
    if (!is_mine(*socket))
        start_message(*socket, started_command(bytes, size));
    if (keeps_header(*socket, bytes, size) || answers_wait(*socket, bytes, size) ||
        keeps_read(*socket, bytes, size))
        return static_cast<ssize_t>(size);
    MessageWords creation;
    if (is_payload_of_creation(*socket, size)) {
        std::memcpy(creation.data(), bytes, size);
        creation[kNumberWord] = chosen_number(*socket, creation[kNumberWord], code);
        share_fence_memory(*socket, creation);
        bytes = creation.data();
    }
    const ssize_t count = send_held(fd, *socket, bytes, size, send);
    if (count < 0) {
        leave_creation_turn();
        end_turn(*socket);
    } else {
        note_sent(*socket, static_cast<const uint8_t*>(bytes), static_cast<size_t>(count));
    }
    return count;
}

ssize_t read_own_reply(int fd, void* bytes, size_t size) {
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || !is_mine(*socket) || socket->state != Socket::State::OwnReply)
        return 0;
    // To CREATE_RESOURCE, the number; to BUSY_WAIT, that nothing is busy.
    const bool created = socket->command == Message::ResourceCreate2;
    const std::array<uint32_t, 3> reply{1, static_cast<uint32_t>(socket->command),
                                        created ? socket->words[kNumberWord] : 0};
    const size_t taken = std::min(size, sizeof reply - socket->got);
    std::memcpy(bytes, reinterpret_cast<const uint8_t*>(reply.data()) + socket->got, taken);
    socket->got += taken;
    if (socket->got == sizeof reply && created)
        wait_for_memory(*socket);
    else if (socket->got == sizeof reply)
        end_turn(*socket);
    return static_cast<ssize_t>(taken);
}

bool expects_answer(int fd, size_t size) {
    const Socket* const socket = socket_of(fd);
    return socket != nullptr && is_mine(*socket) && socket->state == Socket::State::ReplyHeader &&
           socket->got == 0 && socket->command == Message::ResourceBusyWait &&
           !socket->expects_pong && size <= kHeaderBytes;
}

Reply look_for_answer(int fd) {
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || !is_mine(*socket) || !socket->board.expects_answer())
        return Reply::Expected;
    return socket->board.take_answer() ? Reply::OnBoard : Reply::Late;
}

ssize_t hand_answer(int fd, void* bytes, size_t size) {
    Socket* const socket = socket_of(fd);
    socket->known_waits.note_answer();
    socket->state = Socket::State::OwnReply;  // the answer has the same words
    return read_own_reply(fd, bytes, size);
}

void note_reply(int fd, void* bytes, ssize_t count) {
    end_creation();
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || !is_mine(*socket))
        return;
    const auto* from = static_cast<const uint8_t*>(bytes);
    size_t left = count > 0 ? static_cast<size_t>(count) : 0;
    if (socket->state == Socket::State::ReplyHeader && left != 0 &&
        take_header(*socket, from, left))
        socket->state = Socket::State::Reply;
    if (socket->state == Socket::State::Reply) {
        if (socket->command == Message::ProtocolVersion && socket->gives_numbers &&
            left == sizeof(uint32_t))
            std::memcpy(static_cast<uint8_t*>(bytes) + count - left, &kNumberingVersion, left);
        socket->left -= std::min(left, socket->left);
    }
    const bool complete = socket->state == Socket::State::Reply && socket->left == 0;
    if (count > 0 && complete && socket->command == Message::ResourceBusyWait) {
        socket->known_waits.note_answer();
        socket->expects_pong = false;
    }
    if (count < 1 || complete)
        end_turn(*socket);
}

ssize_t receive_own_descriptor(int fd, msghdr& message) {
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || !is_mine(*socket) || socket->state != Socket::State::Descriptor ||
        socket->own_memory < 0 || message.msg_controllen < CMSG_LEN(sizeof(int)) ||
        message.msg_iovlen == 0 || message.msg_iov[0].iov_len == 0)
        return 0;
    *static_cast<uint8_t*>(message.msg_iov[0].iov_base) = 0;
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_len = CMSG_LEN(sizeof(int));
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    std::memcpy(CMSG_DATA(part), &socket->own_memory, sizeof(int));
    socket->own_memory = -1;  // the driver's now
    message.msg_controllen = CMSG_LEN(sizeof(int));
    message.msg_flags = 0;
    end_turn_after_creation(*socket, true);
    return 1;
}

void note_descriptor(int fd, const msghdr& message, ssize_t count) {
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || !is_mine(*socket) || socket->state != Socket::State::Descriptor)
        return;
    const int came = count > 0 ? descriptor_of(message) : -1;
    if (came >= 0 && socket->board.memory() < 0 && is_fence(socket->words))
        socket->board.keep(came);
    if (came >= 0)
        note_window_memory(fd, socket->words, came);
    end_turn_after_creation(*socket, came >= 0);
}

void restart_messages(int fd) {
    if (fd < 0 || static_cast<size_t>(fd) >= g_sockets.size())
        return;
    // An entry stays for the next socket with this number.
    forget_windows(fd);
    Socket* const fresh = std::make_unique<Socket>().release();
    fresh->fd = fd;
    Socket* socket = nullptr;
    if (g_sockets[static_cast<size_t>(fd)].compare_exchange_strong(socket, fresh))
        return;
    delete fresh;
    socket->held.clear();
    socket->gives_numbers = false;
    socket->expects_pong = false;
    socket->given = 0;
    socket->fence_waits = {};
    socket->known_waits = {};
    socket->board.forget();
    if (is_mine(*socket))
        end_turn(*socket);
}

}  // namespace valkyr::shim
