// Connection test: checks replies, shared memory, and clients that violate the protocol.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/protocol/board.hpp"

#include <atomic>
#include <cstring>
#include <doctest/doctest.h>
#include <thread>
#include <unistd.h>

using namespace valkyr;
using namespace valkyr::test;

TEST_CASE("a client of a newer protocol gets version 2, an older one its own") {
    Session session;
    session.client->greet();
    session.client->send({1, 11, 4});
    CHECK(session.client->receive_words(3) == std::vector<uint32_t>{1, 11, 2});
    session.client->send({1, 11, 0});
    CHECK(session.client->receive_words(3) == std::vector<uint32_t>{1, 11, 0});
}

TEST_CASE("guest storage cannot be shrunk or grown by the client") {
    Session session;
    session.client->greet();
    const GuestMemory memory = session.client->create(1, 0, 64, 0, 4096, 1, 4096);
    CHECK(ftruncate(memory.fd, 0) != 0);
    CHECK(ftruncate(memory.fd, 1 << 20) != 0);
}

TEST_CASE("an upload message has ten words, whatever its length says") {
    Session session;
    session.client->greet();
    const GuestMemory memory = session.client->create(1, 2, 67, 8, 4, 4, 64);
    for (size_t i = 0; i < 64; ++i)
        memory.bytes[i] = static_cast<std::byte>(i);
    session.client->put(1, 4, 4, 64);  // length 26
    session.client->wait(1);
    for (std::byte& byte : memory.bytes)
        byte = std::byte{0};
    session.client->get(1, 4, 4);
    for (size_t i = 0; i < 64; ++i)
        CHECK(memory.bytes[i] == static_cast<std::byte>(i));
}

TEST_CASE("nothing is sent for a resource without guest storage") {
    Session session;
    session.client->greet();
    session.client->create(1, 2, 67, 8, 4, 4, 0);
    session.client->wait(1);  // the next bytes are this reply
}

TEST_CASE("the first fence's memory has the number of the last one without memory") {
    constexpr uint32_t custom = 1U << 17;
    Session session;
    session.client->greet();
    const GuestMemory board = session.client->create(7, 0, 64, custom, 8, 1, 8);
    const GuestMemory other = session.client->create(8, 0, 64, custom, 8, 1, 8);
    const GuestMemory buffer = session.client->create(9, 0, 64, 16, 8, 1, 8);
    const auto number = [](const GuestMemory& memory) {
        uint32_t word = 0;
        std::memcpy(&word, memory.bytes.data(), sizeof word);
        return word;
    };
    session.client->wait(9);
    CHECK(number(board) == 0);
    session.client->create(10, 0, 64, custom, 8, 1, 0);
    session.client->wait(9);
    CHECK(number(board) == 10);
    session.client->create(11, 0, 64, 16, 8, 1, 0);  // no fence
    session.client->wait(9);
    CHECK(number(board) == 10);
    CHECK(number(other) == 0);
    CHECK(number(buffer) == 0);
}

TEST_CASE("a first fence without memory, or with too little, has no number") {
    for (const uint32_t bytes : {0U, 2U}) {
        Session session;
        session.client->greet();
        session.client->create(7, 0, 64, 1U << 17, 8, 1, bytes);
        session.client->create(8, 0, 64, 1U << 17, 8, 1, 0);
        session.client->wait(8);
        CHECK(session.observer.lines().empty());
    }
}

TEST_CASE("a client that looks at its first fence's memory gets answers there") {
    Session session;
    session.client->greet();
    const GuestMemory board = session.client->create(7, 0, 64, 1U << 17, 8, 1, 8);
    const std::atomic_ref answers(virgl::board_words(board.bytes)[virgl::kBoardAnswers]);
    const auto wait_with = [&](uint32_t word) {
        answers.store(word);
        session.client->send({2, 7, 7, 1});
        while ((answers.load() | virgl::kBoardLooks) == (word | virgl::kBoardLooks))
            std::this_thread::yield();
        return answers.load();
    };
    CHECK(wait_with(virgl::kBoardLooks) == virgl::kBoardAnswer);
    session.client->wait(7);  // without the bit, by the socket
    CHECK(answers.load() == virgl::kBoardAnswer);
    CHECK(wait_with(UINT32_MAX) == 0);
    session.client->wait(7);
    CHECK(session.observer.lines().empty());
}

TEST_CASE("clients of version 0 send and get bytes in messages") {
    Session session;
    session.client->send({4, 8, 0x00643076});  // "v0d"
    session.client->send({10, 2, 1, 2, 67, 8, 2, 2, 1, 1, 0, 0});
    session.client->send({15, 5, 1, 0, 8, 16, 0, 0, 0, 2, 2, 1, 16, 11, 12, 13, 14});
    session.client->send({11, 4, 1, 0, 8, 16, 0, 0, 0, 2, 2, 1, 16});
    CHECK(session.client->receive_words(4) == std::vector<uint32_t>{11, 12, 13, 14});
}

TEST_CASE("transfers outside texture or storage change nothing and end nothing") {
    Session session;
    session.client->greet();
    session.client->create(1, 2, 67, 8, 4, 4, 64);
    // A box that is too wide, a missing level, an offset behind the storage, a box of 2^32 - 1.
    session.client->send({10, 14, 1, 0, 0, 0, 0, 5, 4, 1, 80, 0});
    session.client->send({10, 14, 1, 9, 0, 0, 0, 4, 4, 1, 64, 0});
    session.client->send({10, 14, 1, 0, 0, 0, 0, 4, 4, 1, 64, 4});
    session.client->send({10, 14, 1, 0, 0, 0, 0, 4, 4, 1, 64, 0xFFFFFFFF});
    session.client->send({10, 13, 1, 0, 0xFFFFFFFF, 0, 0, 0xFFFFFFFF, 4, 1, 64, 0});
    session.client->wait(1);
    CHECK(session.observer.lines().find("upload") != std::string::npos);
}

TEST_CASE("messages that break the protocol end the connection with a line that names them") {
    struct Case {
        const char* name;
        std::vector<uint32_t> words;
        const char* line;
    };
    const std::vector<Case> cases{
        {"unknown message", {0, 99}, "no message 99"},
        {"id 0", {0, 0}, "no message 0"},
        {"wrong length", {3, 7, 1, 2, 3}, "RESOURCE_BUSY_WAIT: length 3 instead of 2"},
        {"handle 0", {11, 12, 0, 2, 67, 8, 4, 4, 1, 1, 0, 0, 64}, "RESOURCE_CREATE2"},
        {"no such target", {11, 12, 1, 77, 67, 8, 4, 4, 1, 1, 0, 0, 64}, "no texture target 77"},
        {"giant guest storage",
         {11, 12, 1, 0, 64, 8, 0xFFFFFFFF, 1, 1, 1, 0, 0, 0xFFFFFFFF,
          11, 12, 2, 0, 64, 8, 0xFFFFFFFF, 1, 1, 1, 0, 0, 0xFFFFFFFF},
         "the client's resources are larger"},
        {"no such resource", {10, 13, 7, 0, 0, 0, 0, 4, 4, 1, 64, 0}, "no resource 7"},
        {"giant submit", {0xFFFFFFFF, 6}, "SUBMIT_CMD: 4294967295 words at once"},
        {"giant name", {0xFFFFFFFF, 8}, "CREATE_RENDERER: a name"},
        {"giant put", {11, 5, 1, 0, 0, 0, 0, 0, 0, 4, 4, 1, 0xFFFFFFF0}, "TRANSFER_PUT"},
        {"command too long", {1, 6, 7U | 8U << 16}, "CLEAR at word 0: 8 words"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.name);
        Session session;
        session.client->send_words(c.words);
        CHECK(session.client->closed());
        session.leave();
        CAPTURE(session.observer.lines());
        CHECK(session.observer.lines().find(c.line) != std::string::npos);
    }
}

TEST_CASE("a client that goes in the middle of a message is let go") {
    Session session;
    session.client->send({1000, 6, 1, 2, 3});
    session.leave();
    CHECK(session.observer.lines().find("ended within a message") != std::string::npos);
}

TEST_CASE("a client that does not wait for its answers leaves without a message") {
    Session session;
    session.client->greet();
    for (int i = 0; i < 20; ++i)
        session.client->send({2, 7, 0, 1});
    session.leave();
    CHECK(session.observer.lines().empty());
}
