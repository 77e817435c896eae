// Server test: checks sockets in the file system, several clients, and the server's end.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/server.hpp"

#include <chrono>
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace valkyr::test::server_of_client {

namespace {

std::string socket_path() {
    return "/tmp/valkyr-server-test-" + std::to_string(getpid());
}

std::unique_ptr<FakeClient> connect_to(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return std::make_unique<FakeClient>(fd);
}

virgl::ServerOptions options(bool once) {
    virgl::ServerOptions o;
    o.socket_path = socket_path();
    o.device.threads = 1;
    o.once = once;
    return o;
}

constexpr uint32_t kSize = 8;
constexpr uint32_t kLarge = 4096;
constexpr uint32_t kManyShaders = 16;
// Formats of the protocol.
constexpr uint32_t kRgba8 = 67;
constexpr uint32_t kRgba16Float = 94;
constexpr uint32_t kBytes = kSize * kSize * 4;
constexpr std::string_view kEndless = "FRAG\n"
                                      "DCL OUT[0], COLOR\n"
                                      "DCL CONST[0]\n"
                                      "DCL TEMP[0]\n"
                                      "  0: BGNLOOP\n"
                                      "  1:   ADD TEMP[0], TEMP[0], CONST[0]\n"
                                      "  2:   IF CONST[0].yyyy\n"
                                      "  3:     BRK\n"
                                      "  4:   ENDIF\n"
                                      "  5: ENDLOOP\n"
                                      "  6: MOV OUT[0], TEMP[0]\n"
                                      "  7: END\n";

/// A client that is ready to draw.
struct Drawer {
    explicit Drawer(const std::string& path)
        : client(connect_to(path)) {
        client->greet();
        target = client->create(kTarget, 2, 1, 0x8A, kSize, kSize, kBytes);
        const GuestMemory vertices = client->create(kVertices, 0, 64, 1U << 4, 192, 1, 192);
        const float corners[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
        std::memcpy(vertices.bytes.data(), corners, sizeof corners);
        client->put(kVertices, 192, 1, 192);
    }
    /// Draws a red triangle that covers everything.
    void draw_red() {
        Stream s = draw_state(kSize);
        draw(color(s, 1, 0, 0, 1), 0, 3);
        client->submit(s.words);
    }
    void draw_endless() {
        Stream s = draw_state(kSize);
        s.shader(17, virgl::ShaderStage::Fragment, kEndless);
        s.add(Cmd::BindShader, {17, 1});
        draw(color(s, 1, 0, 0, 1), 0, 3);
        client->submit(s.words);
    }
    /// Runs the largest grid, of empty work-groups.
    void launch_for_hours() {
        Stream s;
        s.shader(18, virgl::ShaderStage::Compute,
                 "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                 "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nEND\n");
        s.add(Cmd::BindShader, {18, 5});
        s.add(Cmd::LaunchGrid, {1, 1, 1, 65535, 65535, 65535, 0, 0});
        client->submit(s.words);
    }
    /// Draws red with the state that draw_endless() made.
    void draw_red_again() {
        Stream s;
        s.add(Cmd::BindShader, {16, 1});
        draw(color(s, 1, 0, 0, 1), 0, 3);
        client->submit(s.words);
    }
    /// Creates a 2D texture of 4096x4096 texels without guest storage.
    void make_large(uint32_t handle, uint32_t format) {
        client->send({10, 2, handle, 2, format, 0x8A, kLarge, kLarge, 1, 1, 0, 0});
    }
    /// Sends converting blits that take about a second each.
    void blit_for_hours() {
        make_large(3, kRgba8);
        make_large(4, kRgba16Float);
        Stream s;
        for (unsigned i = 0; i < 10000; ++i)
            s.add(Cmd::Blit,
                  {0xF, 0,      0, 4, 0, kRgba16Float, 0,      0, 0, kLarge, kLarge, 1, 3,
                   0,   kRgba8, 0, 0, 0, kLarge,       kLarge, 1});
        client->submit(s.words);
    }
    void clear_for_hours() {
        make_large(4, kRgba16Float);
        Stream s;
        for (unsigned i = 0; i < 50000; ++i)
            s.add(Cmd::ClearTexture, {4, 0, 0, 0, 0, kLarge, kLarge, 1, 1, 2, 3, 4});
        client->submit(s.words);
    }
    /// Sends many different large shaders in one stream.
    void compile_many() {
        Stream s = draw_state(kSize);
        for (unsigned i = 0; i < kManyShaders; ++i) {
            std::string text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                               "DCL TEMP[0..1]\n0: MOV TEMP[0], IN[0]\n1: MOV TEMP[1], IN[0]\n";
            for (unsigned k = 2; k < 4500; ++k)
                text += std::to_string(k) + ": MAD TEMP[0], TEMP[1].yzwx, TEMP[0], TEMP[1]\n";
            text += "4500: MOV OUT[0], TEMP[0]\n4501: END\n" + std::string(i, ' ');
            s.shader(100 + i, virgl::ShaderStage::Fragment, text);
            s.add(Cmd::BindShader, {100 + i, 1});
            draw(color(s, 1, 0, 0, 1), 0, 3);
        }
        client->submit(s.words);
    }
    uint32_t pixel() {
        client->get(kTarget, kSize, kSize);
        uint32_t word = 0;
        std::memcpy(&word, target.bytes.data(), sizeof word);
        return word;
    }

    std::unique_ptr<FakeClient> client;
    GuestMemory target;
};

constexpr uint32_t kRed = 0xFFFF0000;  // B8G8R8A8

}  // namespace

TEST_CASE("a shader that loops for ever holds up nobody, is ended and reported") {
    RecordingObserver observer;
    virgl::ServerOptions o = options(false);
    o.device.loop_limit = uint64_t{1} << 22;
    auto server = virgl::Server::create(o, observer);
    REQUIRE(server.has_value());
    std::thread running([&] { CHECK((*server)->run().has_value()); });
    Drawer endless(socket_path());
    endless.draw_endless();
    endless.client->send({10, 13, kTarget, 0, 0, 0, 0, kSize, kSize, 1, 0, 0});  // starts the pass
    Drawer other(socket_path());
    other.draw_red();
    CHECK(other.pixel() == kRed);
    endless.client->wait(kTarget);
    CHECK(observer.lines().find("was ended: the picture is incomplete") != std::string::npos);
    endless.draw_red_again();
    CHECK(endless.pixel() == kRed);
    (*server)->stop();
    running.join();
    server->reset();
}

TEST_CASE("a client that leaves and a server that stops wait for no loop and no grid") {
    for (const auto& [first, second] :
         {std::pair{true, false}, {false, false}, {true, true}, {false, true}}) {
        const bool leaves = first;  // lambdas take no structured bindings
        const bool grid = second;
        CAPTURE(leaves);
        CAPTURE(grid);
        RecordingObserver observer;
        virgl::ServerOptions o = options(leaves);
        o.device.loop_limit = UINT64_MAX;
        auto server = virgl::Server::create(o, observer);
        REQUIRE(server.has_value());
        std::thread running([&] { CHECK((*server)->run().has_value()); });
        auto endless = std::make_unique<Drawer>(socket_path());
        if (grid)
            endless->launch_for_hours();
        else
            endless->draw_endless();
        endless->client->send({10, 13, kTarget, 0, 0, 0, 0, kSize, kSize, 1, 0, 0});
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (leaves)
            endless.reset();  // the server ends after one client
        else
            (*server)->stop();
        running.join();
        server->reset();
    }
}

TEST_CASE("a server that stops waits for no copies, clears and compiling") {
    for (const unsigned kind : {0U, 1U, 2U}) {
        CAPTURE(kind);
        RecordingObserver observer;
        auto server = virgl::Server::create(options(false), observer);
        REQUIRE(server.has_value());
        std::thread running([&] { CHECK((*server)->run().has_value()); });
        Drawer busy(socket_path());
        if (kind == 0)
            busy.blit_for_hours();
        else if (kind == 1)
            busy.clear_for_hours();
        else
            busy.compile_many();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        (*server)->stop();
        running.join();
        server->reset();
        CHECK(observer.figures.commands < 1000);
        CHECK(observer.shaders < kManyShaders);
    }
}

TEST_CASE("a client that leaves before its device is made is noticed") {
    RecordingObserver observer;
    virgl::ServerOptions o = options(false);
    o.device.loop_limit = UINT64_MAX;
    auto server = virgl::Server::create(o, observer);
    REQUIRE(server.has_value());
    std::thread running([&] { CHECK((*server)->run().has_value()); });
    // Sends a whole drawing that needs no replies at once.
    for (unsigned i = 0; i < 30; ++i) {
        auto client = connect_to(socket_path());
        Stream s;
        s.add(Cmd::CreateSubContext, {1});
        Stream state = draw_state(kSize);
        state.shader(17, virgl::ShaderStage::Fragment, kEndless);
        state.add(Cmd::BindShader, {17, 1});
        draw(color(state, 1, 0, 0, 1), 0, 3);
        // RESOURCE_CREATE: target, format, bind, width, height, depth, layers, level, samples.
        client->send({10, 2, kTarget, 2, 1, 0x8A, kSize, kSize, 1, 1, 0, 0});
        client->send({10, 2, kVertices, 0, 64, 1U << 4, 192, 1, 1, 1, 0, 0});
        Stream corners;
        corners.add(Cmd::InlineWrite, {kVertices,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       48,
                                       1,
                                       1,
                                       as_bits(-1.0F),
                                       as_bits(-1.0F),
                                       0,
                                       as_bits(1.0F),
                                       as_bits(3.0F),
                                       as_bits(-1.0F),
                                       0,
                                       as_bits(1.0F),
                                       as_bits(-1.0F),
                                       as_bits(3.0F),
                                       0,
                                       as_bits(1.0F)});
        client->submit(corners.words);
        client->submit(state.words);
        client->send({10, 13, kTarget, 0, 0, 0, 0, kSize, kSize, 1, 0, 0});  // starts the pass
    }
    (*server)->stop();
    running.join();
    server->reset();
}

TEST_CASE("a draw or grid beyond its budget is ended and reported, and the client goes on") {
    for (const bool grid : {false, true}) {
        CAPTURE(grid);
        RecordingObserver observer;
        virgl::ServerOptions o = options(false);
        o.device.loop_limit = UINT64_MAX;
        o.device.draw_budget_ms = 50;
        auto server = virgl::Server::create(o, observer);
        REQUIRE(server.has_value());
        std::thread running([&] { CHECK((*server)->run().has_value()); });
        Drawer endless(socket_path());
        if (grid)
            endless.launch_for_hours();
        else
            endless.draw_endless();
        endless.client->get(kTarget, kSize, kSize);
        CHECK(
            observer.lines().find("a draw, dispatch or copy took more than 50 ms and was ended") !=
            std::string::npos);
        if (!grid) {
            endless.launch_for_hours();
            endless.draw_red_again();
        } else {
            endless.draw_red();
        }
        CHECK(endless.pixel() == kRed);
        (*server)->stop();
        running.join();
        server->reset();
    }
}

TEST_CASE("clients with equal shaders compile them once") {
    RecordingObserver observer;
    auto server = virgl::Server::create(options(true), observer);
    REQUIRE(server.has_value());
    std::thread running([&] { CHECK((*server)->run().has_value()); });
    auto first = std::make_unique<Drawer>(socket_path());
    first->draw_red();
    CHECK(first->pixel() == kRed);
    auto second = std::make_unique<Drawer>(socket_path());
    second->draw_red();
    CHECK(second->pixel() == kRed);
    first.reset();
    second.reset();
    running.join();
    server->reset();
    // Both clients together made a vertex and a fragment kernel.
    CHECK(observer.figures.draws == 2);
    CHECK(observer.figures.kernels == 2);
}

TEST_CASE("a server for one visit ends when the last client has left, and takes its socket along") {
    RecordingObserver observer;
    auto server = virgl::Server::create(options(true), observer);
    REQUIRE(server.has_value());
    std::thread running([&] { CHECK((*server)->run().has_value()); });
    auto first = connect_to(socket_path());
    first->greet();
    auto second = connect_to(socket_path());
    second->greet();
    first.reset();
    second->create(1, 0, 64, 0, 16, 1, 16);  // still served
    second.reset();
    running.join();
    server->reset();
    struct stat status {};
    CHECK(stat(socket_path().c_str(), &status) != 0);
}

TEST_CASE("two servers cannot listen at one place, but a dead one's socket is taken over") {
    RecordingObserver observer;
    auto server = virgl::Server::create(options(false), observer);
    REQUIRE(server.has_value());
    const auto other = virgl::Server::create(options(false), observer);
    REQUIRE_FALSE(other.has_value());
    CHECK(other.error().text.find("listens there already") != std::string::npos);
    server->reset();
    // A killed server leaves a bound socket behind on which no process listens.
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_path().c_str(), sizeof address.sun_path - 1);
    const int dead = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(dead);
    CHECK(virgl::Server::create(options(false), observer).has_value());
}

TEST_CASE("stopping a server drops its clients") {
    RecordingObserver observer;
    auto server = virgl::Server::create(options(false), observer);
    REQUIRE(server.has_value());
    std::thread running([&] { CHECK((*server)->run().has_value()); });
    auto client = connect_to(socket_path());
    client->greet();
    (*server)->stop();
    running.join();
    server->reset();
    CHECK(client->closed());
}

TEST_CASE("a path that no socket can have is an error") {
    RecordingObserver observer;
    virgl::ServerOptions o = options(false);
    o.socket_path = std::string(200, 'x');
    CHECK_FALSE(virgl::Server::create(o, observer).has_value());
    o.socket_path = "/no/such/folder/socket";
    CHECK_FALSE(virgl::Server::create(o, observer).has_value());
}

TEST_CASE("a file that is no socket stays, and is an error") {
    const std::string path = socket_path();
    std::ofstream(path) << "precious";
    RecordingObserver observer;
    const auto server = virgl::Server::create(options(false), observer);
    REQUIRE_FALSE(server.has_value());
    CHECK(server.error().text == path + ": exists and is no socket");
    std::string word;
    std::ifstream(path) >> word;
    CHECK(word == "precious");
    unlink(path.c_str());
}

}  // namespace valkyr::test::server_of_client
