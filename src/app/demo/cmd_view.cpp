// Command view: shows a model from a Wavefront OBJ file.
// SPDX-License-Identifier: MIT
#include "app/cli/progress_bar.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/demo/demo_arguments.hpp"
#include "examples/model_scene.hpp"

#include <cstdio>
#include <filesystem>
#include <string>

namespace valkyr::app {

namespace {

struct ViewOptions {
    std::string model;
    PictureArguments picture;
};

void print_model(const std::string& path, const examples::Model& model) {
    std::printf("%s: %zu triangles, %zu vertices, %zu materials, %g x %g x %g\n", path.c_str(),
                model.mesh.indices.size() / 3, model.mesh.vertices.size(), model.parts.size(),
                static_cast<double>(model.high[0] - model.low[0]),
                static_cast<double>(model.high[1] - model.low[1]),
                static_cast<double>(model.high[2] - model.low[2]));
}

Result<examples::Model> load_with_progress(const std::string& path) {
    ProgressBar bar(progress_on_stderr());
    return examples::load_model(path,
                                [&](std::string_view what, double part) { bar.show(what, part); });
}

int run_view(const ViewOptions& options) {
    const Result<examples::Model> model = load_with_progress(options.model);
    if (!model.has_value())
        return app::fail(model.error(), options.model);  // the place is the model's path
    for (const std::string& warning : model->warnings)
        std::fprintf(stderr, "%s: warning: %s\n", options.model.c_str(), warning.c_str());
    print_model(options.model, *model);
    Exhibit exhibit;
    exhibit.name = std::filesystem::path(options.model).stem().string();
    exhibit.title = options.model;
    exhibit.samples = 4;
    exhibit.create = [&](raster::Device& device) {
        return examples::create_model_scene(device, *model);
    };
    return show_exhibits({exhibit}, 0, options.picture, "valkyr view");
}

}  // namespace

void add_view_command(CommandLine& line) {
    const Command command = line.subcommand("view", "Show a model from an OBJ file");
    auto options = std::make_shared<ViewOptions>();
    command.footer("Keys of the window:\n" + demo_keys_text());
    command.option("MODEL", options->model, "Wavefront OBJ file; its MTL files lie beside it")
        .required();
    add_picture_arguments(command, options->picture);
    command.runs([options] { return run_view(*options); });
}

}  // namespace valkyr::app
