// Trim test: frames cut out of a trace show what they show in the whole one.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/capture/replay.hpp"
#include "virgl/capture/trace_index.hpp"
#include "virgl/capture/trim.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace valkyr::test::trimmed_trace {

using virgl::ObjectType;

namespace {

constexpr uint32_t kSize = 8;
constexpr uint32_t kBytes = kSize * kSize * 4;
constexpr uint32_t kSamples = 5;  ///< resource: four samples a pixel
constexpr uint32_t kCapture = 6;  ///< resource: captured vertices
constexpr uint32_t kCaptureBytes = 256;

/// Keeps the pixels of all frames.
class FrameObserver final : public virgl::Observer {
public:
    void log(std::string_view /*client*/, std::string_view line) override { lines += line; }
    void shader(std::string_view /*client*/, std::string_view /*text*/) override {}
    bool wants_frame(uint64_t /*number*/) override { return true; }
    void frame(uint64_t /*number*/, const virgl::FramePixels& pixels) override {
        frames.push_back(pixels.rgba);
    }
    void finished(std::string_view /*client*/, const virgl::Figures& figures) override {
        commands += figures.commands;
    }

    std::vector<std::vector<std::byte>> frames;
    std::string lines;
    uint64_t commands = 0;
};

/// A trace in memory.
struct Memory {
    std::ostringstream* stream = nullptr;
    std::unique_ptr<virgl::TraceWriter> writer;

    Memory() {
        auto made = std::make_unique<std::ostringstream>();
        stream = made.get();
        auto created = virgl::TraceWriter::create(std::move(made), "memory", virgl::GlLevel::Gl21);
        REQUIRE(created.has_value());
        writer = std::move(*created);
    }
    [[nodiscard]] virgl::Trace trace() const {
        const std::string text = stream->str();
        std::vector<std::byte> bytes(text.size());
        std::memcpy(bytes.data(), text.data(), text.size());
        auto parsed = virgl::Trace::parse(std::move(bytes));
        REQUIRE(parsed.has_value());
        return *std::move(parsed);
    }
};

Result<std::unique_ptr<raster::Device>> new_device() {
    return make_device();
}

/// A client that shows frames of a square target.
struct Program {
    explicit Program(virgl::TraceWriter& writer)
        : session(virgl::GlLevel::Gl21, &writer) {
        FakeClient& client = *session.client;
        client.greet();
        client.create(kTarget, 2, 1, 0x8A, kSize, kSize, kBytes);
        const GuestMemory vertices = client.create(kVertices, 0, 64, 1U << 4, 192, 1, 192);
        constexpr float kTriangles[] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1,
                                        1,  1,  0, 1, 0, 1,  0, 1, 1,  0, 0, 1};
        std::memcpy(vertices.bytes.data(), kTriangles, sizeof kTriangles);
        client.put(kVertices, 192, 1, 192);
    }
    void show(const Stream& stream) {
        session.client->submit(stream.words);
        session.client->get(kTarget, kSize, kSize);
    }

    Session session;
};

virgl::Trace recorded(const std::function<void(Program&)>& play) {
    Memory memory;
    {
        Program program(*memory.writer);
        play(program);
        program.session.leave();
        CHECK(program.session.observer.lines().empty());
    }
    REQUIRE(memory.writer->finish().has_value());
    return memory.trace();
}

FrameObserver replayed(const virgl::Trace& trace) {
    FrameObserver observer;
    virgl::Replay replay(trace, new_device, observer);
    const auto done = replay.run();
    REQUIRE_MESSAGE(done.has_value(), (done ? "" : done.error().text));
    CHECK(observer.lines.empty());
    return observer;
}

virgl::Trace cut(const virgl::Trace& trace, const virgl::FrameRange& frames) {
    Memory memory;
    FrameObserver observer;
    const auto done = virgl::trim(trace, frames, new_device, observer, *memory.writer);
    REQUIRE_MESSAGE(done.has_value(), (done ? "" : done.error().text));
    return memory.trace();
}

/// Every range of frames shows the same alone, also if it is cut in two steps.
void check_all_ranges(const virgl::Trace& trace) {
    const auto whole = replayed(trace).frames;
    for (size_t first = 1; first <= whole.size(); ++first)
        for (size_t last = first; last <= whole.size(); ++last) {
            CAPTURE(first);
            CAPTURE(last);
            const virgl::Trace part = cut(trace, {first, last});
            const std::vector<std::vector<std::byte>> expected(
                whole.begin() + static_cast<std::ptrdiff_t>(first) - 1,
                whole.begin() + static_cast<std::ptrdiff_t>(last));
            CHECK(replayed(part).frames == expected);
            const virgl::Trace again = cut(part, {last - first + 1, last - first + 1});
            CHECK(replayed(again).frames ==
                  std::vector<std::vector<std::byte>>(1, expected.back()));
        }
}

/// From every place of an index, the rest of the trace shows the same.
void check_index(const virgl::Trace& trace, uint64_t every) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("valkyr-index-" + std::to_string(getpid()));
    FrameObserver observer;
    const auto made = virgl::write_index(trace, every, new_device, observer, path);
    REQUIRE(made.has_value());
    const auto whole = replayed(trace).frames;
    CHECK(made->frames == whole.size());
    const auto index = virgl::TraceIndex::open(path, trace);
    REQUIRE(index.has_value());
    CHECK(index->frames() == whole.size());
    for (uint64_t frame = 1; frame <= whole.size(); ++frame) {
        CAPTURE(frame);
        FrameObserver shown;
        virgl::Replay replay(trace, new_device, shown);
        REQUIRE(index->seek(replay, frame).has_value());
        CHECK(replay.frames() < frame);
        CHECK(replay.frames() + every >= frame);
        const auto before = static_cast<std::ptrdiff_t>(replay.frames());
        REQUIRE(replay.run().has_value());
        CHECK(shown.frames ==
              std::vector<std::vector<std::byte>>(whole.begin() + before, whole.end()));
    }
    std::filesystem::remove(path);
}

virgl::Trace six_frames() {
    return recorded([](Program& program) {
        Stream first = draw_state(kSize);
        program.show(draw(color(first, 1, 0, 0, 1), 0, 3));
        for (uint32_t frame = 1; frame < 6; ++frame) {
            Stream s;
            program.show(draw(color(s, 0, 1, static_cast<float>(frame) / 6, 1), frame % 4, 3));
        }
    });
}

}  // namespace

TEST_CASE("frames that draw over each other are cut") {
    check_all_ranges(recorded([](Program& program) {
        Stream first = draw_state(kSize);
        program.show(draw(color(first, 1, 0, 0, 1), 0, 3));
        Stream second;
        program.show(draw(color(second, 0, 1, 0, 1), 3, 3));
        Stream third;
        program.show(draw(color(third, 0, 0, 1, 1), 4, 1));
    }));
}

TEST_CASE("samples that an earlier frame drew are there") {
    check_all_ranges(recorded([](Program& program) {
        program.session.client->send({11, 12, kSamples, 2, 1, 2, kSize, kSize, 1, 1, 0, 4, 0});
        Stream first = draw_state(kSize);
        first.add(Cmd::CreateObject, {40, kSamples, 1, 0, 0}, ObjectType::Surface);
        first.add(Cmd::SetFramebuffer, {1, 0, 40});
        first.add(Cmd::CreateObject,
                  {41, 1U << 1 | 1U << 29 | 1U << 25, as_bits(1), 0, 0, as_bits(1), 0, 0, 0},
                  ObjectType::Rasterizer);
        first.add(Cmd::BindObject, {41}, ObjectType::Rasterizer);
        program.show(draw(color(first, 1, 0.5F, 0, 1), 0, 3));
        Stream second;
        second.add(Cmd::Blit, {0xF, 0,        0, kTarget, 0, 1, 0, 0,     0,     kSize, kSize,
                               1,   kSamples, 0, 1,       0, 0, 0, kSize, kSize, 1});
        program.show(second);
    }));
}

TEST_CASE("results of earlier queries decide about later draws") {
    for (const uint32_t count : {0U, 3U}) {
        CAPTURE(count);
        check_all_ranges(recorded([count](Program& program) {
            Stream first = draw_state(kSize);
            first.add(Cmd::CreateObject, {kQuery, 0, 0, kVertices}, ObjectType::Query);
            first.add(Cmd::BeginQuery, {kQuery});
            draw(color(first, 1, 0, 0, 1), 0, count);
            first.add(Cmd::EndQuery, {kQuery}).add(Cmd::SetRenderCondition, {kQuery, 0, 0});
            program.show(first);
            Stream second;
            program.show(draw(color(second, 0, 1, 0, 1), 3, 3));
        }));
    }
}

TEST_CASE("captured vertices and their number are there") {
    constexpr std::string_view kCapturing = "VERT\n"
                                            "DCL IN[0]\n"
                                            "DCL OUT[0], POSITION\n"
                                            "  0: MOV OUT[0], IN[0]\n"
                                            "  1: END\n";
    check_all_ranges(recorded([&](Program& program) {
        program.session.client->create(kCapture, 0, 64, 1U << 11 | 1U << 4, kCaptureBytes, 1,
                                       kCaptureBytes);
        Stream first = draw_state(kSize);
        // A vertex shader whose position is captured: one output, a stride of four words.
        std::vector<uint32_t> shader{50,
                                     0,
                                     static_cast<uint32_t>(kCapturing.size()) + 1,
                                     0,
                                     1,
                                     4,
                                     0,
                                     0,
                                     0,
                                     0 | 0 << 8 | 4U << 10 | 0 << 13,
                                     0};
        Stream::append_text(shader, kCapturing);
        first.add(Cmd::CreateObject, shader, ObjectType::Shader);
        first.add(Cmd::BindShader, {50, 0});
        first.add(Cmd::CreateObject, {51, kCapture, 0, kCaptureBytes}, ObjectType::StreamTarget);
        first.add(Cmd::SetStreamoutTargets, {0, 51});
        program.show(draw(color(first, 1, 0, 0, 1), 0, 3));
        Stream second;
        second.add(Cmd::SetStreamoutTargets, {0});
        second.add(Cmd::SetStreamoutTargets, {0, 51});  // resumed
        program.show(draw(color(second, 0, 1, 0, 1), 3, 3));
        Stream third;
        third.add(Cmd::SetStreamoutTargets, {0});
        third.add(Cmd::BindShader, {15, 0}).add(Cmd::SetVertexBuffers, {16, 0, kCapture});
        program.show(draw(color(third, 0, 0, 1, 1), 3, 3));
    }));
}

TEST_CASE("sub-contexts keep their own settings") {
    check_all_ranges(recorded([](Program& program) {
        Stream first = draw_state(kSize);
        Stream other = draw_state(kSize);
        other.words[1] = other.words[3] = 2;  // the sub-context that it creates and selects
        first.words.insert(first.words.end(), other.words.begin(), other.words.end());
        program.show(draw(color(first, 1, 0, 0, 1), 0, 3));
        Stream second;
        color(second, 1, 1, 1, 1).add(Cmd::SetSubContext, {1});
        program.show(draw(color(second, 0, 1, 0, 1), 3, 3));
        Stream third;
        program.show(draw(third.add(Cmd::SetSubContext, {2}), 0, 3));
    }));
}

TEST_CASE("settings that were replaced and objects that are gone leave nothing") {
    const virgl::Trace trace = recorded([](Program& program) {
        program.show(draw_state(kSize));
        for (uint32_t frame = 0; frame < 50; ++frame) {
            Stream s;
            s.add(Cmd::CreateObject, {100 + frame, kTarget, 1, 0, 0}, ObjectType::Surface);
            s.add(Cmd::DestroyObject, {100 + frame}, ObjectType::Surface);
            program.session.client->create(200 + frame, 0, 64, 1U << 4, 64, 1, 64);
            program.show(draw(color(s, static_cast<float>(frame) / 50, 0, 0, 1), 0, 3));
            program.session.client->send({1, 3, 200 + frame});
        }
    });
    const virgl::Trace part = cut(trace, {51, 51});
    const auto one = replayed(part);
    CHECK(one.frames.back() == replayed(trace).frames.back());
    CHECK(one.commands < 30);  // draw_state() has about 20
    CHECK(part.chunks().size() < 20);
}

TEST_CASE("a trace goes on from each place of its index") {
    const virgl::Trace trace = six_frames();
    for (const uint64_t every : {1U, 2U, 3U, 5U, 100U}) {
        CAPTURE(every);
        check_index(trace, every);
    }
}

TEST_CASE("an index that is damaged, cut off or of another trace is refused") {
    const std::string path =
        std::filesystem::temp_directory_path() / ("valkyr-index-" + std::to_string(getpid()));
    const virgl::Trace trace = six_frames();
    FrameObserver observer;
    REQUIRE(virgl::write_index(trace, 2, new_device, observer, path).has_value());
    std::ifstream file(path, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(file)), {});
    const virgl::Trace other = recorded([](Program& program) { program.show(draw_state(kSize)); });
    CHECK(virgl::TraceIndex::open(path, other).error().text.find("another trace") !=
          std::string::npos);
    const auto usable = [&](const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
        const auto index = virgl::TraceIndex::open(path, trace);
        if (!index)
            return false;
        bool all = true;
        for (uint64_t frame = 1; frame <= 7; ++frame) {
            FrameObserver shown;
            virgl::Replay replay(trace, new_device, shown);
            all = index->seek(replay, frame).has_value() && all;
        }
        return all;
    };
    CHECK(usable(whole));
    for (size_t size = 0; size < whole.size(); size += 97)
        CHECK_FALSE(usable(whole.substr(0, size)));
    for (size_t at = 0; at < whole.size(); at += 31) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        CAPTURE(at);
        CHECK_FALSE(usable(damaged));
    }
    std::filesystem::remove(path);
    CHECK(virgl::TraceIndex::open(path, trace).error().code == Errc::System);
    CHECK(virgl::write_index(trace, 2, new_device, observer, "/no/folder/x").error().code ==
          Errc::System);
}

TEST_CASE("frames that are not there are refused") {
    const virgl::Trace trace = recorded([](Program& program) { program.show(draw_state(kSize)); });
    for (const virgl::FrameRange range : {virgl::FrameRange{1, 2}, {2, 2}, {9, 9}}) {
        Memory memory;
        FrameObserver observer;
        const auto done = virgl::trim(trace, range, new_device, observer, *memory.writer);
        REQUIRE(!done.has_value());
        CHECK(done.error().code == Errc::OutOfRange);
        CHECK(done.error().text.find("the trace has 1") != std::string::npos);
    }
}

TEST_CASE("contents outside of their resource are refused") {
    const auto outcome = [](const std::function<void(virgl::TraceWriter&, uint32_t)>& write) {
        Memory memory;
        constexpr uint32_t kCreate[] = {11, 12, 5, 0, 64, 16, 64, 1, 1, 1, 0, 0, 64};
        constexpr uint32_t kTexture[] = {11, 12, 6, 2, 1, 2, kSize, kSize, 1, 1, 0, 0, 0};
        const uint32_t client = memory.writer->open_client();
        memory.writer->message(client, std::as_bytes(std::span(kCreate)));
        memory.writer->message(client, std::as_bytes(std::span(kTexture)));
        write(*memory.writer, client);
        REQUIRE(memory.writer->finish().has_value());
        const virgl::Trace trace = memory.trace();
        FrameObserver observer;
        const auto done = virgl::Replay(trace, new_device, observer).run();
        return done.has_value() ? std::string("ok") : done.error().text;
    };
    const std::array<std::byte, 32> bytes{};
    CHECK(outcome([&](auto& w, uint32_t c) { w.contents(c, {5, 0, 32}, bytes); }) == "ok");
    CHECK(outcome([&](auto& w, uint32_t c) { w.contents(c, {6, 0, 224}, bytes); }) == "ok");
    constexpr virgl::MemoryPlace kOutside[] = {{5, 0, 33},  {5, 1, 0}, {5, 0, ~uint64_t{0}},
                                               {6, 0, 225}, {6, 1, 0}, {6, 0, ~uint64_t{0}}};
    for (const virgl::MemoryPlace& place : kOutside)
        CHECK(outcome([&](auto& w, uint32_t c) {
                  w.contents(c, place, bytes);
              }).find("contents outside of resource") != std::string::npos);
    CHECK(outcome([&](auto& w, uint32_t c) {
              w.contents(c, {9, 0, 0}, bytes);
          }).find("resource 9") != std::string::npos);
    CHECK(outcome([](auto& w, uint32_t c) {
              w.stream(c, {1, 2, 3, 4, 0});
          }).find("target 2") != std::string::npos);
    CHECK(outcome([](auto& w, uint32_t c) {
              w.query(c, {0, 7, 3});
          }).find("query 7") != std::string::npos);
}

}  // namespace valkyr::test::trimmed_trace
