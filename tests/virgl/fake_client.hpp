// Fake client: speaks the vtest protocol as Mesa's window-system layer does.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "virgl/capture/trace.hpp"
#include "virgl/connection/connection.hpp"
#include "virgl/observe/observer.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace valkyr::test {

/// A device without workers.
std::unique_ptr<raster::Device> make_device();

/// Keeps a server's messages, first frame and figures.
class RecordingObserver final : public virgl::Observer {
public:
    void log(std::string_view client, std::string_view line) override;
    void shader(std::string_view client, std::string_view text) override;
    bool wants_frame(uint64_t number) override { return number == 1; }
    void frame(uint64_t number, const virgl::FramePixels& pixels) override;
    void finished(std::string_view client, const virgl::Figures& figures) override;

    std::string lines();
    virgl::Figures figures;
    std::vector<virgl::FramePixels> frames;
    size_t shaders = 0;

private:
    std::mutex mutex_;
    std::string lines_;
};

/// Shared memory of a resource, mapped by the client.
struct GuestMemory {
    int fd = -1;
    std::span<std::byte> bytes;
};

/// One end of a connected socket; reads and writes abort the test when they fail.
class FakeClient {
public:
    explicit FakeClient(int fd)
        : fd_(fd) {}
    FakeClient(const FakeClient&) = delete;
    FakeClient& operator=(const FakeClient&) = delete;
    ~FakeClient();

    void send(std::initializer_list<uint32_t> words);
    void send_words(std::span<const uint32_t> words);
    std::vector<std::byte> receive(size_t bytes);
    std::vector<uint32_t> receive_words(size_t count);
    /// Whether the other side has closed the connection, after all its data was read.
    bool closed();
    int receive_descriptor();

    /// CREATE_RENDERER, the pipelined probe, version 2.
    void greet();
    GuestMemory create(uint32_t handle,
                       uint32_t target,
                       uint32_t format,
                       uint32_t bind,
                       uint32_t width,
                       uint32_t height,
                       uint32_t bytes);
    void submit(const std::vector<uint32_t>& stream);
    /// TRANSFER_PUT2 with the length that Mesa sends.
    void put(uint32_t handle, uint32_t width, uint32_t height, uint32_t bytes);
    void get(uint32_t handle, uint32_t width, uint32_t height);
    void wait(uint32_t handle);

private:
    int fd_;
    std::vector<GuestMemory> mapped_;
};

/// A server connection on a thread, and its client.
class Session {
public:
    /// `trace`: records what the client sends; null: no recording.
    explicit Session(virgl::GlLevel level = virgl::GlLevel::Gl21,
                     virgl::TraceWriter* trace = nullptr);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();
    /// Disconnects the client; returns when the server has ended the connection.
    void leave();

    RecordingObserver observer;
    std::unique_ptr<FakeClient> client;

private:
    std::unique_ptr<raster::Device> device_;
    std::thread thread_;
};

}  // namespace valkyr::test
