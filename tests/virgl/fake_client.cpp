// Fake client: speaks the vtest protocol as Mesa's window-system layer does.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"

#include "base/check.hpp"
#include "gpu/create_device.hpp"
#include "virgl/capture/recording.hpp"
#include "virgl/connection/message_socket.hpp"

#include <array>
#include <cstring>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace valkyr::test {

std::unique_ptr<raster::Device> make_device() {
    raster::DeviceOptions options;
    options.threads = 1;
    auto device = gpu::create_device(options);
    VALKYR_CHECK(device.has_value());
    return *std::move(device);
}

void RecordingObserver::log(std::string_view client, std::string_view line) {
    const std::lock_guard lock(mutex_);
    lines_ += std::string(client) + ": " + std::string(line) + "\n";
}

void RecordingObserver::shader(std::string_view /*client*/, std::string_view /*text*/) {
    const std::lock_guard lock(mutex_);
    ++shaders;
}

void RecordingObserver::frame(uint64_t /*number*/, const virgl::FramePixels& pixels) {
    const std::lock_guard lock(mutex_);
    frames.push_back(pixels);
}

void RecordingObserver::finished(std::string_view /*client*/, const virgl::Figures& of_client) {
    const std::lock_guard lock(mutex_);
    figures += of_client;
}

std::string RecordingObserver::lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
}

FakeClient::~FakeClient() {
    for (const GuestMemory& memory : mapped_) {
        munmap(memory.bytes.data(), memory.bytes.size());
        close(memory.fd);
    }
    close(fd_);
}

void FakeClient::send(std::initializer_list<uint32_t> words) {
    send_words(std::span(words.begin(), words.size()));
}

void FakeClient::send_words(std::span<const uint32_t> words) {
    auto bytes = std::as_bytes(words);
    while (!bytes.empty()) {
        const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0)
            return;  // dropped: the test sees it when it reads
        bytes = bytes.subspan(static_cast<size_t>(count));
    }
}

std::vector<std::byte> FakeClient::receive(size_t bytes) {
    std::vector<std::byte> result(bytes);
    for (size_t done = 0; done < bytes;) {
        const ssize_t count = recv(fd_, result.data() + done, bytes - done, 0);
        VALKYR_CHECK(count > 0);
        done += static_cast<size_t>(count);
    }
    return result;
}

std::vector<uint32_t> FakeClient::receive_words(size_t count) {
    const auto bytes = receive(count * sizeof(uint32_t));
    std::vector<uint32_t> words(count);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

bool FakeClient::closed() {
    std::array<std::byte, 256> bytes{};
    ssize_t count = 0;
    do
        count = recv(fd_, bytes.data(), bytes.size(), 0);
    while (count > 0);
    return true;
}

int FakeClient::receive_descriptor() {
    char byte = 1;
    iovec vector{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    VALKYR_CHECK(recvmsg(fd_, &message, 0) == 1);
    const cmsghdr* head = CMSG_FIRSTHDR(&message);
    VALKYR_CHECK(head != nullptr && head->cmsg_type == SCM_RIGHTS);
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

void FakeClient::greet() {
    send({8, 8, 0x74736574, 0});  // "test" and zeros: the length counts bytes
    send({0, 10});
    send({2, 7, 0, 0});
    VALKYR_CHECK(receive_words(2) == (std::vector<uint32_t>{0, 10}));
    VALKYR_CHECK(receive_words(3) == (std::vector<uint32_t>{1, 7, 0}));
    send({1, 11, 2});
    VALKYR_CHECK(receive_words(3) == (std::vector<uint32_t>{1, 11, 2}));
}

GuestMemory FakeClient::create(uint32_t handle,
                               uint32_t target,
                               uint32_t format,
                               uint32_t bind,
                               uint32_t width,
                               uint32_t height,
                               uint32_t bytes) {
    send({11, 12, handle, target, format, bind, width, height, 1, 1, 0, 0, bytes});
    GuestMemory memory;
    if (bytes == 0)
        return memory;
    memory.fd = receive_descriptor();
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd, 0);
    VALKYR_CHECK(data != MAP_FAILED);
    memory.bytes = {static_cast<std::byte*>(data), bytes};
    mapped_.push_back(memory);
    return memory;
}

void FakeClient::submit(const std::vector<uint32_t>& stream) {
    send({static_cast<uint32_t>(stream.size()), 6});
    send_words(stream);
}

void FakeClient::put(uint32_t handle, uint32_t width, uint32_t height, uint32_t bytes) {
    send({10 + (bytes + 3) / 4, 14, handle, 0, 0, 0, 0, width, height, 1, bytes, 0});
}

void FakeClient::get(uint32_t handle, uint32_t width, uint32_t height) {
    send({10, 13, handle, 0, 0, 0, 0, width, height, 1, 0, 0});
    wait(handle);
}

void FakeClient::wait(uint32_t handle) {
    send({2, 7, handle, 1});
    VALKYR_CHECK(receive_words(3) == (std::vector<uint32_t>{1, 7, 0}));
}

Session::Session(virgl::GlLevel level, virgl::TraceWriter* trace) {
    std::array<int, 2> sockets{};
    VALKYR_CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()) == 0);
    device_ = make_device();
    client = std::make_unique<FakeClient>(sockets[1]);
    thread_ = std::thread([this, level, trace, socket = sockets[0]] {
        virgl::MessageSocket messages(socket);
        virgl::serve_client(messages, *device_, observer, level, trace);
    });
}

Session::~Session() {
    leave();
}

void Session::leave() {
    client.reset();
    if (thread_.joinable())
        thread_.join();
}

}  // namespace valkyr::test
