// Command demo: draws a demo scene in a window, or without one into a picture file.
// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "app/demo/demo_arguments.hpp"
#include "examples/scene.hpp"

#include <cstdio>
#include <string>

namespace valkyr::app {

namespace {

struct DemoOptions {
    std::string scene = "cube";
    bool list = false;
    PictureArguments picture;
};

int run_demo(const DemoOptions& options) {
    std::vector<Exhibit> exhibits;
    size_t current = 0;
    for (const examples::SceneInfo& info : examples::scenes()) {
        if (options.list)
            std::printf("%-10s %s\n", std::string(info.name).c_str(),
                        std::string(info.title).c_str());
        if (info.name == options.scene)
            current = exhibits.size();
        exhibits.push_back(exhibit_of(info));
    }
    if (options.list)
        return kExitOk;
    return show_exhibits(std::move(exhibits), current, options.picture, "valkyr demo");
}

}  // namespace

void add_demo_command(CommandLine& line) {
    const Command command =
        line.subcommand("demo", "Draw a demo scene in a window, or into a picture file");
    auto options = std::make_shared<DemoOptions>();
    std::vector<std::string> names;
    std::string list;
    for (const examples::SceneInfo& info : examples::scenes()) {
        names.emplace_back(info.name);
        list += "\n  " + std::string(info.name) + "  " + std::string(info.title);
    }
    command.footer("Scenes:" + list + "\n\nKeys of the window:\n" + demo_keys_text());
    command.flag("--list", options->list, "Print the names of the scenes");
    command.option("SCENE", options->scene, "Scene to draw").one_of(names).shows_default();
    add_picture_arguments(command, options->picture);
    command.runs([options] { return run_demo(*options); });
}

}  // namespace valkyr::app
