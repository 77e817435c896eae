// Suite test: checks filters, goldens, blessing and reports in a temporary directory.
// SPDX-License-Identifier: MIT
#include "app/cli/file_io.hpp"
#include "app/conform/manifest.hpp"
#include "app/conform/suite.hpp"
#include "app/image/fingerprint.hpp"
#include "tests/oracle/reference_device.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <unistd.h>

namespace valkyr::conform {
namespace {

namespace fs = std::filesystem;

constexpr char kGreen[] = "title Green\nsize 4x4\ncolor R8G8B8A8_UNORM\nclear color 0 1 0 1\n";
constexpr char kBlue[] = "title Blue\nsize 4x4\ncolor R8G8B8A8_UNORM\nclear color 0 0 1 1\n";

/// A temporary suite of two cases.
class Folder {
public:
    Folder()
        : root((fs::temp_directory_path() / ("valkyr-conform-" + std::to_string(getpid())))
                   .string()) {
        fs::create_directories(root + "/colors");
        write("colors/green.scene", kGreen);
        write("colors/blue.scene", kBlue);
    }
    ~Folder() { fs::remove_all(root); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    void write(const std::string& name, std::string_view text) const {
        REQUIRE(app::write_output(root + "/" + name, text).has_value());
    }
    const std::string root;
};

const Configuration kReference{"reference", []() -> Result<std::unique_ptr<raster::Device>> {
                                   return reference::create_reference_device();
                               }};
const Configuration kMissing{"missing", []() -> Result<std::unique_ptr<raster::Device>> {
                                 return Error{Errc::Unsupported, {}, "not on this host"};
                             }};
void silent(size_t, size_t, const Outcome&) {}

std::vector<CaseFile> all_cases(const Folder& folder) {
    return *find_cases(folder.root, {});
}

TEST_CASE("patterns: * is any text, ? one character") {
    CHECK(fits("blend/*", "blend/add"));
    CHECK(fits("*", ""));
    CHECK(fits("a*b*c", "aXbXbXc"));
    CHECK(fits("a?c", "abc"));
    CHECK(!fits("a?c", "ac"));
    CHECK(!fits("blend", "blend/add"));
    CHECK(!fits("*a", "ab"));
    CHECK(!fits(std::string(64, '*') + "b", std::string(2000, 'a')));
}

TEST_CASE("cases are found by topic, by name and by both") {
    const Folder folder;
    CHECK(all_cases(folder).size() == 2);
    CHECK(all_cases(folder)[0].name == "colors/blue");
    CHECK(find_cases(folder.root, {"colors"})->size() == 2);
    CHECK(find_cases(folder.root, {"gr*"})->size() == 1);
    CHECK(find_cases(folder.root, {"colors/blue", "green"})->size() == 2);
    CHECK(find_cases(folder.root, {"color"})->empty());
    CHECK(!find_cases(folder.root + "/none", {}).has_value());
}

TEST_CASE("a case without a golden fails; blessed it passes, with the reason kept beside it") {
    const Folder folder;
    const auto cases = all_cases(folder);
    for (const Outcome& outcome : run_suite(folder.root, cases, {kReference}, 2, silent)) {
        CHECK(outcome.status == Status::Failed);
        CHECK(outcome.message.find("no golden") == 0);
    }
    for (const Outcome& outcome : bless(folder.root, cases, kReference, "first picture", 2, silent))
        CHECK(outcome.message == "written");
    for (const Outcome& outcome : run_suite(folder.root, cases, {kReference}, 2, silent))
        CHECK(outcome.status == Status::Passed);
    const auto golden = examples::read_image(cases[0].golden_path);
    REQUIRE(golden.has_value());
    CHECK(golden->rgba[2] == 255);
    CHECK(Manifest().blessed(cases[0]) == app::fingerprint(*golden));
    CHECK(app::read_input(folder.root + "/colors/goldens.txt")->find("first picture") !=
          std::string::npos);
    for (const Outcome& outcome : bless(folder.root, cases, kReference, "again", 2, silent))
        CHECK(outcome.message == "unchanged");
}

TEST_CASE("another picture fails and is reported; a missing configuration is skipped") {
    const Folder folder;
    const auto cases = all_cases(folder);
    static_cast<void>(bless(folder.root, cases, kReference, "first picture", 1, silent));
    folder.write("colors/blue.scene", kGreen);
    const std::vector<Configuration> matrix{kReference, kMissing};
    const auto outcomes = run_suite(folder.root, cases, matrix, 1, silent);
    REQUIRE(outcomes.size() == 4);
    CHECK(outcomes[0].status == Status::Failed);
    CHECK(outcomes[0].message.find("16 of 16 pixels differ") != std::string::npos);
    CHECK(outcomes[1].status == Status::Skipped);
    CHECK(outcomes[2].status == Status::Passed);
    const std::string junit = junit_report(cases, matrix, outcomes);
    CHECK(junit.find("name=\"reference\" tests=\"2\" failures=\"1\" skipped=\"0\"") !=
          std::string::npos);
    CHECK(junit.find("name=\"missing\" tests=\"2\" failures=\"0\" skipped=\"2\"") !=
          std::string::npos);
    REQUIRE(write_html_report(folder.root + "/report", cases, matrix, outcomes).has_value());
    const auto difference = examples::read_image(folder.root + "/report/1-difference.png");
    REQUIRE(difference.has_value());
    CHECK(difference->rgba[1] == 255);
    CHECK(fs::exists(folder.root + "/report/index.html"));
}

TEST_CASE("errors of a scene and of its shader name file, line and column") {
    const Folder folder;
    folder.write("colors/blue.scene", "title Bad\ncolour R8G8B8A8_UNORM\n");
    folder.write("colors/green.scene",
                 std::string(kGreen) + "vertex_shader {\nVERT\nFROB\n}\ndraw 3\n");
    const auto outcomes = run_suite(folder.root, all_cases(folder), {kReference}, 1, silent);
    CHECK(outcomes[0].message.find("blue.scene:2:1: error: unknown statement 'colour'") !=
          std::string::npos);
    CHECK(outcomes[1].message.find("green.scene:7:1: error:") != std::string::npos);
}

}  // namespace
}  // namespace valkyr::conform
