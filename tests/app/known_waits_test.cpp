// Known waits test: checks which waits `valkyr run` answers without the server.
// SPDX-License-Identifier: MIT
#include "app/run/shim/known_waits.hpp"

#include <doctest/doctest.h>

namespace valkyr::shim {
namespace {

constexpr uint32_t kTexture = 3;
constexpr uint32_t kOther = 4;
constexpr uint32_t kFence = 5;

MessageWords naming(uint32_t number) {
    MessageWords words{};
    words[kNumberWord] = number;
    return words;
}

MessageWords making_fence(uint32_t number) {
    MessageWords words = naming(number);
    words[kTargetWord] = static_cast<uint32_t>(virgl::Target::Buffer);
    words[kBindWord] = virgl::kBindCustom;
    words[kWidthWord] = virgl::kFenceBytes;
    return words;
}

void wait(KnownWaits& waits, uint32_t number) {
    waits.note(Message::ResourceBusyWait, naming(number));
    waits.note_answer();
}

}  // namespace

TEST_CASE("after a wait all others are known, until the server gets something to do") {
    KnownWaits waits;
    CHECK(!waits.knows(kTexture));
    for (const Message work : {Message::SubmitCommands, Message::TransferGet2,
                               Message::TransferPut2, Message::TransferPut}) {
        wait(waits, kTexture);
        CHECK(waits.knows(kTexture));
        CHECK(waits.knows(kOther));
        CHECK(!waits.knows(0));
        waits.note(Message::ResourceUnref, naming(kOther));
        CHECK(waits.knows(kTexture));
        waits.note(work, naming(kOther));
        CHECK(!waits.knows(kTexture));
        CHECK(!waits.knows(kOther));
    }
    // A wait that was answered here says nothing new.
    waits.note(Message::ResourceBusyWait, naming(kTexture));
    CHECK(!waits.knows(kTexture));
}

TEST_CASE("a new resource is not busy until a message may name it") {
    KnownWaits waits;
    waits.note(Message::SubmitCommands, {});
    waits.note(Message::ResourceCreate2, naming(kTexture));
    CHECK(waits.knows(kTexture));
    CHECK(!waits.knows(kOther));
    waits.note(Message::ResourceCreate2, naming(kOther));
    CHECK(waits.knows(kOther));
    CHECK(!waits.knows(kTexture));
    waits.note(Message::ResourceUnref, naming(kOther));
    CHECK(!waits.knows(kOther));
    waits.note(Message::ResourceCreate2, naming(kTexture));
    waits.note(Message::SubmitCommands, {});
    CHECK(!waits.knows(kTexture));
}

TEST_CASE("a wait for a fence lasts until the server has drawn") {
    KnownWaits waits;
    waits.note(Message::SubmitCommands, {});
    waits.note(Message::ResourceCreate2, making_fence(kFence));
    CHECK(!waits.knows(kFence));
    wait(waits, kTexture);
    CHECK(waits.knows(kTexture));
    CHECK(!waits.knows(kFence));
    wait(waits, kFence);
    CHECK(waits.knows(kFence));
    wait(waits, kTexture);
    CHECK(waits.knows(kFence));
    waits.note(Message::ResourceCreate2, making_fence(kOther));
    CHECK(waits.knows(kOther));
    waits.note(Message::SubmitCommands, {});
    CHECK(!waits.knows(kFence));
    CHECK(!waits.knows(kOther));
    // The number goes to another resource.
    waits.note(Message::ResourceUnref, naming(kFence));
    wait(waits, kTexture);
    CHECK(waits.knows(kFence));
    CHECK(!waits.knows(kOther));
}

}  // namespace valkyr::shim
