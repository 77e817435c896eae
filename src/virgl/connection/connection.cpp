// Connection: reads and answers the vtest messages of one client.
// SPDX-License-Identifier: MIT
#include "virgl/connection/connection.hpp"

#include "base/caught_error.hpp"
#include "raster/timeline.hpp"
#include "virgl/protocol/words.hpp"

#include <algorithm>
#include <string_view>

namespace valkyr::virgl {
namespace {

constexpr uint32_t kAnyWords = 0xFFFFFFFF;

/// Reads RESOURCE_CREATE. Its ten words: handle, target, format, bind, width, height, depth,
/// array_size, last_level, nr_samples.
Result<ResourceDesc> resource_desc(const std::array<uint32_t, 11>& words) {
    VALKYR_TRY(target, enumerator(words[1], Target::CubeArray, "texture target"));
    ResourceDesc desc;
    desc.target = target;
    desc.format = words[2];
    desc.bind = words[3];
    desc.width = words[4];
    desc.height = words[5];
    desc.depth = words[6];
    desc.array_size = words[7];
    desc.last_level = words[8];
    desc.samples = words[9];
    return desc;
}

/// Reads a level, then the box x y z w h d.
TransferBox transfer_box(const uint32_t* words) {
    return {words[0], {words[1], words[2], words[3], words[4], words[5], words[6]}};
}

}  // namespace

struct Connection::Row {
    const char* name;
    uint32_t length;  ///< length in the header, kAnyWords: it varies
    uint32_t words;   ///< words that are read before the function is called
    Result<void> (Connection::*serve)(uint32_t length);
};

const Connection::Row* Connection::row_of(uint32_t id) {
    // TRANSFER_PUT2 has any length: clients count data that they do not send. It is always ten
    // words.
    static constexpr std::array<Row, 15> kRows{{
        {nullptr, 0, 0, nullptr},
        {"GET_CAPS", 0, 0, &Connection::get_caps},
        {"RESOURCE_CREATE", 10, 10, &Connection::resource_create},
        {"RESOURCE_UNREF", 1, 1, &Connection::resource_unref},
        {"TRANSFER_GET", 11, 11, &Connection::transfer_get},
        {"TRANSFER_PUT", kAnyWords, 11, &Connection::transfer_put},
        {"SUBMIT_CMD", kAnyWords, 0, &Connection::submit},
        {"RESOURCE_BUSY_WAIT", 2, 0, &Connection::busy_wait},
        {"CREATE_RENDERER", kAnyWords, 0, &Connection::create_renderer},
        {"GET_CAPS2", 0, 0, &Connection::get_caps2},
        {"PING_PROTOCOL_VERSION", 0, 0, &Connection::ping},
        {"PROTOCOL_VERSION", 1, 1, &Connection::version},
        {"RESOURCE_CREATE2", 11, 11, &Connection::resource_create2},
        {"TRANSFER_GET2", 10, 10, &Connection::transfer_get2},
        {"TRANSFER_PUT2", kAnyWords, 10, &Connection::transfer_put2},
    }};
    return id < kRows.size() && kRows[id].serve != nullptr ? &kRows[id] : nullptr;
}

Connection::Connection(Transport& transport,
                       raster::Device& device,
                       Observer& observer,
                       GlLevel level)
    : transport_(transport)
    , context_(device, observer)
    , observer_(observer)
    , level_(level) {}

void Connection::serve() noexcept {
    while (serve_next())
        ;
}

bool Connection::serve_next() noexcept {
    try {
        const auto more = serve_one();
        if (!more && !transport_.abandoned())
            observer_.log(context_.name(), "dropped: " + more.error().text);
        return more && *more;
    } catch (...) {
        const Error error = caught_error();
        tell(observer_, context_.name(),
             error.code == Errc::OutOfMemory ? std::string_view("dropped: out of memory")
                                             : std::string_view(error.text));
        return false;
    }
}

Result<void> Connection::serve_row(const Row& row, uint32_t length) try {
    return (this->*row.serve)(length);
} catch (...) {
    return caught_error();
}

Result<bool> Connection::serve_one() {
    // Messages that a cancelled client still sent are not served.
    if (context_.device().cancelled())
        return false;
    std::array<uint32_t, 2> header{};
    VALKYR_TRY(more, read_header(header));
    if (!more)
        return false;
    const Row* row = row_of(header[1]);
    if (row == nullptr)
        return malformed("no message " + std::to_string(header[1]));
    if (row->length != kAnyWords && header[0] != row->length)
        return malformed(std::string(row->name) + ": length " + std::to_string(header[0]) +
                         " instead of " + std::to_string(row->length));
    VALKYR_TRY_VOID(read_body(std::as_writable_bytes(std::span(words_).first(row->words))));
    const raster::TimelineScope scope(context_.timeline(), 0, row->name);
    auto done = serve_row(*row, header[0]);
    if (!done)
        return Error{done.error().code, {}, std::string(row->name) + ": " + done.error().text};
    return true;
}

/// Waits for the next message. False if the client has closed the connection.
Result<bool> Connection::read_header(std::span<uint32_t> header) {
    const raster::TimelineScope scope(context_.timeline(), 0, "wait for client");
    return transport_.read_words(header);
}

Result<void> Connection::read_body(std::span<std::byte> bytes) {
    if (bytes.empty())
        return {};
    VALKYR_TRY(there, transport_.read(bytes));
    if (!there)
        return Error{Errc::System, {}, "the connection ended within a message"};
    return {};
}

Result<void> Connection::write_capset(uint32_t version, size_t bytes) {
    const Capset set = capability_set(level_, version);
    VALKYR_TRY_VOID(transport_.write_words({static_cast<uint32_t>(bytes + 1), version}));
    return transport_.write(std::span(set).first(bytes));
}

Result<void> Connection::get_caps(uint32_t /*length*/) {
    return write_capset(1, kCapset1Bytes);
}

Result<void> Connection::get_caps2(uint32_t /*length*/) {
    return write_capset(2, kCapset2Bytes);
}

Result<void> Connection::resource_create(uint32_t /*length*/) {
    VALKYR_TRY(desc, resource_desc(words_));
    VALKYR_TRY_VOID(context_.create_resource(words_[0], desc, 0));
    return {};
}

Result<void> Connection::resource_create2(uint32_t /*length*/) {
    VALKYR_TRY(desc, resource_desc(words_));
    const uint32_t bytes = words_[10];
    VALKYR_TRY(resource, context_.create_resource(words_[0], desc, bytes));
    if (bytes == 0)
        return {};
    if (resource == context_.board())
        transport_.use_mailbox(resource->guest().bytes());
    VALKYR_TRY_VOID(transport_.write_descriptor(resource->guest().descriptor()));
    resource->share_guest();
    return {};
}

Result<void> Connection::resource_unref(uint32_t /*length*/) {
    context_.unref_resource(words_[0]);
    return {};
}

Result<void> Connection::transfer_get(uint32_t /*length*/) {
    const uint32_t size = words_[10];
    if (size > kMaxInlineBytes)
        return malformed(std::to_string(size) + " bytes at once");
    bytes_.assign(size, std::byte{0});
    VALKYR_TRY_VOID(context_.get_bytes(
        words_[0], {words_[1], {words_[4], words_[5], words_[6], words_[7], words_[8], words_[9]}},
        {0, words_[2], words_[3]}, bytes_));
    return transport_.write(bytes_);
}

/// Reads `size` bytes into bytes_, which grows only as data arrive: a client cannot take memory by
/// naming a size.
Result<void> Connection::read_data(size_t size) {
    constexpr size_t kPiece = size_t{64} << 10;
    bytes_.clear();
    while (bytes_.size() < size) {
        const size_t begin = bytes_.size();
        bytes_.resize(std::min(size, begin + std::max(begin, kPiece)));
        VALKYR_TRY_VOID(read_body(std::span(bytes_).subspan(begin)));
    }
    return {};
}

Result<void> Connection::transfer_put(uint32_t /*length*/) {
    const uint32_t size = words_[10];
    if (size > kMaxInlineBytes)
        return malformed(std::to_string(size) + " bytes at once");
    VALKYR_TRY_VOID(read_data((size_t{size} + 3) / 4 * 4));
    return context_.put_bytes(
        words_[0], {words_[1], {words_[4], words_[5], words_[6], words_[7], words_[8], words_[9]}},
        {0, words_[2], words_[3]}, std::span(bytes_).first(size));
}

Result<void> Connection::transfer_get2(uint32_t /*length*/) {
    return context_.get(words_[0], transfer_box(&words_[1]), words_[9]);
}

Result<void> Connection::transfer_put2(uint32_t /*length*/) {
    return context_.put(words_[0], transfer_box(&words_[1]), words_[9]);
}

Result<void> Connection::submit(uint32_t length) {
    if (length > kMaxSubmitWords)
        return malformed(std::to_string(length) + " words at once");
    stream_.resize(length);
    VALKYR_TRY_VOID(read_body(std::as_writable_bytes(std::span(stream_))));
    return context_.execute(stream_);
}

/// The reply says that all work the message asks for is done. In a settled context all work is: the
/// reply goes out after the header, before the payload, and a client that waits for one handle
/// after another need not sleep.
Result<void> Connection::busy_wait(uint32_t /*length*/) {
    const auto reply = [&]() -> Result<void> {
        if (context_.answer_in_memory()) {
            transport_.note_answer();
            return {};
        }
        return transport_.write_words({1, static_cast<uint32_t>(Message::ResourceBusyWait), 0});
    };
    const bool settled = context_.settled();
    if (settled)
        VALKYR_TRY_VOID(reply());
    VALKYR_TRY_VOID(read_body(std::as_writable_bytes(std::span(words_).first(2))));
    if (words_[0] != 0)
        context_.wait(words_[0]);
    return settled ? Result<void>() : reply();
}

Result<void> Connection::create_renderer(uint32_t length) {
    if (length > kMaxNameBytes)
        return malformed("a name of " + std::to_string(length) + " bytes");
    std::string name(length, '\0');
    VALKYR_TRY_VOID(read_body(std::as_writable_bytes(std::span(name))));
    name.resize(std::min(name.size(), name.find('\0')));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    context_.set_name(std::move(name));
    return {};
}

Result<void> Connection::ping(uint32_t /*length*/) {
    return transport_.write_words({0, static_cast<uint32_t>(Message::PingProtocolVersion)});
}

Result<void> Connection::version(uint32_t /*length*/) {
    return transport_.write_words({1, static_cast<uint32_t>(Message::ProtocolVersion),
                                   std::min(words_[0], kProtocolVersion)});
}

}  // namespace valkyr::virgl
