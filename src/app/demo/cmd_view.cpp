// Command view: shows a model from a Wavefront OBJ or a glTF file.
// SPDX-License-Identifier: MIT
#include "app/cli/progress_bar.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/demo/demo_arguments.hpp"
#include "examples/gltf/gltf_scene.hpp"
#include "examples/model_scene.hpp"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::app {

namespace {

struct ViewOptions {
    std::string model;
    std::string animation;
    PictureArguments picture;
};

void print_model(const std::string& path, const examples::Model& model) {
    std::printf("%s: %zu triangles, %zu vertices, %zu materials, %g x %g x %g\n", path.c_str(),
                model.mesh.indices.size() / 3, model.mesh.vertices.size(), model.parts.size(),
                static_cast<double>(model.high[0] - model.low[0]),
                static_cast<double>(model.high[1] - model.low[1]),
                static_cast<double>(model.high[2] - model.low[2]));
}

void print_warnings(const std::string& path, const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
        std::fprintf(stderr, "%s: warning: %s\n", path.c_str(), warning.c_str());
}

template <typename Model>
Result<Model> load_with_progress(const std::string& path,
                                 Result<Model> (*load)(const std::string&,
                                                       const examples::Progress&,
                                                       const examples::ModelLimits&)) {
    ProgressBar bar(progress_on_stderr());
    return load(path, [&](std::string_view what, double part) { bar.show(what, part); }, {});
}

using CreateScene = std::function<Result<std::unique_ptr<examples::Scene>>(raster::Device&)>;

int show_model(const ViewOptions& options, CreateScene create) {
    Exhibit exhibit;
    exhibit.name = std::filesystem::path(options.model).stem().string();
    exhibit.title = options.model;
    exhibit.samples = 4;
    exhibit.create = std::move(create);
    return show_exhibits({exhibit}, 0, options.picture, "valkyr view");
}

int view_obj(const ViewOptions& options) {
    const Result<examples::Model> model =
        load_with_progress<examples::Model>(options.model, examples::load_model);
    if (!model.has_value())
        return app::fail(model.error(), options.model);  // the place is the model's path
    print_warnings(options.model, model->warnings);
    print_model(options.model, *model);
    return show_model(options, [&](raster::Device& device) {
        return examples::create_model_scene(device, *model);
    });
}

void print_gltf(const std::string& path, const examples::GltfModel& model) {
    std::printf("%s: %zu triangles, %zu vertices, %zu materials, %zu nodes\n", path.c_str(),
                model.triangles(), model.vertices(), model.materials.size() - 1,
                model.nodes.size());
    for (size_t i = 0; i < model.animations.size(); i++)
        std::printf("animation %zu: %s, %g s\n", i + 1,
                    model.animations[i].name.empty() ? "without a name"
                                                     : model.animations[i].name.c_str(),
                    static_cast<double>(model.animations[i].duration));
}

/// The animation that a name, a number from 1 or "none" means; by default the first.
Result<size_t> find_animation(const examples::GltfModel& model, const std::string& wanted) {
    if (wanted == "none" || (wanted.empty() && model.animations.empty()))
        return examples::kNone;
    if (wanted.empty())
        return size_t{0};
    for (size_t i = 0; i < model.animations.size(); i++)
        if (model.animations[i].name == wanted || std::to_string(i + 1) == wanted)
            return i;
    return Error{Errc::OutOfRange, {}, "there is no animation " + wanted};
}

int view_gltf(const ViewOptions& options) {
    const Result<examples::GltfModel> model =
        load_with_progress<examples::GltfModel>(options.model, examples::load_gltf);
    if (!model.has_value())
        return app::fail(model.error(), options.model);
    print_warnings(options.model, model->warnings);
    print_gltf(options.model, *model);
    const Result<size_t> animation = find_animation(*model, options.animation);
    if (!animation.has_value())
        return app::fail(animation.error(), options.model);
    return show_model(options, [&](raster::Device& device) {
        return examples::create_gltf_scene(device, *model, *animation);
    });
}

int run_view(const ViewOptions& options) {
    return examples::is_gltf_path(options.model) ? view_gltf(options) : view_obj(options);
}

}  // namespace

void add_view_command(CommandLine& line) {
    const Command command = line.subcommand("view", "Show a model from an OBJ or a glTF file");
    auto options = std::make_shared<ViewOptions>();
    command.footer("Keys of the window:\n" + demo_keys_text());
    command
        .option("MODEL", options->model,
                "Wavefront OBJ file, or glTF 2.0 file (.gltf, .glb); other files that it names "
                "lie beside it")
        .required();
    command
        .option("--animation", options->animation,
                "glTF: the animation to play, by name or number from 1, or none (default 1)")
        .value_name("NAME");
    add_picture_arguments(command, options->picture);
    command.runs([options] { return run_view(*options); });
}

}  // namespace valkyr::app
