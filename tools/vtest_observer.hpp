// What `valkyr vtest` and `valkyr run` do with the news of their server.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/capabilities.hpp"
#include "virgl/observer.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

namespace valkyr::tools {

struct VtestOptions {
    virgl::GlLevel level = virgl::GlLevel::Gl21;
    bool stats = false;
    bool quiet = false;             ///< no messages of clients
    std::string shader_directory;   ///< empty: none
    uint64_t screenshot_frame = 0;  ///< 0: none
    std::string screenshot_file;
};

/// Adds --gl, --stats, --quiet, --dump-shaders and --screenshot; `options` must outlive the
/// parsing.
void add_vtest_arguments(CLI::App& command, VtestOptions& options);

class VtestObserver final : public virgl::Observer {
public:
    VtestObserver(VtestOptions options, const char* command)
        : options_(std::move(options))
        , command_(command) {}

    void log(std::string_view client, std::string_view line) override;
    void shader(std::string_view client, std::string_view text) override;
    bool wants_frame(uint64_t number) override;
    void frame(uint64_t number, const virgl::FramePixels& pixels) override;
    void finished(std::string_view client, const virgl::Figures& figures) override;

    /// The figures of all clients, if they were asked for.
    void print_figures();
    /// False, with a message, if a screenshot was asked for and there is none.
    bool check_screenshot();

private:
    VtestOptions options_;
    const char* command_;
    std::mutex mutex_;
    virgl::Figures figures_;
    uint64_t clients_ = 0;
    std::unordered_set<std::string> dumped_;
    bool has_screenshot_ = false;
};

}  // namespace valkyr::tools
