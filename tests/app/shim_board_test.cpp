// Shim board test: pieces of messages and answers pass between a program and the server in memory.
// SPDX-License-Identifier: MIT
#include "app/run/shim/board.hpp"
#include "virgl/connection/message_socket.hpp"
#include "virgl/protocol/board.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <doctest/doctest.h>
#include <random>
#include <sched.h>
#include <span>
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
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

/// Reads messages of a number and the words after it, until the other side closes.
class Reader {
public:
    explicit Reader(Ends& ends)
        : server_(std::exchange(ends.sockets[1], -1)) {
        server_.use_mailbox(ends.bytes);
        thread_ = std::thread([this] {
            while (read_one())
                ++taken;
        });
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { thread_.join(); }

    std::atomic<uint32_t> taken = 0;
    std::atomic<uint32_t> wrong = 0;

private:
    bool read(std::span<uint32_t> words) {
        const auto more = server_.read(std::as_writable_bytes(words));
        return more && *more;
    }
    bool read_one() {
        std::array<uint32_t, 2> header{};
        server_.note_answer();
        if (!read(header))
            return false;
        Words payload(header[0]);
        if (!payload.empty() && !read(payload))
            return false;
        wrong += header[1] != taken ? 1 : 0;
        for (uint32_t k = 0; k < payload.size(); ++k)
            wrong += payload[k] != taken + k ? 1 : 0;
        return true;
    }

    virgl::MessageSocket server_;
    std::thread thread_;
};

/// Processors that this process may use.
int processors() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

TEST_CASE("messages arrive whole and in order, by the mailbox and by the socket") {
    Ends ends;
    Reader reader(ends);
    std::mt19937 random(5);
    uint64_t all = 0;
    const auto by_mailbox = [&] { return all - ends.word(virgl::kBoardSent).load(); };
    // The server looks for microseconds: on a busy machine it takes a while until it does so at the
    // right time, and with one processor both threads hardly ever run then.
    const std::chrono::seconds longest(processors() > 1 ? 30 : 0);
    const auto start = std::chrono::steady_clock::now();
    uint32_t sent = 0;
    for (;
         sent < 20000 || (by_mailbox() == 0 && std::chrono::steady_clock::now() - start < longest);
         ++sent) {
        const uint32_t size = random() % 200 == 0 ? 6000 : random() % 30;
        Words message{size, sent};
        for (uint32_t k = 0; k < size; ++k)
            message.push_back(sent + k);
        all += message.size() * 4;
        while (random() % 3 == 0 && reader.taken < sent)
            std::this_thread::yield();
        const bool holds = size != 0 && random() % 4 == 0 && ends.held.add(message.data(), 8);
        std::span<const std::byte> left = std::as_bytes(std::span(message));
        for (left = left.subspan(holds ? 8 : 0); !left.empty();) {
            const ssize_t count =
                ends.board.send_piece(ends.sockets[0], ends.held, left.data(), left.size(), &write);
            REQUIRE(count > 0);
            left = left.subspan(static_cast<size_t>(count));
        }
    }
    CHECK(ends.word(virgl::kBoardSent).load() > 0);
    CHECK((by_mailbox() > 0 || longest.count() == 0));
    while (reader.taken < sent && reader.wrong == 0)
        std::this_thread::yield();
    CHECK(reader.wrong == 0);
    shutdown(ends.sockets[0], SHUT_RDWR);
}

}  // namespace
}  // namespace valkyr::shim
