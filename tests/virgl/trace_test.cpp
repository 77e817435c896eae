// Trace test: traces replay bit for bit, and damaged traces are refused.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/capture/replay.hpp"
#include "virgl/capture/trace.hpp"
#include "virgl/protocol/crc32.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace valkyr::test::trace_of_client {

namespace {

constexpr uint32_t kSize = 8;
constexpr uint32_t kBytes = kSize * kSize * 4;

/// A temporary file.
struct TemporaryFile {
    std::string path =
        (std::filesystem::temp_directory_path() / ("valkyr-trace-" + std::to_string(getpid())))
            .string();
    TemporaryFile() = default;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { std::filesystem::remove(path); }

    [[nodiscard]] std::vector<std::byte> bytes() const {
        std::ifstream file(path, std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        std::vector<std::byte> result(text.size());
        std::memcpy(result.data(), text.data(), text.size());
        return result;
    }
};

/// Records two frames of two draws each; returns the first frame as drawn live.
virgl::FramePixels record(const std::string& path) {
    auto writer = virgl::TraceWriter::create(path, virgl::GlLevel::Gl21);
    REQUIRE(writer.has_value());
    Session session(virgl::GlLevel::Gl21, writer->get());
    FakeClient& client = *session.client;
    client.greet();
    client.create(kTarget, 2, 1, 0x8A, kSize, kSize, kBytes);
    const GuestMemory vertices = client.create(kVertices, 0, 64, 1U << 4, 192, 1, 192);
    constexpr float kTriangles[] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1,
                                    1,  1,  0, 1, 0, 1,  0, 1, 1,  0, 0, 1};
    std::memcpy(vertices.bytes.data(), kTriangles, sizeof kTriangles);
    client.put(kVertices, 192, 1, 192);
    Stream s = draw_state(kSize);
    draw(color(s, 1, 0, 0, 1), 0, 3);
    draw(color(s, 0, 1, 0, 1), 3, 3);
    client.submit(s.words);
    client.get(kTarget, kSize, kSize);
    // The client's memory changes before the second frame.
    std::memset(vertices.bytes.data(), 0, 96);
    client.put(kVertices, 192, 1, 192);
    Stream next;
    draw(color(next, 0, 0, 1, 1), 0, 3);
    draw(color(next, 1, 1, 1, 1), 3, 3);
    client.submit(next.words);
    client.get(kTarget, kSize, kSize);
    session.leave();
    REQUIRE((*writer)->finish().has_value());
    REQUIRE(session.observer.frames.size() == 1);
    CHECK(session.observer.lines().empty());
    return session.observer.frames[0];
}

raster::DeviceOptions one_thread() {
    raster::DeviceOptions options;
    options.threads = 1;
    return options;
}

virgl::Trace parsed(const TemporaryFile& file) {
    auto trace = virgl::Trace::parse(file.bytes());
    REQUIRE(trace.has_value());
    return *std::move(trace);
}

}  // namespace

TEST_CASE("CRC-32 of the digits one to nine is the published check value") {
    constexpr std::string_view kDigits = "123456789";
    virgl::Crc32 crc;
    crc.add(std::as_bytes(std::span(kDigits)));
    CHECK(crc.value() == 0xCBF43926);
}

TEST_CASE("a replayed frame has the bytes of the frame that was drawn live") {
    const TemporaryFile file;
    const virgl::FramePixels live = record(file.path);
    const virgl::Trace trace = parsed(file);
    RecordingObserver observer;
    virgl::Replay replay(trace, one_thread(), observer);
    REQUIRE(replay.run().has_value());
    CHECK(replay.frames() == 2);
    REQUIRE(observer.frames.size() == 1);
    CHECK(observer.frames[0].width == live.width);
    CHECK(observer.frames[0].rgba == live.rgba);
    CHECK(observer.lines().empty());
    CHECK(trace.level() == virgl::GlLevel::Gl21);
}

TEST_CASE("a trace that is cut off anywhere is refused") {
    const TemporaryFile file;
    record(file.path);
    const auto whole = file.bytes();
    REQUIRE(whole.size() < 20000);
    for (size_t size = 0; size < whole.size(); ++size) {
        const auto trace =
            virgl::Trace::parse({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
        REQUIRE(!trace.has_value());
        CHECK(trace.error().code == Errc::BadEncoding);
    }
    auto longer = whole;
    longer.push_back(std::byte{0});
    CHECK(!virgl::Trace::parse(longer).has_value());
}

TEST_CASE("a trace with any byte changed is refused") {
    const TemporaryFile file;
    record(file.path);
    const auto whole = file.bytes();
    for (size_t at = 0; at < whole.size(); ++at) {
        auto damaged = whole;
        damaged[at] ^= std::byte{1} << (at % 8);
        CAPTURE(at);
        CHECK(!virgl::Trace::parse(std::move(damaged)).has_value());
    }
}

TEST_CASE("GLSL is appended to a finished trace, which replays as before") {
    const TemporaryFile file;
    record(file.path);
    const size_t before = parsed(file).chunks().size();
    for (const uint32_t program : {1U, 2U}) {
        auto writer = virgl::TraceWriter::append_to(file.path);
        REQUIRE(writer.has_value());
        (*writer)->glsl({program, 4, "void main() {}", "FRAG\n  0: END\n", "IN[0] color"});
        REQUIRE((*writer)->finish().has_value());
    }
    const virgl::Trace trace = parsed(file);
    REQUIRE(trace.chunks().size() == before + 2);
    const virgl::TraceChunk& chunk = trace.chunks()[before];
    REQUIRE(chunk.kind == virgl::ChunkKind::Glsl);
    const virgl::GlslText text = chunk.glsl();
    CHECK(text.program == 2);
    CHECK(text.stage == 4);
    CHECK(text.glsl == "void main() {}");
    CHECK(text.tgsi == "FRAG\n  0: END\n");
    CHECK(text.names == "IN[0] color");
    RecordingObserver observer;
    virgl::Replay replay(trace, one_thread(), observer);
    REQUIRE(replay.run().has_value());
    CHECK(replay.frames() == 2);
}

TEST_CASE("nothing is appended to a file that is no whole trace") {
    const TemporaryFile file;
    record(file.path);
    const auto size = static_cast<std::streamoff>(file.bytes().size());
    CHECK(virgl::TraceWriter::append_to("/nonexistent/trace").error().code == Errc::System);
    std::filesystem::resize_file(file.path, static_cast<uintmax_t>(size - 16));
    const auto cut = virgl::TraceWriter::append_to(file.path);
    REQUIRE(!cut.has_value());
    CHECK(cut.error().text.ends_with("the trace is cut off"));
    std::filesystem::resize_file(file.path, 10);
    CHECK(virgl::TraceWriter::append_to(file.path).error().text == "at byte 0: not a trace");
}

TEST_CASE("texts of GLSL that do not fill their chunk, or of no stage, are refused") {
    const auto refused = [](const virgl::GlslChunk& head) {
        auto memory = std::make_unique<std::ostringstream>();
        std::ostringstream& text = *memory;
        auto writer = virgl::TraceWriter::create(std::move(memory), "", virgl::GlLevel::Gl21);
        (*writer)->glsl({head.program, head.stage, "abc", "", ""});
        REQUIRE((*writer)->finish().has_value());
        // The head follows 20 bytes of the file's head and 16 of the chunk's.
        std::string bytes = text.str();
        std::memcpy(bytes.data() + 36, &head, sizeof head);
        virgl::Crc32 crc;
        crc.add(0);
        crc.add(std::as_bytes(std::span(bytes)).subspan(20, 12));
        crc.add(std::as_bytes(std::span(bytes)).subspan(36, sizeof head + 3));
        const uint32_t sum = crc.value();
        std::memcpy(bytes.data() + 32, &sum, sizeof sum);
        const auto data = std::as_bytes(std::span(bytes));
        const auto trace = virgl::Trace::parse({data.begin(), data.end()});
        return trace.has_value() ? std::string() : trace.error().text;
    };
    constexpr const char* kWrong = "at byte 20: sizes of texts that do not fit their chunk";
    CHECK(refused({1, 5, {3, 0, 0}, 0}).empty());
    CHECK(refused({1, 6, {3, 0, 0}, 0}) == kWrong);
    CHECK(refused({1, 5, {2, 0, 0}, 0}) == kWrong);
    CHECK(refused({1, 5, {3, 0xFFFFFFFF, 1}, 0}) == kWrong);
}

TEST_CASE("errors name what is wrong with a trace") {
    const auto text = [](std::string_view bytes) {
        const auto data = std::as_bytes(std::span(bytes));
        const auto trace = virgl::Trace::parse({data.begin(), data.end()});
        return trace.has_value() ? std::string() : trace.error().text;
    };
    CHECK(text("") == "at byte 0: not a trace");
    CHECK(text("\x89PNG....") == "at byte 0: not a trace");
    CHECK(text("VALKYRTR") == "at byte 8: the trace is cut off");
    using namespace std::string_view_literals;
    CHECK(text("VALKYRTR\7\0\0\0\0\0\0\0....."sv) ==
          "at byte 8: a trace of version 7; this program reads versions 1 to 3");
    CHECK(virgl::Trace::load("/nonexistent/trace").error().code == Errc::System);
}

TEST_CASE("well-formed traces that make no sense end with an error") {
    const TemporaryFile file;
    const auto replayed = [&](auto&& write) {
        auto writer = virgl::TraceWriter::create(file.path, virgl::GlLevel::Gl21);
        REQUIRE(writer.has_value());
        write(**writer);
        REQUIRE((*writer)->finish().has_value());
        const virgl::Trace trace = parsed(file);
        RecordingObserver observer;
        const auto done = virgl::Replay(trace, one_thread(), observer).run();
        return done.has_value() ? "ok: " + observer.lines() : done.error().text;
    };
    CHECK(replayed([](virgl::TraceWriter& w) { w.message(1, {}); }) ==
          "chunk 0 of the trace: no client 1");
    CHECK(replayed([](virgl::TraceWriter& w) { w.memory(w.open_client(), 9, 0, {}); }) ==
          "chunk 1 of the trace: no resource 9");
    CHECK(replayed([](virgl::TraceWriter& w) {
              constexpr uint32_t kCreate[] = {11, 12, 5, 0, 64, 16, 64, 1, 1, 1, 0, 0, 64};
              const uint32_t client = w.open_client();
              w.message(client, std::as_bytes(std::span(kCreate)));
              w.memory(client, 5, 60, std::as_bytes(std::span(kCreate)));
          }) == "chunk 2 of the trace: memory outside of resource 5");
    // A truncated message drops its client, as in a live session.
    CHECK(replayed([](virgl::TraceWriter& w) {
              constexpr uint32_t kUnref[] = {1, 3};
              w.message(w.open_client(), std::as_bytes(std::span(kUnref)));
          }).find("dropped") != std::string::npos);
}

}  // namespace valkyr::test::trace_of_client
