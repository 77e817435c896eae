// Display memory: lets the X server read a window's pixels where Valkyr's server writes them.
// SPDX-License-Identifier: MIT
//
// Mesa's client has a shared memory segment (shmget) for every buffer of a window. Each frame it
// copies the pixels from the memory of the virgl resource (a memfd that Valkyr's server made) to
// the segment, and the X server copies them from there to the screen. The shim makes both the same
// memory, and the copy becomes one from a place to itself, which the C library (from version 2.34)
// leaves out:
//
//     shmat     a memfd of the segment's size is mapped in place of the segment
//     mmap      if the resource that comes next has the same size, it is mapped over that memfd;
//               other resources are mapped as kept_mappings.hpp says
//     munmap    does nothing to the latter
//     attach    the X server gets the memfd's descriptor instead of the segment's number
//
// The sizes are equal when the rows are (Mesa pads a segment's rows to 64 bytes, a resource's rows
// not at all); otherwise each keeps its own memory. Where the X server takes no descriptors (one
// that was reached by TCP), it refuses the segment, and Mesa sends the pixels by the socket.
#include "app/run/shim/kept_mappings.hpp"
#include "app/run/shim/resource_memory.hpp"
#include "app/run/shim/window_memory.hpp"
#include "app/run/shim/xcb.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <mutex>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

namespace shim = valkyr::shim;

/// As XShm.h has it.
struct XShmSegmentInfo {
    unsigned long shmseg;
    int shmid;
    char* shmaddr;
    int readOnly;
};
using XcbAttach = XcbCookie (*)(XcbConnection*, uint32_t, uint32_t, uint8_t);
using XlibAttach = int (*)(Display*, XShmSegmentInfo*);

/// A segment that lies in a memfd.
struct Segment {
    int id = -1;              ///< of shmget()
    char* address = nullptr;  ///< null: this entry is free
    size_t bytes = 0;
    int fd = -1;
    bool is_resource = false;  ///< its memory is that of a resource, whose owner unmaps it
};

/// More segments at a time stay what they are.
constexpr size_t kMostSegments = 256;

std::mutex g_mutex;  ///< for g_segments
std::array<Segment, kMostSegments> g_segments;
/// The address of the segment that this thread attached last, until the resource that belongs to
/// it is mapped.
thread_local char* t_unpaired = nullptr;

bool is_driver(const void* code) {
    return shim::is_code_of(code, {"_dri.so", "libgallium"});
}

Segment* find_segment(const void* address) {
    for (Segment& segment : g_segments)
        if (segment.address == address)
            return &segment;
    return nullptr;
}

/// Maps a memfd in place of a segment. Returns null where that is impossible.
char* map_segment(int id) {
    shmid_ds about{};
    if (shmctl(id, IPC_STAT, &about) != 0)
        return nullptr;
    const std::lock_guard lock(g_mutex);
    Segment* const segment = find_segment(nullptr);
    if (segment == nullptr)
        return nullptr;
    const shim::WindowMemory memory = shim::make_window_memory(about.shm_segsz);
    if (memory.address == nullptr)
        return nullptr;
    *segment = {id, static_cast<char*>(memory.address), about.shm_segsz, memory.fd, false};
    return segment->address;
}

/// Maps a resource over the segment `address`. Returns null if their sizes differ.
void* map_resource(char* address, size_t bytes, int fd) {
    const std::lock_guard lock(g_mutex);
    Segment* const segment = find_segment(address);
    if (segment == nullptr || segment->bytes != bytes)
        return nullptr;
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return nullptr;
    void* const mapped =
        shim::map_memory(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
    if (mapped == MAP_FAILED) {
        close(own);
        return nullptr;
    }
    close(segment->fd);
    segment->fd = own;
    segment->is_resource = true;
    return mapped;
}

/// A descriptor for the X server of the memory of a segment: the caller closes it. -1: the segment
/// is none of ours, or the X server takes no descriptors.
/// address  of the segment; null: the last one with this number
int descriptor_for(XcbConnection* connection, int id, const char* address) {
    if (!shim::takes_descriptors(connection) || !shim::xcb_shm().complete)
        return -1;
    const std::lock_guard lock(g_mutex);
    for (const Segment& segment : g_segments)
        if (segment.address != nullptr && segment.id == id &&
            (address == nullptr || segment.address == address))
            return fcntl(segment.fd, F_DUPFD_CLOEXEC, 0);
    return -1;
}

/// Attaches a segment of ours by its descriptor; says whether the X server did.
bool attach_by_descriptor(Display* display, XShmSegmentInfo& info) {
    XcbConnection* const connection = shim::connection_of(display);
    const int fd = descriptor_for(connection, info.shmid, info.shmaddr);
    if (fd < 0)
        return false;
    const uint32_t name = shim::attach(connection, fd, shim::SegmentUse::ReadAndWrite);
    if (name == 0)
        return false;
    info.shmseg = name;
    return true;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names of the C library, Xlib and XCB

extern "C" __attribute__((visibility("default"))) void*
shmat(int id, const void* address, int flags) {
    if (address == nullptr && flags == 0 && is_driver(__builtin_return_address(0)))
        if (char* const mapped = map_segment(id)) {
            t_unpaired = mapped;
            return mapped;
        }
    return shim::address_of_call(SYS_shmat, id, address, flags);
}

extern "C" __attribute__((visibility("default"))) int shmdt(const void* address) {
    {
        const std::lock_guard lock(g_mutex);
        Segment* const segment = address != nullptr ? find_segment(address) : nullptr;
        if (segment != nullptr) {
            if (t_unpaired == address)
                t_unpaired = nullptr;
            if (!segment->is_resource)
                munmap(segment->address, segment->bytes);
            close(segment->fd);
            *segment = {};
            return 0;
        }
    }
    return static_cast<int>(syscall(SYS_shmdt, address));
}

extern "C" __attribute__((visibility("default"))) void*
mmap64(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) {
    const bool small = bytes < shim::kSmallResource && t_unpaired == nullptr;
    if (small || address != nullptr || protection != (PROT_READ | PROT_WRITE) ||
        flags != MAP_SHARED || fd < 0 || offset != 0 || !is_driver(__builtin_return_address(0)))
        return shim::map_memory(address, bytes, protection, flags, fd, offset);
    if (t_unpaired != nullptr) {
        void* const mapped = map_resource(t_unpaired, bytes, fd);
        t_unpaired = nullptr;
        if (mapped != nullptr)
            return mapped;
    }
    return shim::map_kept(bytes, fd);
}

extern "C" __attribute__((visibility("default"))) int munmap(void* address, size_t bytes) {
    if (shim::keep_mapping(address, bytes))
        return 0;
    return static_cast<int>(syscall(SYS_munmap, address, bytes));
}

extern "C" __attribute__((visibility("default"))) int XShmAttach(Display* display,
                                                                 XShmSegmentInfo* info) {
    static const auto next = shim::loaded_function<XlibAttach>(shim::kXext, "XShmAttach");
    if (attach_by_descriptor(display, *info))
        return 1;
    return next != nullptr ? next(display, info) : 0;
}

extern "C" __attribute__((visibility("default"))) XcbCookie
xcb_shm_attach_checked(XcbConnection* connection, uint32_t name, uint32_t id, uint8_t read_only) {
    static const auto next =
        shim::loaded_function<XcbAttach>(shim::kXcbShm, "xcb_shm_attach_checked");
    const int fd = descriptor_for(connection, static_cast<int>(id), nullptr);
    if (fd >= 0)
        return shim::xcb_shm().attach_descriptor(connection, name, fd, read_only);
    return next != nullptr ? next(connection, name, id, read_only) : XcbCookie{0};
}

// NOLINTEND(readability-identifier-naming)
