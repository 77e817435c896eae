// Messages: keeps the messages of a program's threads to Valkyr's server apart.
// SPDX-License-Identifier: MIT
#include "app/run/shim/messages.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace valkyr::shim {
namespace {

// vtest_protocol.h: a message is two words, the length of what follows in words (that of
// CREATE_RENDERER in bytes) and the command, and what follows. So is a reply.
constexpr size_t kHeaderBytes = 8;
constexpr uint32_t kBusyWait = 7;
constexpr uint32_t kCreateRenderer = 8;
constexpr uint32_t kCreateResource = 12;
constexpr uint32_t kTransferPut = 14;
// The words of CREATE_RESOURCE: the number of the resource and, if not 0, the bytes of its memory,
// whose descriptor is the reply.
constexpr size_t kNumberWord = 0;
constexpr uint32_t kFirstNumber = 1;  ///< of a driver that was loaded
constexpr size_t kMemoryWord = 10;
constexpr size_t kWords = 11;

/// The time of a processor that a driver has used up certainly when it incremented its number after
/// a creation. Time of the clock would not do: other programs may have the processor meanwhile.
constexpr uint64_t kIncrementNanoseconds = 1'000'000;
/// How often a thread that waits looks at the one that goes on.
constexpr auto kLook = std::chrono::microseconds(500);

/// Names this thread.
thread_local char t_thread;
/// This thread may still have the creation's turn.
thread_local bool t_created;

/// A thread that was seen after a creation.
struct Seen {
    pid_t thread = 0;
    clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
    uint64_t nanoseconds = 0;  ///< of the processor
};

uint64_t nanoseconds_of(const timespec& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

Seen see_this_thread() {
    Seen seen;
    seen.thread = static_cast<pid_t>(syscall(SYS_gettid));
    pthread_getcpuclockid(pthread_self(), &seen.clock);
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    seen.nanoseconds = nanoseconds_of(now);
    return seen;
}

/// Says whether the thread waits for something. proc(5): the state follows the name in brackets.
bool sleeps(pid_t thread) {
    const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
    const int flags = O_RDONLY | O_CLOEXEC;
    const auto fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), flags));
    if (fd < 0)
        return false;
    char text[128];
    const auto count = syscall(SYS_read, fd, text, sizeof text);
    syscall(SYS_close, fd);
    const std::string_view stat(text, count > 0 ? static_cast<size_t>(count) : 0);
    return stat.substr(std::min(stat.rfind(')'), stat.size())).starts_with(") S");
}

/// Says whether a thread has gone on since it was seen, or has ended. Nothing waits between a
/// creation and the increment: a thread that sleeps has incremented.
bool has_gone_on(const Seen& seen) {
    timespec now{};
    return clock_gettime(seen.clock, &now) != 0 ||
           nanoseconds_of(now) - seen.nanoseconds >= kIncrementNanoseconds || sleeps(seen.thread);
}

/// Lets one thread at a time create a resource.
class CreationTurn {
public:
    void take() {
        std::unique_lock lock(mutex_);
        while (owner_ != nullptr && owner_ != &t_thread)
            if (!created_)
                change_.wait(lock);
            else if (has_gone_on(creator_))
                break;
            else
                change_.wait_for(lock, kLook);
        owner_ = &t_thread;
        created_ = false;
    }
    /// The driver fills the resource that it made, and will increment its number afterwards.
    void fills() {
        const std::lock_guard lock(mutex_);
        if (owner_ == &t_thread)
            created_ = false;
    }
    /// The resource exists; the driver will increment its number.
    void created() {
        const std::lock_guard lock(mutex_);
        created_ = true;
        creator_ = see_this_thread();
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
    Seen creator_;
};
CreationTurn g_creation;

/// The numbers that a driver has sent. Each library of Mesa's has a variable of its own. Newer ones
/// increment it when they read it, and never send a number twice; but a thread of theirs that waits
/// leaves a gap.
struct Driver {
    const void* library = nullptr;
    const void* thread = nullptr;  ///< the last one that sent a number; null: none did
    uint32_t first = 0;
    uint32_t last = 0;  ///< the highest
    uint32_t count = 0;
    unsigned long long unloads = 0;  ///< of libraries of this process, before the first

    [[nodiscard]] bool has_sent(uint32_t number) const {
        return thread != nullptr && number - first < count && count == last - first + 1;
    }
    void note(uint32_t number);
};
std::array<Driver, 8> g_drivers;  ///< whoever has the creation's turn changes them

/// How many libraries this process has unloaded.
unsigned long long unloads() {
    unsigned long long result = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* count) {
            *static_cast<unsigned long long*>(count) = info->dlpi_subs;
            return 1;
        },
        &result);
    return result;
}

void Driver::note(uint32_t number) {
    if (thread == nullptr || has_sent(number)) {
        first = last = number;
        count = 0;
        unloads = shim::unloads();
    }
    last = std::max(last, number);
    ++count;
    thread = &t_thread;
}

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
        socket.driver->note(socket.words[kNumberWord]);
        g_creation.created();
        t_created = true;
    } else {
        g_creation.leave();
    }
    end_turn(socket);
}

void end_message(Socket& socket) {
    socket.got = 0;
    if (t_created)
        g_creation.created();
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
    const bool loaded_again = value == kFirstNumber && driver.unloads != unloads();
    if (driver.thread == &t_thread || !driver.has_sent(value) || loaded_again)
        return;
    value = driver.last + 1;
    std::memcpy(number, &value, sizeof value);
}

/// The command of the message that these bytes start; 0: they are too few to say.
uint32_t started_command(const void* bytes, size_t size) {
    uint32_t words[2];
    if (size < sizeof words)
        return 0;
    std::memcpy(words, bytes, sizeof words);
    return words[1];
}

/// Waits until this thread may send a message. The turn of creations comes before the socket's: who
/// waits for the first does not keep others from the second.
void start_message(Socket& socket, uint32_t command) {
    if (command == kTransferPut && t_created)
        g_creation.fills();
    else
        end_creation();
    if (command == kCreateResource)
        g_creation.take();
    socket.turn.lock();
    socket.owner.store(&t_thread, std::memory_order_relaxed);
}

}  // namespace

ssize_t send_in_turn(int fd, const void* bytes, size_t size, Send send, const void* code) {
    Socket* const socket = socket_of(fd);
    if (socket == nullptr || size == 0) {
        end_creation();
        return send(fd, bytes, size);
    }
    if (!is_mine(*socket))
        start_message(*socket, started_command(bytes, size));
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
