// Trim state: keeps of a client's messages those that later ones depend on, without what they drew.
// SPDX-License-Identifier: MIT
#include "virgl/capture/trim_state.hpp"

#include "virgl/protocol/protocol.hpp"
#include "virgl/protocol/words.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <tuple>

namespace valkyr::virgl {
namespace {

// Commands by number: commands.inc.
constexpr uint32_t kCreateObject = 1;
constexpr uint32_t kDestroyObject = 3;
constexpr uint32_t kBeginQuery = 19;
constexpr uint32_t kEndQuery = 20;
constexpr uint32_t kSelectSub = 28;
constexpr uint32_t kDestroySub = 30;

enum class Keep : uint8_t { No, All, Last };

/// The treatment of a command.
struct Rule {
    uint32_t code;
    Keep keep;
    /// Last: a later command replaces this one if these words of the payload, from 0, are equal,
    /// and the headers, which tell length and type of object.
    std::array<int8_t, 2> key{-1, -1};
};
/// Commands that are not here only draw, copy, transfer or answer.
constexpr Rule kRules[] = {
    {1, Keep::All},            // CREATE_OBJECT
    {2, Keep::Last},           // BIND_OBJECT
    {3, Keep::All},            // DESTROY_OBJECT
    {4, Keep::Last, {0}},      // SET_VIEWPORT_STATE: first slot
    {5, Keep::Last},           // SET_FRAMEBUFFER_STATE
    {6, Keep::Last},           // SET_VERTEX_BUFFERS
    {10, Keep::Last, {0, 1}},  // SET_SAMPLER_VIEWS: stage, first slot
    {11, Keep::Last},          // SET_INDEX_BUFFER
    {12, Keep::Last, {0, 1}},  // SET_CONSTANT_BUFFER: stage, slot
    {13, Keep::Last},          // SET_STENCIL_REF
    {14, Keep::Last},          // SET_BLEND_COLOR
    {15, Keep::Last, {0}},     // SET_SCISSOR_STATE: first slot
    {18, Keep::Last, {0, 1}},  // BIND_SAMPLER_STATES: stage, first slot
    {19, Keep::All},           // BEGIN_QUERY
    {20, Keep::All},           // END_QUERY
    {22, Keep::Last},          // SET_POLYGON_STIPPLE
    {23, Keep::Last},          // SET_CLIP_STATE
    {24, Keep::Last},          // SET_SAMPLE_MASK
    {25, Keep::All},           // SET_STREAMOUT_TARGETS: the order of lists matters
    {26, Keep::Last},          // SET_RENDER_CONDITION
    {27, Keep::Last, {0, 1}},  // SET_UNIFORM_BUFFER: stage, slot
    {28, Keep::No},            // SET_SUB_CTX: write() adds what is needed
    {29, Keep::All},           // CREATE_SUB_CTX
    {30, Keep::All},           // DESTROY_SUB_CTX
    {31, Keep::Last, {1}},     // BIND_SHADER: stage
    {32, Keep::Last},          // SET_TESS_STATE
    {33, Keep::Last},          // SET_MIN_SAMPLES
    {34, Keep::Last, {0, 1}},  // SET_SHADER_BUFFERS: stage, first slot
    {35, Keep::Last, {0, 1}},  // SET_SHADER_IMAGES: stage, first slot
    {38, Keep::Last},          // SET_FRAMEBUFFER_STATE_NO_ATTACH
};

const Rule* rule_of(uint32_t code) {
    const auto* const found = std::ranges::find(kRules, code, &Rule::code);
    return found != std::end(kRules) ? found : nullptr;
}

/// Messages that later ones depend on.
bool keeps(Message message) {
    switch (message) {
    case Message::ResourceCreate:
    case Message::ResourceCreate2:
    case Message::ResourceUnref:
    case Message::CreateRenderer:
    case Message::ProtocolVersion: return true;
    default: return false;
    }
}

}  // namespace

Result<void> TrimState::add(std::span<const std::byte> message) {
    std::array<uint32_t, 2> header{};
    if (message.size() < sizeof header)
        return malformed("a message without a header");
    std::memcpy(header.data(), message.data(), sizeof header);
    const auto kind = static_cast<Message>(header[1]);
    const size_t words = (message.size() + 3) / 4;
    std::vector<uint32_t> all(words);
    std::memcpy(all.data(), message.data(), message.size());
    if (kind == Message::SubmitCommands)
        return add_stream(std::span(all).subspan(2));
    if (!keeps(kind))
        return {};
    // A renderer's name has any number of bytes: the length of the message is kept in front.
    all.insert(all.begin(), static_cast<uint32_t>(message.size()));
    items_.push_back({false, false, 0, std::move(all)});
    return {};
}

Result<void> TrimState::add_stream(std::span<const uint32_t> stream) {
    for (size_t at = 0; at < stream.size();) {
        const uint32_t header = stream[at];
        const size_t length = header >> 16;
        if (length > stream.size() - at - 1)
            return malformed("a command that ends too early");
        const auto command = stream.subspan(at, 1 + length);
        const uint32_t code = header & 0xFF;
        const Rule* const rule = rule_of(code);
        if (rule != nullptr && rule->keep != Keep::No)
            items_.push_back({true, false, sub_, {command.begin(), command.end()}});
        if (code == kSelectSub && length == 1)
            sub_ = command[1];
        if (code == kDestroySub && length == 1 && command[1] == sub_)
            sub_ = 0;
        at += 1 + length;
    }
    return {};
}

void TrimState::keep_last_settings() {
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, bool> later;
    for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
        const Rule* const rule = item->is_command ? rule_of(item->code()) : nullptr;
        if (rule == nullptr || rule->keep != Keep::Last)
            continue;
        const auto word = [&](int8_t index) {
            const auto at = static_cast<size_t>(index + 1);
            return index >= 0 && at < item->words.size() ? item->words[at] : 0;
        };
        const auto [place, is_new] = later.try_emplace(
            {item->sub, item->words[0], word(rule->key[0]), word(rule->key[1])}, true);
        item->dropped = !is_new;
    }
}

/// Results of ended queries are restored; one that is open begins again.
void TrimState::drop_finished_queries() {
    std::map<std::pair<uint32_t, uint32_t>, bool> later;  ///< whether its last command was seen
    for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
        if (!item->is_command || item->words.size() < 2 ||
            (item->code() != kBeginQuery && item->code() != kEndQuery))
            continue;
        const bool is_last = later.try_emplace({item->sub, item->words[1]}, true).second;
        item->dropped = !is_last || item->code() == kEndQuery;
    }
}

/// Drops the creation and the end of something that no kept command between them names.
/// end      the item that ends it
/// begins   the items that created it; they are forgotten
/// any_sub  commands of all sub-contexts count
void TrimState::drop_if_unnamed(size_t end,
                                uint32_t handle,
                                std::vector<size_t>& begins,
                                bool any_sub) {
    const auto names = [&](size_t i) {
        const Item& item = items_[i];
        return !item.dropped && item.is_command && (any_sub || item.sub == items_[end].sub) &&
               std::find(item.words.begin() + 1, item.words.end(), handle) != item.words.end();
    };
    bool named = false;
    for (size_t i = begins.front(); i < end && !named; ++i)
        named = std::ranges::find(begins, i) == begins.end() && names(i);
    if (!named) {
        for (const size_t begin : begins)
            items_[begin].dropped = true;
        items_[end].dropped = true;
    }
    begins.clear();
}

void TrimState::drop_dead_objects() {
    std::map<std::pair<uint32_t, uint32_t>, std::vector<size_t>> created;
    for (size_t i = 0; i < items_.size(); ++i) {
        const Item& item = items_[i];
        if (!item.is_command || item.words.size() < 2)
            continue;
        std::vector<size_t>& begins = created[{item.sub, item.words[1]}];
        if (item.code() == kCreateObject)
            begins.push_back(i);
        else if (item.code() == kDestroyObject && !begins.empty())
            drop_if_unnamed(i, item.words[1], begins, false);
    }
}

void TrimState::drop_dead_resources() {
    std::map<uint32_t, std::vector<size_t>> created;
    for (size_t i = 0; i < items_.size(); ++i) {
        const Item& item = items_[i];
        if (item.is_command || item.words.size() < 4)
            continue;
        const auto kind = static_cast<Message>(item.words[2]);
        const uint32_t handle = item.words[3];
        if (kind == Message::ResourceCreate || kind == Message::ResourceCreate2)
            created[handle] = {i};
        else if (kind == Message::ResourceUnref && !created[handle].empty())
            drop_if_unnamed(i, handle, created[handle], true);
    }
}

void TrimState::write(uint32_t client, TraceWriter& writer) {
    keep_last_settings();
    drop_finished_queries();
    drop_dead_objects();
    drop_dead_resources();
    std::vector<uint32_t> stream;
    uint32_t sub = 0;
    const auto flush = [&] {
        if (stream.empty())
            return;
        const std::array<uint32_t, 2> header{static_cast<uint32_t>(stream.size()),
                                             static_cast<uint32_t>(Message::SubmitCommands)};
        stream.insert(stream.begin(), header.begin(), header.end());
        writer.message(client, std::as_bytes(std::span(stream)));
        stream.clear();
    };
    const auto select = [&](uint32_t wanted) {
        if (sub != wanted)
            stream.insert(stream.end(), {kSelectSub | 1U << 16, wanted});
        sub = wanted;
    };
    for (const Item& item : items_) {
        if (item.dropped)
            continue;
        if (!item.is_command) {
            flush();
            writer.message(client,
                           std::as_bytes(std::span(item.words).subspan(1)).first(item.words[0]));
            continue;
        }
        if (stream.size() + item.words.size() > kMaxSubmitWords / 2)
            flush();
        select(item.sub);
        stream.insert(stream.end(), item.words.begin(), item.words.end());
        if (item.code() == kDestroySub && item.words.size() == 2 && item.words[1] == sub)
            sub = 0;
    }
    select(sub_);
    flush();
    std::erase_if(items_, [](const Item& item) { return item.dropped; });
}

Result<void> TrimStates::note(const TraceChunk& chunk, const Replay& replay) {
    if (chunk.kind == ChunkKind::Close)
        clients_.erase(chunk.client);
    if (chunk.kind == ChunkKind::Open)
        clients_[chunk.client] = {};
    if (chunk.kind != ChunkKind::Message || !replay.serves(chunk.client))
        return {};
    return clients_[chunk.client].add(chunk.payload);
}

Result<void>
TrimStates::write(TraceWriter& writer, Replay& replay, std::map<uint32_t, uint32_t>* names) {
    std::map<uint32_t, uint32_t> kept;
    std::map<uint32_t, uint32_t>& numbers = names != nullptr ? *names : kept;
    for (auto& [client, state] : clients_) {
        if (!replay.serves(client))
            continue;
        if (names == nullptr)
            writer.open_client_as(client);
        numbers[client] = names == nullptr ? client : writer.open_client();
        state.write(numbers[client], writer);
    }
    return replay.save(writer, numbers);
}

}  // namespace valkyr::virgl
