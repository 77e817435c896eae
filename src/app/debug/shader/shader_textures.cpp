// Shader textures: pictures from files, as the textures of a shader text that runs alone.
// SPDX-License-Identifier: MIT
#include "app/debug/shader/shader_textures.hpp"

#include "app/cli/text_scan.hpp"
#include "examples/image_io.hpp"
#include "gpu/create_device.hpp"
#include "raster/record/descriptors.hpp"
#include "raster/resource/resource.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace valkyr::debug {

namespace {

using exec::Filter;
using exec::Wrap;

/// A word of --sampler.
struct SamplerWord {
    std::string_view word;
    void (*set)(raster::SamplerState& state);
};
void set_wrap(raster::SamplerState& state, Wrap wrap) {
    state.wrap_s = state.wrap_t = state.wrap_r = wrap;
}
void set_filter(raster::SamplerState& state, Filter filter) {
    state.min_filter = state.mag_filter = filter;
}
constexpr std::array<SamplerWord, 6> kSamplerWords{{
    {"nearest", [](raster::SamplerState& s) { set_filter(s, Filter::Nearest); }},
    {"linear", [](raster::SamplerState& s) { set_filter(s, Filter::Linear); }},
    {"repeat", [](raster::SamplerState& s) { set_wrap(s, Wrap::Repeat); }},
    {"clamp", [](raster::SamplerState& s) { set_wrap(s, Wrap::ClampToEdge); }},
    {"border", [](raster::SamplerState& s) { set_wrap(s, Wrap::ClampToBorder); }},
    {"mirror", [](raster::SamplerState& s) { set_wrap(s, Wrap::MirrorRepeat); }},
}};

std::string sampler_words() {
    std::string text;
    for (const SamplerWord& row : kSamplerWords)
        text += (text.empty() ? "" : ", ") + std::string(row.word);
    return text;
}

/// An argument N=REST.
struct Numbered {
    uint32_t unit = 0;
    std::string_view rest;
};
Result<Numbered> numbered(const std::string& text) {
    std::string_view rest = text;
    const auto number = app::take_number(rest);
    if (!number || !rest.starts_with('='))
        return Error{Errc::Syntax, {}, "expected N=..."};
    if (*number >= exec::kMaxTextureUnits)
        return Error{Errc::OutOfRange,
                     {},
                     "units are numbered from 0 to " + std::to_string(exec::kMaxTextureUnits - 1)};
    return Numbered{*number, rest.substr(1)};
}

Error at_option(const char* option, const std::string& text, const Error& error) {
    return {error.code, {}, std::string(option) + " " + text + ": " + error.text};
}

Result<raster::SamplerState> parse_sampler(std::string_view words) {
    raster::SamplerState state;
    set_filter(state, Filter::Nearest);
    set_wrap(state, Wrap::Repeat);
    for (bool more = true; more;) {
        const size_t comma = words.find(',');
        const std::string_view word = words.substr(0, comma);
        const auto* const row = std::ranges::find(kSamplerWords, word, &SamplerWord::word);
        if (row == kSamplerWords.end())
            return Error{
                Errc::Syntax, {}, "'" + std::string(word) + "' is none of " + sampler_words()};
        row->set(state);
        more = comma != std::string_view::npos;
        if (more)
            words.remove_prefix(comma + 1);
    }
    return state;
}

/// Whether the text declares a texture unit for pictures.
Result<void> check_unit(const tgsi::Shader& shader, uint32_t unit) {
    bool is_sampled = false;
    for (const tgsi::Declaration& declaration : shader.declarations) {
        if (unit < declaration.first || unit > declaration.last)
            continue;
        is_sampled = is_sampled || declaration.file == tgsi::File::Sampler;
        if (declaration.file == tgsi::File::SamplerView &&
            declaration.target != tgsi::Target::Tex2D)
            return Error{
                Errc::Semantic, {}, "SVIEW[" + std::to_string(unit) + "] of the shader is not 2D"};
    }
    if (is_sampled)
        return {};
    return Error{Errc::Semantic, {}, "the shader declares no SAMP[" + std::to_string(unit) + "]"};
}

class LoadedTextures final : public ShaderTextures {
public:
    [[nodiscard]] const std::vector<exec::TextureDescriptor>& textures() const override {
        return textures_;
    }
    [[nodiscard]] const std::vector<exec::SamplerDescriptor>& samplers() const override {
        return samplers_;
    }
    [[nodiscard]] uint32_t driver_word(exec::DriverValue value, uint8_t unit) const override {
        if (unit >= textures_.size() || textures_[unit].level_count == 0)
            return 0;
        const exec::TextureDescriptor& texture = textures_[unit];
        switch (value) {
        case exec::DriverValue::TextureWidth: return texture.levels[0].width;
        case exec::DriverValue::TextureHeight: return texture.levels[0].height;
        case exec::DriverValue::TextureDepth: return texture.levels[0].depth;
        case exec::DriverValue::TextureLevels: return texture.level_count;
        case exec::DriverValue::TextureSamples: return 1;
        default: return 0;
        }
    }

    Result<void> start() {
        raster::DeviceOptions options;
        options.threads = 1;
        VALKYR_TRY(device, gpu::create_device(options));
        device_ = std::move(device);
        textures_.resize(exec::kMaxTextureUnits);
        VALKYR_TRY(sampler, parse_sampler("nearest"));
        VALKYR_TRY(plain, raster::sampler_descriptor(sampler));
        samplers_.assign(exec::kMaxTextureUnits, plain);
        return {};
    }
    Result<void> add_texture(const std::string& text, const tgsi::Shader& shader) {
        VALKYR_TRY(argument, numbered(text));
        VALKYR_TRY_VOID(check_unit(shader, argument.unit));
        VALKYR_TRY(image, examples::read_image(std::string(argument.rest)));
        raster::TextureDesc desc;
        desc.format = raster::Format::R8G8B8A8_UNORM;
        desc.width = image.width;
        desc.height = image.height;
        VALKYR_TRY(texture, device_->create_texture(desc));
        const size_t row = size_t{4} * image.width;
        for (uint32_t y = 0; y < image.height; ++y)
            VALKYR_TRY_VOID(device_->write_texture(
                texture, 0, {0, image.height - 1 - y, 0, image.width, 1, 1},
                std::as_bytes(std::span(image.rgba)).subspan(y * row, row), row));
        VALKYR_TRY_VOID(device_->finish());
        raster::TextureView view;
        view.texture = texture;
        const auto* const owner = static_cast<raster::TextureImpl&>(*texture).owner();
        VALKYR_TRY(descriptor, raster::texture_descriptor(view, owner));
        textures_[argument.unit] = descriptor;
        kept_.push_back(std::move(texture));
        return {};
    }
    Result<void> add_sampler(const std::string& text) {
        VALKYR_TRY(argument, numbered(text));
        VALKYR_TRY(state, parse_sampler(argument.rest));
        VALKYR_TRY(descriptor, raster::sampler_descriptor(state));
        samplers_[argument.unit] = descriptor;
        return {};
    }

private:
    std::unique_ptr<raster::Device> device_;
    std::vector<raster::TextureRef> kept_;
    std::vector<exec::TextureDescriptor> textures_;
    std::vector<exec::SamplerDescriptor> samplers_;
};

}  // namespace

void add_texture_arguments(app::Command command, TextureArguments& arguments) {
    command
        .option("--texture", arguments.textures,
                "Shaders: N=FILE is a picture for texture unit N, which must be 2D")
        .one_value_each();
    command
        .option("--sampler", arguments.samplers,
                "Shaders: N=WORD,WORD of " + sampler_words() +
                    " for sampler N (default: nearest,repeat)")
        .one_value_each();
}

Result<std::shared_ptr<const ShaderTextures>>
ShaderTextures::load(const TextureArguments& arguments, const tgsi::Shader& shader) {
    if (arguments.textures.empty() && arguments.samplers.empty())
        return std::shared_ptr<const ShaderTextures>();
    auto made = std::make_shared<LoadedTextures>();
    VALKYR_TRY_VOID(made->start());
    for (const std::string& text : arguments.textures)
        if (const auto added = made->add_texture(text, shader); !added)
            return at_option("--texture", text, added.error());
    for (const std::string& text : arguments.samplers)
        if (const auto added = made->add_sampler(text); !added)
            return at_option("--sampler", text, added.error());
    return std::shared_ptr<const ShaderTextures>(std::move(made));
}

}  // namespace valkyr::debug
