// Doctor test: checks rows for artificial environments and folders, and misbehaving children.
// SPDX-License-Identifier: MIT
#include "app/run/client_folder.hpp"
#include "app/run/doctor/display_check.hpp"
#include "app/run/doctor/doctor.hpp"
#include "app/run/doctor/folder_check.hpp"
#include "app/run/doctor/isolated.hpp"
#include "app/run/doctor/libraries.hpp"
#include "app/run/doctor/mesa_driver.hpp"
#include "app/run/private_folder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <thread>
#include <unistd.h>

using namespace valkyr;
using namespace valkyr::app;
using namespace std::chrono_literals;

namespace {

/// A limit that no child of these tests reaches.
constexpr auto kLong = 60s;

Variables environment(std::map<std::string, std::string> variables) {
    return [variables = std::move(variables)](const std::string& name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    };
}

void write_file(const std::string& path, const std::string& bytes) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

/// Sets an environment variable; the destructor restores it.
class ChangedVariable {
public:
    ChangedVariable(const char* name, const std::string& value)
        : name_(name) {
        if (const char* before = std::getenv(name))
            before_ = before;
        setenv(name, value.c_str(), 1);
    }
    ChangedVariable(const ChangedVariable&) = delete;
    ChangedVariable& operator=(const ChangedVariable&) = delete;
    ~ChangedVariable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }

private:
    const char* name_;
    std::string before_;
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

/// The process state letter of /proc. If the process is gone, "Z", as for a zombie.
std::string process_state(int pid) {
    std::string number;
    std::string name;
    std::string state = "Z";
    std::ifstream("/proc/" + std::to_string(pid) + "/stat") >> number >> name >> state;
    return state;
}

}  // namespace

TEST_CASE("an isolated check's value and error come back") {
    const auto value = isolated([] { return Result<std::string>("two\nlines"); }, kLong);
    REQUIRE(value.has_value());
    CHECK(*value == "two\nlines");
    const auto nothing = isolated([] { return Result<std::string>(""); }, kLong);
    CHECK((nothing.has_value() && nothing->empty()));
    const auto error = isolated(
        []() -> Result<std::string> {
            return Error{Errc::System, {}, "no such thing"};
        },
        kLong);
    REQUIRE(!error.has_value());
    CHECK(error.error().text == "no such thing");
    const auto thrown = isolated([]() -> Result<std::string> { throw std::bad_alloc(); }, kLong);
    CHECK((!thrown.has_value() && contains(thrown.error().text, "memory")));
}

TEST_CASE("a check that crashes, leaves or hangs is an error") {
    const auto crash = isolated(
        []() -> Result<std::string> {
            std::signal(SIGSEGV, SIG_DFL);
            raise(SIGSEGV);
            return std::string();
        },
        kLong);
    REQUIRE(!crash.has_value());
    CHECK(contains(crash.error().text, "signal 11"));
    const auto leave = isolated([]() -> Result<std::string> { _exit(3); }, kLong);
    REQUIRE(!leave.has_value());
    CHECK(leave.error().text == "exit code 3");
    const auto hang = isolated(
        []() -> Result<std::string> {
            for (;;)
                pause();
        },
        200ms);
    REQUIRE(!hang.has_value());
    CHECK(hang.error().text == "no end after 0.2 seconds");
}

TEST_CASE("a program's output comes back, with its failure if it fails") {
    const auto good = output_of({"sh", "-c", "echo one; echo two >&2"}, kLong);
    REQUIRE(good.has_value());
    CHECK(*good == "one\ntwo\n");
    const auto bad = output_of({"sh", "-c", "echo why; exit 4"}, kLong);
    REQUIRE(!bad.has_value());
    CHECK(bad.error().text == "exit code 4: why\n");
    const auto none = output_of({"/no/such/program"}, kLong);
    REQUIRE(!none.has_value());
    CHECK(contains(none.error().text, "/no/such/program: No such file"));
}

TEST_CASE("a program that hangs is ended with all that it has started") {
    const PrivateFolder folder;
    const std::string file = folder.path() + "/pid";
    const auto hang =
        output_of({"sh", "-c", "sleep 1000 & echo $! >" + file + "; echo begun; wait"}, 1s);
    REQUIRE(!hang.has_value());
    CHECK(hang.error().text == "no end after 1.0 seconds: begun\n");
    int sleeper = 0;
    std::ifstream(file) >> sleeper;
    REQUIRE(sleeper > 0);
    // The sleeper ends when it is scheduled, and its new parent may reap it later still.
    const auto ends_at = std::chrono::steady_clock::now() + kLong;
    while (process_state(sleeper) != "Z" && std::chrono::steady_clock::now() < ends_at)
        std::this_thread::sleep_for(1ms);
    CHECK(process_state(sleeper) == "Z");
}

TEST_CASE("a program that is ended can say so and clean up") {
    const PrivateFolder folder;
    const std::string file = folder.path() + "/clean";
    const auto hang = output_of(
        {"sh", "-c",
         "trap 'echo end; echo >" + file + "; exit' TERM; while true; do sleep 0.05; done"},
        500ms);
    CHECK(!hang.has_value());
    CHECK(std::filesystem::exists(file));
}

TEST_CASE("names of displays are read as Xlib reads them") {
    const std::map<std::string, DisplayName> good = {{":0", {"", 0}},
                                                     {":12.1", {"", 12}},
                                                     {"unix:3", {"", 3}},
                                                     {"localhost:10.0", {"localhost", 10}},
                                                     {"::1:2", {"::1", 2}}};
    for (const auto& display : good) {
        CAPTURE(display.first);
        const auto read = parse_display(display.first);
        CHECK((read && *read == display.second));
    }
    for (const char* text : {"", "0", ":", ":x", "host:", ":1x", ":-1"}) {
        CAPTURE(text);
        CHECK(!parse_display(text));
    }
}

TEST_CASE("no display is missing, and the remedy knows whether Xvfb is there") {
    const PrivateFolder folder;
    const auto without = display_findings(environment({{"PATH", folder.path()}}), false);
    CHECK(!without.usable);
    CHECK(without.rows[0].verdict == Verdict::Missing);
    CHECK(contains(without.rows[0].remedy, "Debian: xvfb"));
    CHECK(without.rows[1].verdict == Verdict::Note);
    const auto needed = display_findings(environment({{"PATH", folder.path()}}), true);
    CHECK(!needed.usable);
    CHECK(needed.rows[1].verdict == Verdict::Missing);

    write_file(folder.path() + "/Xvfb", "#!/bin/sh\n");
    std::filesystem::permissions(folder.path() + "/Xvfb", std::filesystem::perms::owner_all);
    const auto variables = environment({{"PATH", "/no/such/folder:" + folder.path()}});
    const auto with = display_findings(variables, false);
    CHECK(!with.usable);
    CHECK(!contains(with.rows[0].remedy, "install"));
    CHECK(contains(with.rows[0].remedy, "valkyr run --xvfb"));
    CHECK(with.rows[1].found == folder.path() + "/Xvfb");
    CHECK(display_findings(variables, true).usable);
}

TEST_CASE("a display that is named but does not answer is missing, with --xvfb, too") {
    for (const char* display : {":47113", "nonsense", "127.0.0.1:59000"})
        for (const bool xvfb : {false, true}) {
            CAPTURE(display);
            const auto found =
                display_findings(environment({{"DISPLAY", display}, {"PATH", "/bin"}}), xvfb);
            CHECK(!found.usable);
            CHECK(found.rows[0].verdict == Verdict::Missing);
            CHECK(contains(found.rows[0].found, display));
        }
}

TEST_CASE("a client is found in a folder, below a prefix or root, or beside the program") {
    const PrivateFolder root;
    const std::string program = root.path() + "/usr/bin/valkyr";
    const ChangedVariable variable(kClientVariable, "");
    CHECK(!*find_client("", program));
    CHECK(!*find_client(kSystemClient, program));
    CHECK(!find_client(root.path(), program).has_value());
    const std::string package = root.path() + "/usr/lib/valkyr-client";
    write_file(package + "/libEGL_mesa.so.0", "");
    for (const std::string& wanted : {std::string(), root.path(), root.path() + "/usr", package}) {
        CAPTURE(wanted);
        const auto client = find_client(wanted, program);
        REQUIRE(client.has_value());
        REQUIRE(*client);
        CHECK((*client)->libraries == std::filesystem::canonical(package));
    }
    CHECK(!*find_client(kSystemClient, program));
    const ChangedVariable system(kClientVariable, kSystemClient);
    CHECK(!*find_client("", program));
    CHECK(*find_client(package, program));
}

TEST_CASE("a client's variables name what it has, its libraries before others") {
    const PrivateFolder root;
    write_file(root.path() + "/libEGL_mesa.so.0", "");
    write_file(root.path() + "/dri/swrast_dri.so", "");
    const auto client = find_client(root.path(), "");
    REQUIRE(client.has_value());
    const auto list = client_variables(**client, "/old", "/vendor.json");
    const std::map<std::string, std::string> variables(list.begin(), list.end());
    const std::string& folder = (*client)->libraries;
    CHECK(variables.at("LD_LIBRARY_PATH") == folder + ":/old");
    CHECK(variables.at("LIBGL_DRIVERS_PATH") == folder + "/dri");
    CHECK(variables.at("__EGL_VENDOR_LIBRARY_FILENAMES") == "/vendor.json");
    CHECK(variables.count("GBM_BACKENDS_PATH") == 0);
    CHECK(egl_vendor_text(**client) ==
          "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"" + folder +
              "/libEGL_mesa.so.0\"}}\n");
}

TEST_CASE("Mesa's driver is found in the folders of old and new versions") {
    const PrivateFolder root;
    const std::string libraries = root.path() + "/lib";
    const std::string old_driver = libraries + "/dri/swrast_dri.so";
    MesaFolders folders = mesa_folders(environment({}), libraries + "/libGLX_mesa.so.0");
    CHECK(!find_mesa_driver(folders));
    CHECK(driver_finding(folders).verdict == Verdict::Missing);
    CHECK(contains(driver_finding(folders).remedy, "libgl1-mesa-dri"));

    write_file(old_driver, std::string("Mesa drivers\0 Mesa 22.3.6\0virpipe\0", 33));
    const auto old = find_mesa_driver(folders);
    REQUIRE(old);
    CHECK(old->path == old_driver);
    CHECK(old->version == "22.3.6");
    CHECK(old->virpipe);
    CHECK(driver_finding(folders).verdict == Verdict::Ok);

    // LIBGL_DRIVERS_PATH names folders of drivers only; newer Mesa looks for its library elsewhere.
    const auto other = environment({{"LIBGL_DRIVERS_PATH", root.path() + "/none:" + root.path()}});
    folders = mesa_folders(other, libraries + "/libGLX_mesa.so.0");
    CHECK(!find_mesa_driver(folders));
    write_file(libraries + "/libgallium-25.0.7-2.so", "Mesa 25.0.7-2");
    const auto newer = find_mesa_driver(folders);
    REQUIRE(newer);
    CHECK(newer->version == "25.0.7");
    CHECK(!newer->virpipe);
    CHECK(driver_finding(folders).verdict == Verdict::Missing);
    CHECK(contains(driver_finding(folders).found, "without virpipe"));
}

TEST_CASE("a folder for sockets must be there, and its path short") {
    const PrivateFolder root;
    const auto row = [] { return folder_findings().at(0); };
    {
        const ChangedVariable changed("TMPDIR", root.path());
        const Findings rows = folder_findings();
        REQUIRE(rows.size() == 2);
        CHECK(rows[0].verdict == Verdict::Ok);
        CHECK(rows[1].verdict == Verdict::Ok);
    }
    CHECK(std::filesystem::is_empty(root.path()));
    {
        const ChangedVariable changed("TMPDIR", root.path() + "/none");
        CHECK(row().verdict == Verdict::Missing);
        CHECK(contains(row().found, "No such file"));
        CHECK(folder_findings().size() == 1);
    }
    const std::string deep = root.path() + "/" + std::string(90, 'd');
    std::filesystem::create_directory(deep);
    const ChangedVariable changed("TMPDIR", deep);
    CHECK(row().verdict == Verdict::Missing);
    CHECK(contains(row().remedy, "shorter"));
}

TEST_CASE("libraries are opened by name, and functions found in them") {
    CHECK(!Library::open("libno-such-library.so.9").has_value());
    const auto library = Library::open("libm.so.6");
    REQUIRE(library.has_value());
    CHECK(contains(library->path(), "libm.so.6"));
    double (*function)(double) = nullptr;
    CHECK((library->load("floor", function) && function(1.5) == 1));
    CHECK(!library->load("no_such_function", function));
}

TEST_CASE("rows become a table and JSON, and what is missing decides") {
    const Findings good = {{"one", "here", Verdict::Ok, {}},
                           {"longer", "a \"word\"", Verdict::Note, "set it"}};
    CHECK(is_well(good));
    CHECK(findings_text(good, false) == "ok       one     here\n"
                                        "note     longer  a \"word\"\n"
                                        "                 -> set it\n"
                                        "\n`valkyr run -- glxgears` works.\n");
    CHECK(findings_json(good) ==
          "[\n"
          " {\"name\": \"one\", \"found\": \"here\", \"verdict\": \"ok\", \"remedy\": \"\"},\n"
          " {\"name\": \"longer\", \"found\": \"a \\\"word\\\"\", \"verdict\": \"note\", "
          "\"remedy\": \"set it\"}\n]\n");
    const Findings bad = {{"one", "gone", Verdict::Missing, "find it"}};
    CHECK(!is_well(bad));
    CHECK(contains(findings_text(bad, true),
                   "`valkyr run --xvfb -- glxgears` does not work: 1 thing is missing.\n"));
    CHECK(
        findings_text(bad, true, Style(true)).starts_with("\033[1;31mmissing\033[0m  one  gone\n"));
}
