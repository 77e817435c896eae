// Messages: keeps the messages of a program's threads to Valkyr's server apart.
// SPDX-License-Identifier: MIT
#include "app/run/shim/messages.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <mutex>

namespace valkyr::shim {
namespace {

// vtest_protocol.h: a message is two words, the length of what follows in words (that of
// CREATE_RENDERER in bytes) and the command, and what follows. So is a reply.
constexpr size_t kHeaderBytes = 8;
constexpr uint32_t kBusyWait = 7;
constexpr uint32_t kCreateRenderer = 8;
constexpr uint32_t kCreateResource = 12;
// The words of CREATE_RESOURCE: the number of the resource and, if not 0, the bytes of its memory,
// whose descriptor is the reply.
constexpr size_t kNumberWord = 0;
constexpr size_t kMemoryWord = 10;
constexpr size_t kWords = 11;

/// The time in which a driver increments its number after a creation.
constexpr auto kIncrement = std::chrono::milliseconds(2);

/// Names this thread.
thread_local char t_thread;
/// This thread may still have the creation's turn.
thread_local bool t_created;

/// Lets one thread at a time create a resource.
class CreationTurn {
public:
    void take() {
        std::unique_lock lock(mutex_);
        while (owner_ != nullptr && owner_ != &t_thread)
            if (!created_)
                change_.wait(lock);
            else if (change_.wait_until(lock, created_at_ + kIncrement) == std::cv_status::timeout)
                break;
        owner_ = &t_thread;
        created_ = false;
    }
    /// The resource exists; the driver will increment its number.
    void created() {
        const std::lock_guard lock(mutex_);
        created_ = true;
        created_at_ = std::chrono::steady_clock::now();
        change_.notify_all();
    }
    void leave() {
        const std::lock_guard lock(mutex_);
        if (owner_ == &t_thread)
            owner_ = nullptr;
        change_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable change_;
    const void* owner_ = nullptr;  ///< null: nobody
    bool created_ = false;
    std::chrono::steady_clock::time_point created_at_;
};
CreationTurn g_creation;

/// The last numbers of a driver. Each library of Mesa's has a variable of its own. Newer ones
/// increment it when they read it, and never send a number twice.
struct Driver {
    const void* library = nullptr;
    std::array<uint32_t, 8> last{};  ///< the last one at the front
    const void* thread = nullptr;    ///< the one that sent it
};
std::array<Driver, 8> g_drivers;  ///< whoever has the creation's turn changes them

Driver& driver_of(const void* code) {
    Dl_info info{};
    const void* const library = dladdr(code, &info) != 0 ? info.dli_fbase : nullptr;
    for (Driver& driver : g_drivers)
        if (driver.library == library || driver.library == nullptr) {
            driver.library = library;
            return driver;
        }
    return g_drivers.back();
}

/// The state of a socket. The thread that has the turn changes it.
struct Socket {
    enum class State : uint8_t { Header, Payload, ReplyHeader, Reply, Descriptor };

    std::mutex turn;
    std::atomic<const void*> owner = nullptr;
    State state = State::Header;
    std::array<uint8_t, kHeaderBytes> header{};
    size_t got = 0;  ///< bytes of the header
    uint32_t command = 0;
    size_t at = 0;    ///< bytes of the payload
    size_t left = 0;  ///< its further bytes
    std::array<uint32_t, kWords> words{};
    Driver* driver = nullptr;
};

std::array<std::atomic<Socket*>, kMostDescriptors> g_sockets;

Socket* socket_of(int fd) {
    if (fd < 0 || static_cast<size_t>(fd) >= g_sockets.size())
        return nullptr;
    return g_sockets[static_cast<size_t>(fd)].load(std::memory_order_acquire);
}

bool is_mine(const Socket& socket) {
    return socket.owner.load(std::memory_order_relaxed) == &t_thread;
}

/// A thread that goes on has incremented the number of the resource that it made before.
void end_creation() {
    if (t_created)
        g_creation.leave();
    t_created = false;
}

void end_turn(Socket& socket) {
    socket.state = Socket::State::Header;
    socket.got = 0;
    socket.owner.store(nullptr, std::memory_order_relaxed);
    socket.turn.unlock();
}

void end_turn_after_creation(Socket& socket, bool created) {
    if (created) {
        auto& last = socket.driver->last;
        std::copy_backward(last.begin(), last.end() - 1, last.end());
        last.front() = socket.words[kNumberWord];
        socket.driver->thread = &t_thread;
        g_creation.created();
        t_created = true;
    } else {
        g_creation.leave();
    }
    end_turn(socket);
}

void end_message(Socket& socket) {
    socket.got = 0;
    if (socket.command == kBusyWait)
        socket.state = Socket::State::ReplyHeader;
    else if (socket.command != kCreateResource)
        end_turn(socket);
    else if (socket.words[kMemoryWord] != 0)
        socket.state = Socket::State::Descriptor;
    else
        end_turn_after_creation(socket, true);
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
    socket.command = words[1];
    socket.at = 0;
    socket.left = size_t{words[0]} * (words[1] == kCreateRenderer ? 1 : sizeof(uint32_t));
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
        if (socket.command == kCreateResource && socket.at < sizeof socket.words)
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

/// Replaces a number that another thread's resource got since the driver read it.
void renumber(const Driver& driver, uint8_t* number) {
    uint32_t value = 0;
    std::memcpy(&value, number, sizeof value);
    if (driver.thread == &t_thread ||
        std::find(driver.last.begin(), driver.last.end(), value) == driver.last.end())
        return;
    value = driver.last.front() + 1;
    std::memcpy(number, &value, sizeof value);
}

bool starts_creation(const Socket& socket, const void* bytes, size_t size) {
    uint32_t words[2];
    if (socket.state != Socket::State::Header || socket.got != 0 || size < sizeof words)
        return false;
    std::memcpy(words, bytes, sizeof words);
    return words[1] == kCreateResource;
}

}  // namespace

ssize_t send_in_turn(int fd, const void* bytes, size_t size, Send send, const void* code) {
    end_creation();
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || size == 0)
        return send(fd, bytes, size);
    if (!is_mine(*socket)) {
        socket->turn.lock();
        socket->owner.store(&t_thread, std::memory_order_relaxed);
    }
    if (starts_creation(*socket, bytes, size))
        g_creation.take();
    std::array<uint8_t, sizeof(uint32_t) * kWords> changed;
    if (socket->state == Socket::State::Payload && socket->command == kCreateResource &&
        socket->at == 0 && size == changed.size()) {
        socket->driver = &driver_of(code);
        std::memcpy(changed.data(), bytes, size);
        renumber(*socket->driver, changed.data() + kNumberWord * sizeof(uint32_t));
        bytes = changed.data();
    }
    const ssize_t count = send(fd, bytes, size);
    if (count < 0) {
        g_creation.leave();
        end_turn(*socket);
    } else {
        note_sent(*socket, static_cast<const uint8_t*>(bytes), static_cast<size_t>(count));
    }
    return count;
}

void note_reply(int fd, const void* bytes, ssize_t count) {
    end_creation();
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || !is_mine(*socket))
        return;
    const auto* from = static_cast<const uint8_t*>(bytes);
    size_t left = count > 0 ? static_cast<size_t>(count) : 0;
    if (socket->state == Socket::State::ReplyHeader && left != 0 &&
        take_header(*socket, from, left))
        socket->state = Socket::State::Reply;
    if (socket->state == Socket::State::Reply)
        socket->left -= std::min(left, socket->left);
    if (count < 1 || (socket->state == Socket::State::Reply && socket->left == 0))
        end_turn(*socket);
}

void note_descriptor(int fd, bool came) {
    Socket* const socket = socket_of(fd);
    if (socket != nullptr && is_mine(*socket) && socket->state == Socket::State::Descriptor)
        end_turn_after_creation(*socket, came);
}

void restart_messages(int fd) {
    if (fd < 0 || static_cast<size_t>(fd) >= g_sockets.size())
        return;
    // An entry stays for the next socket with this number.
    Socket* const fresh = std::make_unique<Socket>().release();
    Socket* old = nullptr;
    if (g_sockets[static_cast<size_t>(fd)].compare_exchange_strong(old, fresh))
        return;
    delete fresh;
    if (is_mine(*old))
        end_turn(*old);
}

}  // namespace valkyr::shim
