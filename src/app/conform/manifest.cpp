// Manifest: reads and writes goldens.txt, the blessed pictures of a topic and their reasons.
// SPDX-License-Identifier: MIT
#include "app/conform/manifest.hpp"

#include "app/cli/file_io.hpp"
#include "app/conform/suite.hpp"
#include "app/image/fingerprint.hpp"

#include <filesystem>
#include <sstream>

namespace valkyr::conform {
namespace {

namespace fs = std::filesystem;

constexpr char kHeading[] =
    "# Goldens of this folder: name, fingerprint of the picture, why it was written.\n"
    "# conform_reference --bless writes this file.\n";

}  // namespace

Manifest::Topic& Manifest::topic_of(const CaseFile& file) {
    const std::string path = (fs::path(file.scene_path).parent_path() / "goldens.txt").string();
    const auto [found, added] = topics_.try_emplace(path);
    Topic& topic = found->second;
    if (!added)
        return topic;
    const Result<std::string> text = app::read_input(path);
    std::istringstream lines(text ? *text : std::string());
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        Entry entry;
        if (line.starts_with('#') || !(words >> name >> entry.fingerprint))
            continue;
        std::getline(words >> std::ws, entry.reason);
        topic.entries[name] = entry;
    }
    return topic;
}

void Manifest::set(const CaseFile& file,
                   const examples::Image& picture,
                   const std::string& reason) {
    Topic& topic = topic_of(file);
    topic.entries[fs::path(file.scene_path).stem().string()] = {app::fingerprint(picture), reason};
    topic.changed = true;
}

std::string Manifest::blessed(const CaseFile& file) {
    const Topic& topic = topic_of(file);
    const auto found = topic.entries.find(fs::path(file.scene_path).stem().string());
    return found == topic.entries.end() ? std::string() : found->second.fingerprint;
}

Result<void> Manifest::save() const {
    for (const auto& [path, topic] : topics_) {
        if (!topic.changed)
            continue;
        std::string text = kHeading;
        for (const auto& [name, entry] : topic.entries)
            text += name + " " + entry.fingerprint + " " + entry.reason + "\n";
        VALKYR_TRY_VOID(app::write_output(path, text));
    }
    return {};
}

}  // namespace valkyr::conform
