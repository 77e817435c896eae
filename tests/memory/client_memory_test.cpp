// Client memory test: refuses memory to a client of the vtest server; the next client draws.
// SPDX-License-Identifier: MIT
#include "tests/memory/sweep.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/server.hpp"

#include <cstring>
#include <mutex>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace valkyr::test {
namespace {

constexpr uint32_t kSize = 8;
constexpr uint32_t kPixelBytes = kSize * kSize * 4;

/// Keeps the server's messages, with memory that is never refused.
class CountingObserver final : public virgl::Observer {
public:
    void log(std::string_view /*client*/, std::string_view line) override {
        const ExemptThread exempt;
        const std::lock_guard lock(mutex_);
        lines_ += std::string(line) + "\n";
    }
    void shader(std::string_view /*client*/, std::string_view /*text*/) override {}
    bool wants_frame(uint64_t /*number*/) override { return false; }
    void frame(uint64_t /*number*/, const virgl::FramePixels& /*pixels*/) override {}
    void finished(std::string_view /*client*/, const virgl::Figures& /*figures*/) override {}
    std::string take_lines() {
        const std::lock_guard lock(mutex_);
        return std::exchange(lines_, {});
    }

private:
    std::mutex mutex_;
    std::string lines_;
};

/// A whole session: a name, a buffer with guest storage, a target and vertices without it, a draw,
/// and a read of the pixels.
std::vector<uint32_t> session_words() {
    std::vector<uint32_t> words{8, 8, 0x74736574, 0};
    const auto add = [&](std::initializer_list<uint32_t> more) { words.insert(words.end(), more); };
    add({11, 12, 3, 0, 64, 1U << 4, 64, 1, 1, 1, 0, 0, 64});
    add({10, 2, kTarget, 2, 1, 0xA, kSize, kSize, 1, 1, 0, 0});
    add({10, 2, kVertices, 0, 64, 1U << 4, 48, 1, 1, 1, 0, 0});
    add({11 + 12, 5, kVertices, 0, 0, 0, 0, 0, 0, 48, 1, 1, 48});
    const float corners[12] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1};
    for (const float corner : corners)
        words.push_back(as_bits(corner));
    Stream s = draw_state(kSize);
    draw(color(s, 1, 0, 0, 1), 0, 3);
    add({static_cast<uint32_t>(s.words.size()), 6});
    words.insert(words.end(), s.words.begin(), s.words.end());
    add({11, 4, kTarget, 0, kSize * 4, kPixelBytes, 0, 0, 0, kSize, kSize, 1, kPixelBytes});
    return words;
}

/// The byte that comes with a descriptor, then the pixels.
constexpr size_t kReplyBytes = 1 + kPixelBytes;

/// Reads the server's replies, up to the expected size or until the server closes the connection.
std::vector<char> talk(const std::string& path, const std::vector<uint32_t>& words) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    const auto bytes = std::as_bytes(std::span(words));
    std::vector<char> reply(kReplyBytes);
    size_t done = 0;
    if (send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()))
        while (done < reply.size()) {
            const ssize_t count = recv(fd, reply.data() + done, reply.size() - done, 0);
            if (count <= 0)
                break;
            done += static_cast<size_t>(count);
        }
    close(fd);
    reply.resize(done);
    return reply;
}

}  // namespace

TEST_CASE("memory that runs out for a client ends it, with a line, and no other") {
    const ExemptThread exempt;  // the client's side
    const std::vector<uint32_t> words = session_words();
    virgl::ServerOptions options;
    options.socket_path = "/tmp/valkyr-memory-test-" + std::to_string(getpid());
    options.device.threads = 2;
    std::vector<char> expected;
    sweep_memory(80, [&](uint64_t first, uint64_t count) {
        CountingObserver observer;
        auto server = virgl::Server::create(options, observer);
        REQUIRE(server.has_value());
        std::thread running([&] { CHECK((*server)->run().has_value()); });
        uint64_t requests = 0;
        std::vector<char> reply;
        {
            const FailingMemory failing(first, count);
            reply = talk(options.socket_path, words);
            requests = FailingMemory::requests();
        }
        if (first == UINT64_MAX && expected.empty())
            expected = reply;
        REQUIRE(expected.size() == kReplyBytes);
        const std::string lines = observer.take_lines();
        CAPTURE(lines);
        CHECK((reply == expected || !lines.empty()));
        CHECK(talk(options.socket_path, words) == expected);
        CHECK(observer.take_lines().empty());
        (*server)->stop();
        running.join();
        return requests;
    });
    // The triangle does not cover the diagonal and the pixels above it.
    CHECK(expected[1 + 2] == static_cast<char>(0xFF));
    CHECK(expected[kReplyBytes - 2] == 0);
}

}  // namespace valkyr::test
