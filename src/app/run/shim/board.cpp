// Board: looks for answers there, and leaves messages.
// SPDX-License-Identifier: MIT
#include "app/run/shim/board.hpp"

#include "app/run/shim/window_memory.hpp"
#include "virgl/protocol/board.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace valkyr::shim {

using std::atomic_ref;

namespace {

/// Whether `done` returns true within some time.
template <typename Done>
bool comes_within(Patience::Duration longest, const Done& done) {
    const Patience::Duration start = monotonic_time();
    do {
        if (done())
            return true;
        sched_yield();  // the server, or the X server with the last frame, may need this processor
    } while (monotonic_time() - start < longest);
    return false;
}

}  // namespace

void Board::keep(int fd) {
    struct stat about {};
    if (fstat(fd, &about) != 0)
        return;
    const bool large = static_cast<size_t>(about.st_size) >= virgl::kMailboxBoardBytes;
    const size_t bytes = large ? virgl::kMailboxBoardBytes : virgl::kBoardBytes;
    void* const memory = map_memory(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return;
    words_ = static_cast<uint32_t*>(memory);
    bytes_ = bytes;
    memory_ = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (memory_ < 0)
        forget();
    else if (large)
        atomic_ref(words_[virgl::kBoardUsesMailbox]).store(1);
}

void Board::forget() {
    if (words_ != nullptr)
        munmap(words_, bytes_);
    if (memory_ >= 0)
        close(memory_);
    *this = {};
}

bool Board::has_mailbox() const {
    return bytes_ >= virgl::kMailboxBoardBytes;
}

bool Board::has_taken(uint32_t fence) const {
    return words_ != nullptr && comes_within(std::chrono::microseconds(300), [&] {
               const uint32_t last =
                   atomic_ref(words_[virgl::kBoardFence]).load(std::memory_order_acquire);
               return static_cast<int32_t>(last - fence) >= 0;
           });
}

void Board::expect_answer() {
    if (words_ == nullptr)
        return;
    const uint32_t before = atomic_ref(words_[virgl::kBoardAnswers]).fetch_or(virgl::kBoardLooks);
    expected_ = before | virgl::kBoardLooks;
}

bool Board::has_answer() const {
    const uint32_t now = atomic_ref(words_[virgl::kBoardAnswers]).load(std::memory_order_acquire);
    return (now | virgl::kBoardLooks) != expected_;
}

bool Board::take_answer() {
    const auto answered = [this] { return has_answer(); };
    bool came = look_for(patience_, answered);
    if (!came) {
        const uint32_t before =
            atomic_ref(words_[virgl::kBoardAnswers]).fetch_and(~virgl::kBoardLooks);
        // Without the bit, the server has begun to answer.
        const bool begun = (before & virgl::kBoardLooks) == 0;
        came = begun && comes_within(std::chrono::seconds(1), answered);
    }
    expected_ = 0;
    return came;
}

bool Board::post(const HeldBytes& held, const void* bytes, size_t size) {
    const size_t all = held.size() + size;
    if (all > virgl::kMailboxBytes)
        return false;
    const atomic_ref state(words_[virgl::kBoardState]);
    uint32_t open = virgl::mailbox_open(sent_);
    if (state.load() != open)
        return false;
    // While it is open, the server does not read it.
    auto* const piece = reinterpret_cast<uint8_t*>(words_) + virgl::kMailboxOffset;
    std::memcpy(piece, held.data(), held.size());
    std::memcpy(piece + held.size(), bytes, size);
    atomic_ref(words_[virgl::kBoardSize])
        .store(static_cast<uint32_t>(all), std::memory_order_relaxed);
    return state.compare_exchange_strong(open, virgl::kMailboxFull);
}

ssize_t Board::send_piece(int fd, HeldBytes& held, const void* bytes, size_t size, Send send) {
    if (!has_mailbox())
        return held.send_before(fd, bytes, size, send);
    if (post(held, bytes, size)) {
        held.clear();
        return static_cast<ssize_t>(size);
    }
    // The server learns of the bytes before they come: it does not open the mailbox meanwhile.
    const atomic_ref sent(words_[virgl::kBoardSent]);
    sent_ += static_cast<uint32_t>(held.size() + size);
    sent.store(sent_);
    const ssize_t count = held.send_before(fd, bytes, size, send);
    if (count >= 0 && static_cast<size_t>(count) < size) {
        sent_ -= static_cast<uint32_t>(size - static_cast<size_t>(count));
        sent.store(sent_);
    }
    return count;
}

}  // namespace valkyr::shim
