// Connection: reads and answers the vtest messages of one client.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/commands/context.hpp"
#include "virgl/connection/transport.hpp"
#include "virgl/protocol/capabilities.hpp"

#include <array>
#include <vector>

namespace valkyr::virgl {

class Connection {
public:
    /// All of them must outlive the connection.
    Connection(Transport& transport, raster::Device& device, Observer& observer, GlLevel level);

    /// Serves the client until it leaves or breaks the protocol; reports why it was dropped.
    void serve() noexcept;
    /// Reads and answers one message. False if the client has left, or was dropped because it broke
    /// the protocol or memory ran out.
    bool serve_next() noexcept;

    [[nodiscard]] Context& context() noexcept { return context_; }

private:
    struct Row;
    static const Row* row_of(uint32_t id);

    Result<bool> serve_one();
    Result<bool> read_header(std::span<uint32_t> header);
    Result<void> serve_row(const Row& row, uint32_t length);
    Result<void> get_caps(uint32_t length);
    Result<void> get_caps2(uint32_t length);
    Result<void> resource_create(uint32_t length);
    Result<void> resource_create2(uint32_t length);
    Result<void> resource_unref(uint32_t length);
    Result<void> transfer_get(uint32_t length);
    Result<void> transfer_put(uint32_t length);
    Result<void> transfer_get2(uint32_t length);
    Result<void> transfer_put2(uint32_t length);
    Result<void> submit(uint32_t length);
    Result<void> busy_wait(uint32_t length);
    Result<void> create_renderer(uint32_t length);
    Result<void> ping(uint32_t length);
    Result<void> version(uint32_t length);

    Result<void> read_body(std::span<std::byte> bytes);
    Result<void> read_data(size_t size);
    Result<void> write_capset(uint32_t version, size_t bytes);

    Transport& transport_;
    Context context_;
    Observer& observer_;
    GlLevel level_;
    std::array<uint32_t, 11> words_{};  ///< payload of a message of fixed length
    std::vector<uint32_t> stream_;
    std::vector<std::byte> bytes_;
};

}  // namespace valkyr::virgl
