// Shim board test: pieces of messages and answers pass between a program and the server in memory.
// SPDX-License-Identifier: MIT
#include "app/run/shim/board.hpp"
#include "virgl/connection/message_socket.hpp"
#include "virgl/protocol/board.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <doctest/doctest.h>
#include <random>
#include <span>
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace valkyr::shim {
namespace {

using Words = std::vector<uint32_t>;

/// A program's board and socket, and the server's end of both.
struct Ends {
    std::array<int, 2> sockets{-1, -1};
    int memory = memfd_create("board", 0);
    std::span<std::byte> bytes;
    Board board;
    HeldBytes held;

    explicit Ends(size_t size = virgl::kMailboxBoardBytes) {
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()) == 0);
        REQUIRE(ftruncate(memory, static_cast<off_t>(size)) == 0);
        void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        REQUIRE(mapped != MAP_FAILED);
        bytes = {static_cast<std::byte*>(mapped), size};
        board.keep(memory);
    }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;
    ~Ends() {
        board.forget();
        munmap(bytes.data(), bytes.size());
        close(memory);
        close(sockets[0]);
        if (sockets[1] >= 0)
            close(sockets[1]);
    }

    [[nodiscard]] std::atomic_ref<uint32_t> word(size_t index) const {
        return std::atomic_ref(reinterpret_cast<uint32_t*>(bytes.data())[index]);
    }
    ssize_t send(const Words& words) {
        return board.send_piece(sockets[0], held, words.data(), words.size() * 4, &write);
    }
    /// Receives the bytes that have come by the socket.
    [[nodiscard]] size_t socket_bytes() const {
        std::array<std::byte, 65536> received;
        const ssize_t count = recv(sockets[1], received.data(), received.size(), MSG_DONTWAIT);
        return count > 0 ? static_cast<size_t>(count) : 0;
    }
};

TEST_CASE("a piece goes by the mailbox only if the server looks there and has all others") {
    Ends ends;
    const Words three{1, 2, 3};
    CHECK(ends.send(three) == 12);  // closed
    CHECK(ends.socket_bytes() == 12);
    CHECK(ends.word(virgl::kBoardSent).load() == 12);

    ends.word(virgl::kBoardState).store(virgl::mailbox_open(0));  // opened before these bytes
    CHECK(ends.send(three) == 12);
    CHECK(ends.socket_bytes() == 12);

    ends.word(virgl::kBoardState).store(virgl::mailbox_open(24));
    const Words header{7, 8};
    REQUIRE(ends.held.add(header.data(), 8));
    CHECK(ends.send(three) == 12);
    CHECK(ends.socket_bytes() == 0);
    CHECK(ends.held.size() == 0);
    CHECK(ends.word(virgl::kBoardState).load() == virgl::kMailboxFull);
    REQUIRE(ends.word(virgl::kBoardSize).load() == 20);
    Words piece(5);
    std::memcpy(piece.data(), ends.bytes.data() + virgl::kMailboxOffset, 20);
    CHECK(piece == Words{7, 8, 1, 2, 3});

    ends.word(virgl::kBoardState).store(virgl::mailbox_open(24));
    const Words large(virgl::kMailboxBytes / 4 + 1);
    CHECK(ends.send(large) == static_cast<ssize_t>(large.size() * 4));
    CHECK(ends.socket_bytes() == large.size() * 4);
}

TEST_CASE("a small board has no mailbox") {
    Ends ends(virgl::kBoardBytes);
    CHECK(ends.send({1}) == 4);
    CHECK(ends.socket_bytes() == 4);
    CHECK(ends.board.memory() >= 0);
}

TEST_CASE("the server takes what a client writes to the mailbox, whatever it is") {
    Ends ends;
    Patience patience;
    virgl::Mailbox mailbox(ends.bytes);
    std::vector<std::byte> received(virgl::kMailboxBytes);
    CHECK(mailbox.has_turn());
    ends.word(virgl::kBoardSent).store(4);
    CHECK_FALSE(mailbox.has_turn());
    mailbox.note_received(4);
    CHECK(mailbox.has_turn());
    ends.word(virgl::kBoardUsesMailbox).store(0);
    CHECK_FALSE(mailbox.has_turn());
    ends.word(virgl::kBoardUsesMailbox).store(1);
    CHECK(mailbox.receive(received, patience) == 0);
    CHECK(ends.word(virgl::kBoardState).load() == virgl::kMailboxClosed);
    CHECK_FALSE(virgl::Mailbox(ends.bytes.first(64)).has_turn());
    // A client fills it with more bytes than there are.
    std::thread client([&] {
        ends.word(virgl::kBoardSize).store(UINT32_MAX);
        while (ends.word(virgl::kBoardState).exchange(virgl::kMailboxFull) !=
               virgl::mailbox_open(4))
            std::this_thread::yield();
    });
    size_t size = 0;
    for (int i = 0; i < 10000 && size == 0; ++i) {
        patience.came();
        size = mailbox.receive(received, patience);
    }
    ends.word(virgl::kBoardState).store(virgl::mailbox_open(4));  // ends the thread in any case
    client.join();
    CHECK(size == virgl::kMailboxBytes);
}

TEST_CASE("messages arrive whole and in order, by the mailbox and by the socket") {
    Ends ends;
    virgl::MessageSocket server(std::exchange(ends.sockets[1], -1));
    server.use_mailbox(ends.bytes);
    constexpr uint32_t kMessages = 20000;
    std::atomic<uint32_t> wrong = 0;
    std::atomic<uint32_t> taken = 0;
    std::thread reader([&] {
        Words payload;
        for (uint32_t i = 0; i < kMessages; ++i) {
            uint32_t header[2] = {};
            server.note_answer();
            if (auto more = server.read(std::as_writable_bytes(std::span(header))); !more || !*more)
                break;
            payload.resize(header[0]);
            if (auto more = server.read(std::as_writable_bytes(std::span(payload)));
                !payload.empty() && (!more || !*more))
                break;
            wrong += header[1] != i ? 1 : 0;
            for (uint32_t k = 0; k < payload.size(); ++k)
                wrong += payload[k] != i + k ? 1 : 0;
            taken = i + 1;
        }
    });
    std::mt19937 random(5);
    uint64_t all = 0;
    for (uint32_t i = 0; i < kMessages; ++i) {
        const uint32_t size = random() % 200 == 0 ? 6000 : random() % 30;
        Words message{size, i};
        for (uint32_t k = 0; k < size; ++k)
            message.push_back(i + k);
        if (random() % 3 == 0)
            while (taken < i)
                std::this_thread::yield();
        const bool holds = random() % 4 == 0 && ends.held.add(message.data(), 8);
        const size_t from = holds ? 2 : 0;
        for (size_t done = from * 4; done < message.size() * 4 || (holds && size == 0);) {
            const ssize_t count =
                ends.board.send_piece(ends.sockets[0], ends.held,
                                      reinterpret_cast<const std::byte*>(message.data()) + done,
                                      message.size() * 4 - done, &write);
            REQUIRE(count >= 0);
            done += static_cast<size_t>(count);
            if (holds && size == 0)
                break;
        }
        all += message.size() * 4;
    }
    reader.join();
    CHECK(wrong == 0);
    CHECK(taken == kMessages);
    const uint32_t by_socket = ends.word(virgl::kBoardSent).load();
    CHECK(by_socket > 0);
    CHECK(by_socket < all);
}

}  // namespace
}  // namespace valkyr::shim
