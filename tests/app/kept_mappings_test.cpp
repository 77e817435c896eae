// Kept mappings test: checks which mappings of resources stay, and that idle ones are bounded.
// SPDX-License-Identifier: MIT
#include "app/run/shim/kept_mappings.hpp"
#include "app/run/shim/window_memory.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <memory>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace valkyr::shim {
namespace {

constexpr size_t kBytes = size_t{64} << 10;

/// Memory as the server makes it, with the descriptor that a message brought.
class Memory {
public:
    explicit Memory(size_t bytes)
        : memory_(make_window_memory(bytes))
        , bytes_(bytes) {
        REQUIRE(memory_.address != nullptr);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() {
        munmap(memory_.address, bytes_);
        close(memory_.fd);
    }

    [[nodiscard]] char* bytes() const { return static_cast<char*>(memory_.address); }
    [[nodiscard]] char* map() const { return static_cast<char*>(map_kept(bytes_, memory_.fd)); }

private:
    WindowMemory memory_;
    size_t bytes_;
};

bool is_mapped(void* address) {
    unsigned char page = 0;
    return mincore(address, 1, &page) == 0;
}

TEST_CASE("a mapping stays for its memory's next resource, and for no other memory") {
    const Memory memory(kBytes);
    const Memory other(kBytes);
    char* const mapped = memory.map();
    REQUIRE(mapped != MAP_FAILED);
    std::strcpy(mapped, "first");
    CHECK(keep_mapping(mapped, kBytes));
    CHECK(is_mapped(mapped));

    char* const of_other = other.map();
    CHECK(of_other != mapped);
    std::strcpy(other.bytes(), "other");
    CHECK(of_other == std::string_view("other"));

    CHECK(memory.map() == mapped);
    std::strcpy(memory.bytes(), "second");
    CHECK(mapped == std::string_view("second"));
    CHECK(keep_mapping(mapped, kBytes));
    CHECK(keep_mapping(of_other, kBytes));
}

TEST_CASE("memory that two resources map at a time has two mappings") {
    const Memory memory(kBytes);
    char* const first = memory.map();
    char* const second = memory.map();
    CHECK(first != second);
    CHECK(keep_mapping(first, kBytes));
    CHECK(keep_mapping(second, kBytes));
}

TEST_CASE("what is no whole mapping of a resource is not kept") {
    const Memory memory(kBytes);
    char* const mapped = memory.map();
    CHECK_FALSE(keep_mapping(memory.bytes(), kBytes));
    CHECK_FALSE(keep_mapping(mapped, kBytes / 2));
    CHECK_FALSE(keep_mapping(mapped + kBytes / 2, kBytes / 2));
    CHECK(keep_mapping(mapped, kBytes));
    CHECK_FALSE(keep_mapping(mapped, kBytes));  // the driver has given it back already
}

TEST_CASE("idle mappings are bounded by their bytes, the oldest go first") {
    constexpr size_t kLarge = kMostIdleBytes / 4;
    std::vector<std::unique_ptr<Memory>> memory;
    std::vector<char*> mapped;
    for (int i = 0; i < 6; ++i) {
        memory.push_back(std::make_unique<Memory>(kLarge));
        mapped.push_back(memory.back()->map());
    }
    for (char* address : mapped)
        CHECK(keep_mapping(address, kLarge));
    CHECK_FALSE(is_mapped(mapped[0]));
    CHECK_FALSE(is_mapped(mapped[1]));
    for (int i = 2; i < 6; ++i)
        CHECK(is_mapped(mapped[i]));
}

TEST_CASE("mappings are bounded by their number") {
    std::vector<std::unique_ptr<Memory>> memory;
    std::vector<char*> mapped;
    for (size_t i = 0; i < kMostMappings + 2; ++i) {
        memory.push_back(std::make_unique<Memory>(kBytes));
        mapped.push_back(memory.back()->map());
        REQUIRE(mapped.back() != MAP_FAILED);
    }
    // Mappings beyond the number are unknown: munmap() ends them.
    for (size_t i = 0; i < mapped.size(); ++i)
        CHECK(keep_mapping(mapped[i], kBytes) == (i < kMostMappings));
    munmap(mapped[kMostMappings], kBytes);
    munmap(mapped[kMostMappings + 1], kBytes);
    // An idle one makes room.
    const Memory next(kBytes);
    char* const of_next = next.map();
    CHECK(keep_mapping(of_next, kBytes));
}

}  // namespace
}  // namespace valkyr::shim
