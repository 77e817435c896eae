// Image I/O test: checks picture files byte by byte, what comes back, and errors of bad ones.
// SPDX-License-Identifier: MIT
#include "examples/image_io.hpp"
#include "examples/qoi_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <iterator>
#include <utility>

namespace valkyr::demos {
namespace {

using examples::Image;
using Folder = tests::TemporaryFolder;

const Image kTwo{2, 1, {1, 2, 3, 255, 200, 100, 50, 7}};

Image good(const Result<Image>& image) {
    REQUIRE(image.has_value());
    return *image;
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("image: PNG and QOI come back as they were, a PPM without alpha") {
    const Folder folder;
    for (const char* name : {"a.png", "a.qoi", "plain"}) {
        CAPTURE(name);
        REQUIRE(write_image(folder.path(name), kTwo));
        CHECK(good(examples::read_image(folder.path(name))) == kTwo);
    }
    REQUIRE(write_image(folder.path("a.ppm"), kTwo));
    CHECK(bytes_of(folder.path("a.ppm")) == "P6\n2 1\n255\n\x01\x02\x03\xC8\x64\x32");
    const Image opaque{2, 1, {1, 2, 3, 255, 200, 100, 50, 255}};
    CHECK(good(examples::read_image(folder.path("a.ppm"))) == opaque);
}

TEST_CASE("image: the bytes of a QOI file are those of its specification") {
    // Black begins as the previous pixel: a run of 3 is 0xC0 | 2. An RGBA pixel is 0xFF and bytes.
    const Image image{4, 1, {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 8, 7, 6}};
    const std::string expected("qoif\0\0\0\4\0\0\0\1\4\0\xC2\xFF\x09\x08\x07\x06\0\0\0\0\0\0\0\1",
                               28);
    const auto bytes = examples::encode_qoi(image);
    REQUIRE(bytes.has_value());
    CHECK(*bytes == expected);
    CHECK(good(examples::decode_image(*bytes)) == image);
}

TEST_CASE("image: a QOI file that ends early or claims too much is an error") {
    const std::string whole = *examples::encode_qoi(kTwo);
    for (size_t size = 0; size < whole.size(); size++) {
        CAPTURE(size);
        const auto image = examples::decode_image(whole.substr(0, size));
        REQUIRE(!image.has_value());
        CHECK(image.error().code == Errc::Syntax);
    }
    std::string large = whole;
    large[7] = 3;  // the file has 2 pixels
    CHECK(examples::decode_image(large).error().code == Errc::Syntax);
    large[4] = 1;
    CHECK(examples::decode_image(large).error().code == Errc::OutOfRange);
    CHECK(examples::decode_image(whole, 1).error().code == Errc::OutOfRange);
}

TEST_CASE("image: a PNM file that ends early, or has no texels, is an error") {
    using namespace std::string_literals;
    const std::string heads[] = {"P6\n2 1\n255\n", "P6 # a comment\n 2\t1 # another\n\n255 ",
                                 "P5 3 2 255\n", "P6 1 1 65535\n"};
    for (const std::string& head : heads) {
        CAPTURE(head);
        const std::string whole = head + "\x01\x02\x03\x04\x05\x06"s;
        CHECK(examples::decode_image(whole).has_value());
        CHECK(examples::decode_image(whole + "more").has_value());
        for (size_t size = 0; size < whole.size(); size++) {
            CAPTURE(size);
            const auto image = examples::decode_image(whole.substr(0, size));
            REQUIRE(!image.has_value());
            CHECK(image.error().code == Errc::Syntax);
        }
    }
    for (const char* none : {"P6\n-5 5\n255\nabc", "P6\n0 1\n255\n", "P6\n2 0\n255\n"})
        CHECK(!examples::decode_image(none).has_value());
}

TEST_CASE("image: a TGA or BMP file that ends early is an error") {
    using namespace std::string_literals;
    // Two rows of two texels, 24 bits each; a BMP has two more bytes at each row's end.
    const std::string tga = "\0\0\2\0\0\0\0\0\0\0\0\0\2\0\2\0\x18\0"s;
    const std::string bmp = "BM\x46\0\0\0\0\0\0\0\x36\0\0\0"
                            "\x28\0\0\0\2\0\0\0\2\0\0\0\1\0\x18\0\0\0\0\0\x10\0\0\0"
                            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s;
    for (const auto& [head, texels] :
         {std::pair{tga, "abcdefghijkl"s}, std::pair{bmp, "abcdef\0\0ghijkl"s}}) {
        const std::string whole = head + texels;
        CAPTURE(whole.size());
        const Image image = good(examples::decode_image(whole));
        CHECK(image.rgba == good(examples::decode_image(whole + "more")).rgba);
        const std::vector<uint8_t> top(image.rgba.begin(), image.rgba.begin() + 4);
        CHECK(top == std::vector<uint8_t>{'i', 'h', 'g', 255});  // the lowest row comes first
        for (size_t size = 0; size < whole.size(); size++) {
            CAPTURE(size);
            CHECK(!examples::decode_image(whole.substr(0, size)).has_value());
        }
    }
}

TEST_CASE("image: no memory is taken for texels that a short file cannot have") {
    using namespace std::string_literals;
    // Whole headers of 20000x20000 texels: a PNM, and a TGA of gray texels.
    const std::string tga = "\0\0\3\0\0\0\0\0\0\0\0\0\x20\x4E\x20\x4E\x08\0"s;
    for (const std::string& head : {"P6\n20000 20000\n255\n"s, tga}) {
        const auto image = examples::decode_image(head + "texels");
        REQUIRE(!image.has_value());
        CHECK(image.error().text == "the file has fewer texels than its header says");
    }
}

TEST_CASE("image: another ending and a file that cannot be written are errors with the path") {
    const Folder folder;
    const auto unknown = write_image(folder.path("a.jpg"), kTwo);
    REQUIRE(!unknown.has_value());
    CHECK(unknown.error().code == Errc::Unsupported);
    CHECK(unknown.error().text.find("a.jpg") != std::string::npos);
    CHECK(!std::filesystem::exists(folder.path("a.jpg")));
    for (const char* name : {"none/a.png", "none/a.ppm", "none/a.qoi"})
        CHECK(write_image(folder.path(name), kTwo).error().code == Errc::System);
    CHECK(examples::read_image(folder.path("none.png")).error().code == Errc::System);
    CHECK(!examples::read_image(folder.path(".")).has_value());
}

}  // namespace
}  // namespace valkyr::demos
