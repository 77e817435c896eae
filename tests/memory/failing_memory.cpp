// Failing memory: refuses requests for memory by their number, in the whole process.
// SPDX-License-Identifier: MIT
#include "tests/memory/failing_memory.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VALKYR_REPLACES_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VALKYR_REPLACES_MALLOC 0
#endif
#endif
#ifndef VALKYR_REPLACES_MALLOC
#define VALKYR_REPLACES_MALLOC 1
#endif

#if VALKYR_REPLACES_MALLOC
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc's functions under names that are not replaced here.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* memory);
}
#endif

namespace valkyr::test {
namespace {

std::atomic<bool> counting{false};
std::atomic<uint64_t> counted{0};
std::atomic<uint64_t> first_refused{0};
std::atomic<uint64_t> refused_count{0};
thread_local constinit unsigned exempt = 0;

/// Counts a request and returns whether to refuse it.
bool is_refused() noexcept {
    if (!counting.load(std::memory_order_relaxed) || exempt != 0)
        return false;
    const uint64_t number = counted.fetch_add(1, std::memory_order_relaxed) + 1;
    const uint64_t first = first_refused.load(std::memory_order_relaxed);
    return number >= first && number - first < refused_count.load(std::memory_order_relaxed);
}

}  // namespace

FailingMemory::FailingMemory(uint64_t first, uint64_t count) {
    first_refused = first;
    refused_count = count;
    counted = 0;
    counting = true;
}

FailingMemory::~FailingMemory() {
    counting = false;
}

uint64_t FailingMemory::requests() {
    return counted;
}

ExemptThread::ExemptThread() {
    ++exempt;
}

ExemptThread::~ExemptThread() {
    --exempt;
}

namespace {

void* allocate(size_t bytes) noexcept {
    if (is_refused())
        return nullptr;
#if VALKYR_REPLACES_MALLOC
    return __libc_malloc(bytes);
#else
    return std::malloc(bytes);
#endif
}

void* allocate_aligned(size_t bytes, size_t alignment) noexcept {
    if (is_refused())
        return nullptr;
#if VALKYR_REPLACES_MALLOC
    return __libc_memalign(alignment, bytes);
#else
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
#endif
}

void* or_throw(void* memory) {
    if (memory != nullptr)
        return memory;
    if (const std::new_handler handler = std::get_new_handler())
        handler();
    throw std::bad_alloc();
}

}  // namespace
}  // namespace valkyr::test

using namespace valkyr::test;

void* operator new(size_t bytes) {
    return or_throw(allocate(bytes));
}
void* operator new[](size_t bytes) {
    return or_throw(allocate(bytes));
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
    return or_throw(allocate_aligned(bytes, static_cast<size_t>(alignment)));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
    return or_throw(allocate_aligned(bytes, static_cast<size_t>(alignment)));
}
void* operator new(size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate_aligned(bytes, static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate_aligned(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    std::free(memory);
}

#if VALKYR_REPLACES_MALLOC
namespace {

void* or_no_memory(void* memory) noexcept {
    if (memory == nullptr)
        errno = ENOMEM;
    return memory;
}

}  // namespace

extern "C" {

void* malloc(size_t bytes) noexcept {
    return or_no_memory(allocate(bytes));
}
void* calloc(size_t count, size_t bytes) noexcept {
    return or_no_memory(is_refused() ? nullptr : __libc_calloc(count, bytes));
}
void* realloc(void* old, size_t bytes) noexcept {
    return or_no_memory(is_refused() ? nullptr : __libc_realloc(old, bytes));
}
void* memalign(size_t alignment, size_t bytes) noexcept {
    return or_no_memory(allocate_aligned(bytes, alignment));
}
void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
    return or_no_memory(allocate_aligned(bytes, alignment));
}
int posix_memalign(void** memory, size_t alignment, size_t bytes) noexcept {
    *memory = allocate_aligned(bytes, alignment);
    return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) noexcept {
    __libc_free(memory);
}
void* mmap(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
    if (is_refused()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the system call returns a number.
    return reinterpret_cast<void*>(
        syscall(SYS_mmap, address, bytes, protection, flags, fd, offset));
}
int pthread_create(pthread_t* thread,
                   const pthread_attr_t* attributes,
                   void* (*start)(void*),
                   void* argument) noexcept {
    using Create = decltype(&pthread_create);
    if (is_refused())
        return EAGAIN;
    const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    return create(thread, attributes, start, argument);
}
int memfd_create(const char* name, unsigned flags) noexcept {
    if (is_refused()) {
        errno = ENOMEM;
        return -1;
    }
    return static_cast<int>(syscall(SYS_memfd_create, name, flags));
}
}
#endif
