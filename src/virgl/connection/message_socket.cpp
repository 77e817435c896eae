// Message socket: reads whole messages and writes replies and descriptors.
// SPDX-License-Identifier: MIT
#include "virgl/connection/message_socket.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace valkyr::virgl {
namespace {

Error failed(const char* what) {
    return Error{Errc::System, {}, std::string(what) + ": " + std::strerror(errno)};
}

}  // namespace

MessageSocket::~MessageSocket() {
    if (fd_ >= 0)
        close(fd_);
}

Error MessageSocket::write_failed(const char* what) {
    abandoned_ = errno == EPIPE || errno == ECONNRESET;
    return failed(what);
}

/// The client gets its board now: nothing of what comes later may have come already.
void MessageSocket::use_mailbox(std::span<std::byte> board) noexcept {
    if (begin_ == end_)
        mailbox_ = Mailbox(board);
}

ssize_t MessageSocket::receive_with(std::span<std::byte> bytes, int flags) noexcept {
    const ssize_t count = recv(fd_, bytes.data(), bytes.size(), flags);
    if (count > 0)
        mailbox_.note_received(static_cast<size_t>(count));
    return count;
}

size_t MessageSocket::receive_soon(std::span<std::byte> bytes) noexcept {
    if (mailbox_.has_turn())
        return mailbox_.receive(bytes, patience_);
    ssize_t count = 0;
    const bool ended = look_for(patience_, [&] {
        count = receive_with(bytes, MSG_DONTWAIT);
        return count >= 0 || (errno != EAGAIN && errno != EINTR);
    });
    return ended && count > 0 ? static_cast<size_t>(count) : 0;
}

Result<size_t> MessageSocket::receive(std::span<std::byte> bytes) {
    if (expectant_) {
        if (const size_t count = receive_soon(bytes); count != 0)
            return count;
        expectant_ = false;
    }
    for (;;) {
        const ssize_t count = receive_with(bytes, 0);
        if (count >= 0)
            return static_cast<size_t>(count);
        if (errno == ECONNRESET)
            return size_t{0};
        if (errno != EINTR)
            return failed("recv");
    }
}

Result<bool> MessageSocket::read(std::span<std::byte> bytes) {
    size_t done = 0;
    while (done < bytes.size()) {
        if (begin_ == end_ && bytes.size() - done < buffer_.size()) {
            VALKYR_TRY(count, receive(buffer_));
            begin_ = 0;
            end_ = count;
        }
        size_t count = std::min(end_ - begin_, bytes.size() - done);
        if (count != 0) {
            std::memcpy(bytes.data() + done, buffer_.data() + begin_, count);
            begin_ += count;
        } else if (bytes.size() - done >= buffer_.size()) {
            VALKYR_TRY(received, receive(bytes.subspan(done)));
            count = received;
        }
        if (count == 0 && done == 0)
            return false;
        if (count == 0)
            return Error{Errc::System, {}, "the connection ended within a message"};
        done += count;
    }
    return true;
}

Result<void> MessageSocket::write(std::span<const std::byte> bytes) {
    expectant_ = true;
    while (!bytes.empty()) {
        const ssize_t count = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
            return write_failed("send");
        if (count > 0)
            bytes = bytes.subspan(static_cast<size_t>(count));
    }
    return {};
}

Result<void> MessageSocket::write_descriptor(int fd) {
    expectant_ = true;
    char byte = 0;
    iovec vector{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &fd, sizeof fd);
    for (;;) {
        const ssize_t count = sendmsg(fd_, &message, MSG_NOSIGNAL);
        if (count == 1)
            return {};
        if (count < 0 && errno != EINTR)
            return write_failed("sendmsg");
    }
}

}  // namespace valkyr::virgl
