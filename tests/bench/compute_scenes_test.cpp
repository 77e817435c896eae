// Compute scenes test: compares pictures of benchmark scenes with values computed in C++.
// SPDX-License-Identifier: MIT
#include "bench/bench_target.hpp"
#include "bench/random.hpp"
#include "bench/scene_base.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <string_view>

namespace valkyr::bench {
namespace {

using Bytes = std::vector<uint8_t>;
using Words = std::vector<uint32_t>;
using Body = std::array<float, 4>;

constexpr uint32_t kSide = 1024;

/// The picture after some frames; they do not change it.
Bytes picture(const BenchSceneInfo& info, unsigned threads) {
    TargetOptions options;
    options.device.threads = threads;
    options.size = kSide;
    auto target = BenchTarget::create(info, options);
    REQUIRE_MESSAGE(target.has_value(), target.error().text);
    for (uint32_t number = 0; number < 2; ++number)
        REQUIRE((*target)->render(number).has_value());
    auto image = (*target)->image();
    REQUIRE(image.has_value());
    return std::move(*image);
}

int largest_difference(const Bytes& a, const Bytes& b) {
    REQUIRE(a.size() == b.size());
    int largest = 0;
    for (size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(int{a[i]} - int{b[i]}));
    return largest;
}

void check_picture(std::string_view name, const Bytes& expected, int tolerance = 0) {
    CAPTURE(name);
    const BenchSceneInfo* const info = find_bench_scene(name);
    REQUIRE(info != nullptr);
    for (const unsigned threads : {1U, 3U})
        CHECK(largest_difference(picture(*info, threads), expected) <= tolerance);
}

Words random_words(uint32_t count) {
    Random random(21);
    Words words(count);
    for (uint32_t& word : words)
        word = random.bits();
    return words;
}

std::vector<float> random_numbers(uint32_t count) {
    Random random(21);
    std::vector<float> numbers(count);
    for (float& number : numbers)
        number = random.unit();
    return numbers;
}

Bytes bytes_of(const Words& words) {
    Bytes bytes;
    for (const uint32_t word : words)
        for (unsigned shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<uint8_t>(word >> shift));
    return bytes;
}

uint8_t unorm8(float value) {
    return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
}

/// Means of the pixels from x - radius to x + radius.
/// pixel  the colour component c at x, y
template <typename Pixel>
Bytes blurred(int radius, Pixel pixel) {
    Bytes result;
    for (int y = 0; y < int{kSide}; ++y)
        for (int x = 0; x < int{kSide}; ++x)
            for (int c = 0; c < 4; ++c) {
                float sum = 0;
                for (int i = x - radius; i <= x + radius; ++i)
                    sum += static_cast<float>(pixel(i, y, c)) / 255;
                result.push_back(unorm8(sum / static_cast<float>(2 * radius + 1)));
            }
    return result;
}

Bytes noise() {
    Random random(8);
    Bytes bytes(size_t{4} * kSide * kSide);
    for (uint8_t& byte : bytes)
        byte = static_cast<uint8_t>(random.bits());
    return bytes;
}

}  // namespace

TEST_CASE("blurs are means of pixels in a row") {
    const Bytes from = noise();
    const auto texel = [&](int x, int y, int c) {
        return from[(static_cast<size_t>(y) * kSide + static_cast<size_t>(x)) * 4 +
                    static_cast<size_t>(c)];
    };
    const int last = kSide - 1;
    check_picture(
        "cs_blur_image",
        blurred(4, [&](int x, int y, int c) { return texel(std::clamp(x, 0, last), y, c); }), 1);
    check_picture("cs_blur_shared",
                  blurred(8,
                          [&](int x, int y, int c) {
                              // Beyond the edges, groups load the pixels at max(x - 8, 0) and so on
                              // of eight of their invocations.
                              return texel(std::clamp(x, 0, last), y, c);
                          }),
                  1);
}

TEST_CASE("bodies accelerate towards all others") {
    const std::vector<float> numbers = random_numbers(4096 * 4);
    std::vector<Body> bodies(4096);
    for (size_t i = 0; i < numbers.size(); ++i)
        bodies[i / 4][i % 4] = numbers[i];
    Bytes expected(size_t{4} * kSide * kSide);
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        Body speed = bodies[i];
        double a[3]{};
        for (const Body& other : bodies) {
            double square = 0.01;
            for (size_t c = 0; c < 3; ++c)
                square += std::pow(double{other[c]} - bodies[i][c], 2);
            for (size_t c = 0; c < 3; ++c)
                a[c] += (double{other[c]} - bodies[i][c]) * other[3] / std::pow(square, 1.5);
        }
        for (size_t c = 0; c < 3; ++c)
            speed[c] += static_cast<float>(a[c] * 0.0001);
        for (uint32_t pixel = 0; pixel < 256; ++pixel) {
            const size_t x = i % 64 * 16 + pixel % 16;
            const size_t y = i / 64 * 16 + pixel / 16;
            for (size_t c = 0; c < 4; ++c)
                expected[(y * kSide + x) * 4 + c] = unorm8(speed[c]);
        }
    }
    check_picture("cs_nbody", expected, 1);
}

TEST_CASE("a histogram, running sums and a multiple of numbers") {
    const Words words = random_words(1U << 20);
    Words counts = words;
    for (const uint32_t word : words)
        ++counts[word >> 24];
    check_picture("cs_histogram", bytes_of(counts));
    Words sums = words;
    for (size_t i = 0; i < sums.size(); ++i)
        sums[i] += i % 512 != 0 ? sums[i - 1] : 0;
    check_picture("cs_scan", bytes_of(sums));
    Words multiples;
    for (const float number : random_numbers(1U << 20))
        multiples.push_back(
            std::bit_cast<uint32_t>(std::fma(number, std::bit_cast<float>(1050253722U), number)));
    check_picture("cs_saxpy", bytes_of(multiples));
}

TEST_CASE("a closer Mandelbrot set has the iterations of doubles") {
    constexpr int most = 128;
    constexpr double pixel = 0x1p-24;
    Bytes expected;
    for (uint32_t row = 0; row < kSide; ++row)
        for (uint32_t column = 0; column < kSide; ++column) {
            const double cx = std::fma(column + 0.5, pixel, 0.001643721971153);
            const double cy = std::fma(row + 0.5, pixel, -0.822467633298876);
            double x = 0;
            double y = 0;
            int n = 0;
            for (; n < most && x * x + y * y <= 4; ++n) {
                const double next = x * x - y * y + cx;
                y = std::fma(x * y, 2, cy);
                x = next;
            }
            const float t = static_cast<float>(n) / most;
            for (const float value : {t, t * t, std::sqrt(t), 1.0F})
                expected.push_back(unorm8(value));
        }
    check_picture("mandel_double", expected, 1);
}

TEST_CASE("each pixel of the last of four layers finds that three have counted") {
    check_picture("fs_image_atomic", Bytes(size_t{4} * kSide * kSide, 3));
}

namespace {

/// The triangles of multi_indirect in one direct draw.
class DirectScene final : public SceneBase {
public:
    using SceneBase::SceneBase;

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_grid({.cells = 64, .jitter = 0.3F, .indexed = false}), mesh_));
        return use_pipeline(gl_pipeline(), "color", "color",
                            {Attribute::Position, Attribute::Color});
    }
    Result<void> frame(const raster::Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return draw(mesh_, 0, 4000 * 6);
    }

private:
    Mesh mesh_;
};

}  // namespace

TEST_CASE("indirect draws and a direct one make equal pictures") {
    const BenchSceneInfo direct{"direct", "", {}, 1, [](raster::Device& device, uint32_t size) {
                                    return make_scene<DirectScene>(device, size);
                                }};
    check_picture("multi_indirect", picture(direct, 1));
}

}  // namespace valkyr::bench
