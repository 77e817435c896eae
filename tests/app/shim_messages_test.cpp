// Shim messages test: checks the bytes that leave for the server, and whose bytes an answer has.
// SPDX-License-Identifier: MIT
#include "app/run/shim/messages.hpp"
#include "app/run/shim/vtest_messages.hpp"
#include "virgl/protocol/board.hpp"

#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <numeric>
#include <span>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace valkyr::shim {
namespace {

using Words = std::vector<uint32_t>;

/// A driver's socket and the server's end of it.
class Sockets {
public:
    Sockets() {
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) == 0);
        REQUIRE(fcntl(ends_[1], F_SETFL, O_NONBLOCK) == 0);
        restart_messages(driver());
    }
    Sockets(const Sockets&) = delete;
    Sockets& operator=(const Sockets&) = delete;
    ~Sockets() {
        close(ends_[0]);
        close(ends_[1]);
    }

    [[nodiscard]] int driver() const { return ends_[0]; }

    void send(std::span<const std::byte> bytes) {
        CHECK(send_in_turn(driver(), bytes.data(), bytes.size(), &write, nullptr) ==
              static_cast<ssize_t>(bytes.size()));
    }
    void send(const Words& words) { send(std::as_bytes(std::span(words))); }
    /// Reads once at the end of the server.
    Words receive() {
        std::array<uint32_t, 64> words{};
        const ssize_t count = read(ends_[1], words.data(), sizeof words);
        return {words.begin(), words.begin() + (count > 0 ? count / 4 : 0)};
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

uint32_t code(Message message) {
    return static_cast<uint32_t>(message);
}

const Words kGet{3, 0, 0, 0, 0, 4, 4, 1, 64, 0};
const Words kWaitHeader{2, code(Message::ResourceBusyWait)};
const Words kWait{3, 1};

Words joined(Words first, const Words& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

const Words kPing{0, code(Message::PingProtocolVersion)};
const Words kGetHeader{10, code(Message::TransferGet2)};

TEST_CASE("a message to read texels goes out with the next one") {
    Sockets sockets;
    const auto send_get = [&] {
        sockets.send(kGetHeader);
        sockets.send(kGet);
    };
    send_get();
    CHECK(sockets.receive().empty());
    sockets.send(kWaitHeader);
    CHECK(sockets.receive().empty());
    sockets.send(kWait);
    const Words get = joined(kGetHeader, kGet);
    CHECK(sockets.receive() == joined(get, joined(kWaitHeader, kWait)));
    std::array<uint32_t, 2> header{};
    uint32_t busy = 1;
    hand_answer(sockets.driver(), header.data(), sizeof header);
    read_own_reply(sockets.driver(), &busy, sizeof busy);

    send_get();
    sockets.send(kPing);
    CHECK(sockets.receive() == joined(get, kPing));
    send_get();
    send_get();
    CHECK(sockets.receive() == joined(get, get));

    send_get();
    restart_messages(sockets.driver());
    sockets.send(kPing);
    CHECK(sockets.receive() == kPing);
}

/// Creates a fence, and gives the driver this memory for it. Returns what was sent.
Words create_fence(Sockets& sockets, int memory) {
    sockets.send({11, code(Message::ResourceCreate2)});
    sockets.send(
        {5, 0, 64, virgl::kBindCustom, virgl::kFenceBytes, 1, 1, 0, 0, 0, virgl::kFenceBytes});
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(part), &memory, sizeof memory);
    note_descriptor(sockets.driver(), message, 1);
    return sockets.receive();
}

TEST_CASE("the first fence gets memory for a mailbox, and answers to waits come there") {
    Sockets sockets;
    const int memory = memfd_create("board", 0);
    REQUIRE(ftruncate(memory, virgl::kBoardBytes) == 0);
    void* const mapped =
        mmap(nullptr, virgl::kBoardBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    REQUIRE(mapped != MAP_FAILED);
    uint32_t& answers = static_cast<uint32_t*>(mapped)[virgl::kBoardAnswers];
    const Words creation = create_fence(sockets, memory);
    REQUIRE(creation.size() == 13);
    CHECK(creation.back() == virgl::kMailboxBoardBytes);

    const auto send_wait = [&] {
        sockets.send(kGetHeader);  // the wait asks for something new
        sockets.send(kGet);
        sockets.send(kWaitHeader);
        sockets.send(kWait);
    };
    send_wait();
    CHECK(answers == virgl::kBoardLooks);
    answers = virgl::kBoardAnswer;  // as the server does
    REQUIRE(look_for_answer(sockets.driver()) == Reply::OnBoard);
    std::array<uint32_t, 3> answer{};
    CHECK(hand_answer(sockets.driver(), answer.data(), sizeof answer) == sizeof answer);
    CHECK(answer == std::array{1U, code(Message::ResourceBusyWait), 0U});

    send_wait();
    CHECK(look_for_answer(sockets.driver()) == Reply::Late);
    CHECK(look_for_answer(sockets.driver()) == Reply::Expected);
    REQUIRE(expects_answer(sockets.driver(), 8));
    hand_answer(sockets.driver(), answer.data(), sizeof answer);

    // Behind a ping, the driver reads two answers, which come by the socket.
    sockets.send(kPing);
    send_wait();
    CHECK(answers == virgl::kBoardAnswer);
    CHECK(look_for_answer(sockets.driver()) == Reply::Expected);
    munmap(mapped, virgl::kBoardBytes);
    close(memory);
}

TEST_CASE("held bytes go out in order, without those that were dropped") {
    Sockets sockets;
    HeldBytes held;
    REQUIRE(held.add(kPing.data(), 8));
    REQUIRE(held.add(kWaitHeader.data(), 8));
    held.drop_last(8);
    CHECK(held.send_before(sockets.driver(), kGet.data(), 40, &write) == 40);
    CHECK(sockets.receive() == joined(kPing, kGet));
    CHECK(held.send_before(sockets.driver(), kPing.data(), 8, &write) == 8);
    CHECK(sockets.receive() == kPing);
    CHECK_FALSE(held.add(Words(64).data(), 256));
    CHECK(held.size() == 0);
}

TEST_CASE("a header goes out with its payload, in whatever pieces the driver writes both") {
    const Words header{10, code(Message::TransferPut2)};
    Sockets sockets;
    sockets.send(header);
    CHECK(sockets.receive().empty());
    sockets.send(kGet);
    CHECK(sockets.receive() == joined(header, kGet));

    sockets.send(header);
    const auto payload = std::as_bytes(std::span(kGet));
    sockets.send(payload.first(12));
    CHECK(sockets.receive() == joined(header, {3, 0, 0}));
    sockets.send(payload.subspan(12));
    CHECK(sockets.receive().size() == kGet.size() - 3);

    const auto pieces = std::as_bytes(std::span(header));
    sockets.send(pieces.first(4));
    sockets.send(pieces.subspan(4));
    CHECK(sockets.receive() == header);
    sockets.send(kGet);
    CHECK(sockets.receive() == kGet);

    const Words both = joined(header, kGet);
    sockets.send(both);
    CHECK(sockets.receive() == both);
}

TEST_CASE("a message without a payload goes out at once") {
    Sockets sockets;
    sockets.send(kPing);
    CHECK(sockets.receive() == kPing);
}

TEST_CASE("a payload that does not fit in the socket's buffer arrives whole") {
    Words commands(1 << 20);
    std::iota(commands.begin(), commands.end(), 0);
    Sockets sockets;
    REQUIRE(fcntl(sockets.driver(), F_SETFL, O_NONBLOCK) == 0);
    sockets.send(Words{1 << 20, code(Message::SubmitCommands)});
    const auto bytes = std::as_bytes(std::span(commands));
    Words received;
    for (size_t sent = 0; sent < bytes.size() || received.size() < commands.size() + 2;) {
        const auto left = bytes.subspan(sent);
        const ssize_t count = left.empty() ? 0
                                           : send_in_turn(sockets.driver(), left.data(),
                                                          left.size(), &write, nullptr);
        REQUIRE(count >= 0);
        sent += static_cast<size_t>(count);
        for (Words part = sockets.receive(); !part.empty(); part = sockets.receive())
            received = joined(std::move(received), part);
    }
    CHECK(received == joined({1 << 20, code(Message::SubmitCommands)}, commands));
}

TEST_CASE("the driver gets the answer to a wait in the pieces that it asks for") {
    Sockets sockets;
    sockets.send(kWaitHeader);
    sockets.send(kWait);
    REQUIRE(expects_answer(sockets.driver(), 8));
    CHECK_FALSE(expects_answer(sockets.driver(), kAnswerBytes));
    std::array<uint32_t, 2> header{};
    CHECK(hand_answer(sockets.driver(), header.data(), sizeof header) == sizeof header);
    CHECK(header == std::array{1U, code(Message::ResourceBusyWait)});
    uint32_t busy = 1;
    CHECK(read_own_reply(sockets.driver(), &busy, sizeof busy) == sizeof busy);
    CHECK(busy == 0);
    CHECK(sockets.receive() == joined(kWaitHeader, kWait));

    // The next wait asks for nothing new: nothing is sent.
    sockets.send(kWaitHeader);
    sockets.send(kWait);
    CHECK(sockets.receive().empty());
    CHECK(read_own_reply(sockets.driver(), header.data(), sizeof header) == sizeof header);
    CHECK(read_own_reply(sockets.driver(), &busy, sizeof busy) == sizeof busy);
}

TEST_CASE("behind a ping, an answer is read as the driver asks: that to the ping comes first") {
    Sockets sockets;
    sockets.send(Words{0, code(Message::PingProtocolVersion)});
    sockets.send(kWaitHeader);
    sockets.send(kWait);
    CHECK_FALSE(expects_answer(sockets.driver(), 8));
    Words pong{0, code(Message::PingProtocolVersion)};
    note_reply(sockets.driver(), pong.data(), 8);
    // The driver reads the answer to its wait as well, then goes on.
    sockets.send(kWaitHeader);
    sockets.send(kWait);
    CHECK_FALSE(expects_answer(sockets.driver(), 8));
    Words answer{1, code(Message::ResourceBusyWait), 0};
    note_reply(sockets.driver(), answer.data(), 8);
    note_reply(sockets.driver(), answer.data() + 2, 4);
    sockets.send(Words{10, code(Message::TransferGet2)});
    sockets.send(kGet);
    sockets.send(kWaitHeader);
    sockets.send(kWait);
    CHECK(expects_answer(sockets.driver(), 8));
}

}  // namespace
}  // namespace valkyr::shim
