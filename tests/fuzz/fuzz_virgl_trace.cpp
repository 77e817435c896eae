// Fuzz target: parses bytes as a trace, and replays a well-formed trace with chunks of these bytes.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "tests/fuzz/null_device.hpp"
#include "tests/fuzz/targets.hpp"
#include "virgl/capture/replay.hpp"

#include <algorithm>
#include <cstring>
#include <ostream>
#include <streambuf>
#include <vector>

namespace valkyr::fuzz {

namespace {

class SilentListener final : public virgl::Observer {
public:
    void log(std::string_view /*client*/, std::string_view line) override {
        VALKYR_CHECK(!line.empty() && line.size() < 2000);
    }
    void shader(std::string_view /*client*/, std::string_view /*text*/) override {}
    bool wants_frame(uint64_t /*number*/) override { return false; }
    void frame(uint64_t /*number*/, const virgl::FramePixels& /*pixels*/) override {}
    void finished(std::string_view /*client*/, const virgl::Figures& /*figures*/) override {}
};

/// A stream that writes to a buffer of its creator.
class ByteStream final : public std::ostream {
public:
    explicit ByteStream(std::vector<std::byte>& bytes)
        : std::ostream(nullptr)
        , buffer_(bytes) {
        rdbuf(&buffer_);
    }

private:
    class Buffer final : public std::streambuf {
    public:
        explicit Buffer(std::vector<std::byte>& bytes)
            : bytes_(bytes) {}

    protected:
        std::streamsize xsputn(const char* text, std::streamsize size) override {
            const auto* data = reinterpret_cast<const std::byte*>(text);
            bytes_.insert(bytes_.end(), data, data + size);
            return size;
        }
        int_type overflow(int_type c) override {
            bytes_.push_back(static_cast<std::byte>(c));
            return c;
        }

    private:
        std::vector<std::byte>& bytes_;
    };
    Buffer buffer_;
};

/// Rows of: kind, client, u16 size, payload.
std::vector<std::byte> well_formed(std::span<const std::byte> rows) {
    std::vector<std::byte> bytes;
    auto writer = virgl::TraceWriter::create(std::make_unique<ByteStream>(bytes), "fuzz",
                                             virgl::GlLevel::Gl33);
    VALKYR_CHECK(writer.has_value());
    virgl::TraceWriter& trace = **writer;
    trace.open_client();
    while (rows.size() >= 4) {
        const auto kind = static_cast<uint32_t>(rows[0]);
        const uint32_t client = static_cast<uint32_t>(rows[1]) % 4;
        uint16_t size = 0;
        std::memcpy(&size, rows.data() + 2, sizeof size);
        const auto payload = rows.subspan(4, std::min<size_t>(size, rows.size() - 4));
        rows = rows.subspan(4 + payload.size());
        switch (kind % 8) {
        case 0: trace.open_client(); break;
        case 1: trace.close_client(client); break;
        case 2: trace.memory(client, client, payload.size() % 64, payload); break;
        default: trace.message(client, payload); break;
        }
    }
    VALKYR_CHECK(trace.finish().has_value());
    return bytes;
}

}  // namespace

void virgl_trace(std::span<const uint8_t> bytes) {
    const auto data = std::as_bytes(bytes);
    const auto raw = virgl::Trace::parse({data.begin(), data.end()});
    VALKYR_CHECK(raw.has_value() || !raw.error().text.empty());
    const auto trace = virgl::Trace::parse(well_formed(data));
    VALKYR_CHECK(trace.has_value());
    SilentListener observer;
    virgl::Replay replay(
        *trace,
        []() -> Result<std::unique_ptr<raster::Device>> {
            return std::unique_ptr<raster::Device>(std::make_unique<NullDevice>());
        },
        observer);
    const auto done = replay.run();
    VALKYR_CHECK(done.has_value() || !done.error().text.empty());
}

}  // namespace valkyr::fuzz
