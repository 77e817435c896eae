// Platform: is the server and the display that all contexts of the process share.
// SPDX-License-Identifier: MIT
#include "osmesa/platform.hpp"

#include "osmesa/connect_redirect.hpp"
#include "osmesa/names.hpp"
#include "osmesa/own_folder.hpp"
#include "osmesa/report.hpp"
#include "osmesa/server_start.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace valkyr::osmesa {

namespace {

// EGL 1.5 and its extensions (egl.xml of Khronos).
constexpr unsigned kSurfaceless = 0x31DD;
constexpr unsigned kOpenGlApi = 0x30A2;
constexpr int kNone = 0x3038;
constexpr int kSurfaceType = 0x3033;
constexpr int kPbufferBit = 0x0001;
constexpr int kRenderableType = 0x3040;
constexpr int kOpenGlBit = 0x0008;
constexpr int kRedSize = 0x3024;
constexpr int kGreenSize = 0x3023;
constexpr int kBlueSize = 0x3022;
constexpr int kAlphaSize = 0x3021;
constexpr int kDepthSize = 0x3025;
constexpr int kStencilSize = 0x3026;
constexpr int kColorComponentType = 0x3339;
constexpr int kFixed = 0x333A;
constexpr int kFloat = 0x333B;
constexpr int kMajorVersion = 0x3098;
constexpr int kMinorVersion = 0x30FB;
constexpr int kProfileMask = 0x30FD;
constexpr int kCoreBit = 1;
constexpr int kCompatibilityBit = 2;

constexpr const char* kSocketVariable = "VTEST_SOCKET_NAME";

/// Whether the program runs on a server already.
bool is_run_by_valkyr() {
    return std::getenv("VALKYR_VTEST_SOCKET") != nullptr;
}

/// The file of the package valkyr-client that names its EGL library to libglvnd.
constexpr const char* kEglVendor = "/egl_vendor.json";

/// The folder of the package valkyr-client; empty: it is not installed, or `valkyr run` has chosen
/// a client already.
std::string client_folder() {
    return is_run_by_valkyr() ? std::string()
                              : beside_library({"../valkyr-client", "valkyr-client"}, R_OK | X_OK);
}

}  // namespace

struct MesaVariables::Saved {
    static std::mutex& mutex() {
        static std::mutex instance;
        return instance;
    }
    std::lock_guard<std::mutex> lock{mutex()};  // else one thread would save what another has set
    struct Variable {
        const char* name;
        std::string value;
        std::optional<std::string> before;
    };
    std::vector<Variable> variables = wanted();

    static std::vector<Variable> wanted() {
        std::vector<Variable> list = {
            {"GALLIUM_DRIVER", "virpipe", {}},
            {"LIBGL_ALWAYS_SOFTWARE", "1", {}},
            {"DRAW_USE_LLVM", "0", {}},  // of selection and feedback, which are slow to compile
        };
        const std::string client = client_folder();
        if (!client.empty()) {
            list.push_back({"__EGL_VENDOR_LIBRARY_FILENAMES", client + kEglVendor, {}});
            list.push_back({"LIBGL_DRIVERS_PATH", client + "/dri", {}});
        }
        return list;
    }
};

MesaVariables::MesaVariables()
    : saved_(std::make_unique<Saved>()) {
    for (Saved::Variable& variable : saved_->variables) {
        if (const char* before = std::getenv(variable.name); before != nullptr)
            variable.before = before;
        setenv(variable.name, variable.value.c_str(), 1);
    }
}

MesaVariables::~MesaVariables() {
    for (const Saved::Variable& variable : saved_->variables) {
        if (variable.before)
            setenv(variable.name, variable.before->c_str(), 1);
        else
            unsetenv(variable.name);
    }
}

std::unique_ptr<Platform> Platform::open() {
    const Egl egl = Egl::load();
    if (egl.get_function == nullptr)
        return nullptr;
    const MesaVariables variables;
    std::optional<ServerStart> server;
    if (!is_run_by_valkyr()) {
        server.emplace();
        if (server->socket().empty())
            return nullptr;
        redirect_connect(server->socket());
        setenv(kSocketVariable, server->socket().c_str(), 1);
    }
    EglObject display = egl.get_platform_display(kSurfaceless, nullptr, nullptr);
    const bool opened = display != nullptr && egl.initialize(display, nullptr, nullptr) != 0 &&
                        egl.bind_api(kOpenGlApi) != 0;
    if (server)
        unsetenv(kSocketVariable);
    if (!opened) {
        report("Mesa cannot open a surfaceless display with its driver virpipe (EGL error 0x%x); "
               "`valkyr doctor` says more",
               static_cast<unsigned>(egl.get_error()));
        return nullptr;
    }
    return std::unique_ptr<Platform>(new Platform(egl, display));
}

Platform* Platform::get() {
    static std::mutex mutex;
    static std::unique_ptr<Platform> platform;
    const std::lock_guard lock(mutex);
    if (platform == nullptr)
        platform = open();
    return platform.get();
}

EglObject Platform::config(const ContextWish& wish, bool deep) const {
    const int bits = deep ? 16 : 8;
    const int wanted[] = {kSurfaceType,
                          kPbufferBit,
                          kRenderableType,
                          kOpenGlBit,
                          kColorComponentType,
                          deep ? kFloat : kFixed,
                          kRedSize,
                          bits,
                          kGreenSize,
                          bits,
                          kBlueSize,
                          bits,
                          kAlphaSize,
                          bits,
                          kDepthSize,
                          std::min(wish.depth_bits, 24),
                          kStencilSize,
                          std::min(wish.stencil_bits, 8),
                          kNone};
    EglObject config = nullptr;
    int count = 0;
    if (egl_.choose_config(display_, wanted, &config, 1, &count) == 0 || count == 0)
        return nullptr;
    return config;
}

EglObject Platform::new_context(const ContextWish& wish, EglObject shared) const {
    std::array<int, 7> attributes = {kMajorVersion, wish.major, kMinorVersion, wish.minor, kNone};
    if (wish.major > 3 || (wish.major == 3 && wish.minor >= 2))
        attributes = {kMajorVersion, wish.major,   kMinorVersion,
                      wish.minor,    kProfileMask, wish.core ? kCoreBit : kCompatibilityBit,
                      kNone};
    const MesaVariables variables;
    egl_.bind_api(kOpenGlApi);
    EglObject context = egl_.create_context(display_, nullptr, shared, attributes.data());
    if (context == nullptr)
        report("no context of OpenGL %d.%d (EGL error 0x%x)", wish.major, wish.minor,
               static_cast<unsigned>(egl_.get_error()));
    return context;
}

}  // namespace valkyr::osmesa
