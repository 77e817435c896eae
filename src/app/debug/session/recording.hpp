// Recording: keeps every state of one warp, for stepping forwards and backwards.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/warp_case.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace valkyr::debug {

/// A register that a step changed in some lane.
struct RegisterChange {
    uint8_t reg = 0;
    exec::Lanes before;
    exec::Lanes after;
};

/// A 32-bit word of thread-local storage that a step changed.
struct TlsChange {
    uint32_t offset = 0;  ///< bytes from the base of the warp
    uint32_t before = 0;
    uint32_t after = 0;
};

enum class MessageKind : uint8_t {
    Attribute,
    Varying,
    VaryingSpecial,
    Texture,
    ImageLoad,
    ImageAddress,
    ImageStore,
    EarlyZs,
    Atest,
    ZsEmit,
    Blend,
    TileLoad,
    TileStore,
    Store,  ///< to memory, thread-local storage included
};
std::string_view message_name(MessageKind kind);

/// A message: the values that the program sent and those that it received.
struct Message {
    MessageKind kind{};
    uint32_t step = 0;   ///< that sent it; EarlyZs: 0
    uint16_t lanes = 0;  ///< that sent it
    uint32_t unit = 0;   ///< attribute, byte of the varyings, texture, image, render target, bytes
    uint32_t sampler = 0;
    exec::TextureMessage texture{};
    std::vector<exec::Lanes> in;   ///< coordinates, colours, data
    std::vector<exec::Lanes> out;  ///< results
    bool has_coverage = false;
    exec::Lanes coverage_before{};  ///< sample masks; Blend: the written samples
    exec::Lanes coverage_after{};
};

/// One instruction that issued.
struct Step {
    uint32_t word = 0;
    uint16_t lanes = 0;  ///< that executed it
    // Afterwards.
    uint16_t alive = 0;
    uint16_t live = 0;
    uint16_t running = 0;
    std::array<uint32_t, exec::kLanes> pc{};
    // First entries of this step's changes; they end at the next step's.
    uint32_t first_register = 0;
    uint32_t first_tls = 0;
};

struct RecordOptions {
    uint32_t sample = 0;            ///< per-sample shading: the sample that is recorded
    uint32_t step_limit = 1 << 18;  ///< instructions a warp may issue
};

class Recording {
public:
    /// Runs the case by the interpreter.
    /// errors   OutOfRange: the warp issues more instructions than the limit; InvalidState: nothing
    ///          ran (no lane is covered, or early tests killed all lanes); what Interpreter::create
    ///          reports
    static Result<Recording> make(const WarpCase& warp, const RecordOptions& options = {});

    [[nodiscard]] const std::vector<valhall::Instr>& instructions() const { return instrs_; }
    [[nodiscard]] const valhall::WarpState& start() const { return start_; }
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    [[nodiscard]] const std::vector<Message>& messages() const { return messages_; }
    [[nodiscard]] std::span<const RegisterChange> register_changes(size_t step) const;
    [[nodiscard]] std::span<const TlsChange> tls_changes(size_t step) const;
    /// Faults of the last step, if the run did not end by `.end`.
    [[nodiscard]] const std::vector<valhall::RunFault>& faults() const { return faults_; }
    [[nodiscard]] const WarpResult& result() const { return result_; }
    [[nodiscard]] size_t tls_bytes() const { return tls_bytes_; }

private:
    friend class Recorder;
    std::vector<valhall::Instr> instrs_;
    valhall::WarpState start_;
    std::vector<Step> steps_;
    std::vector<RegisterChange> registers_;
    std::vector<TlsChange> tls_;
    std::vector<Message> messages_;
    std::vector<valhall::RunFault> faults_;
    WarpResult result_;
    size_t tls_bytes_ = 0;
};

/// A place in a recording: the state before step position(), or after the last one.
class Cursor {
public:
    explicit Cursor(const Recording& recording);

    [[nodiscard]] size_t position() const { return position_; }
    [[nodiscard]] bool at_end() const { return position_ == recording_->steps().size(); }
    [[nodiscard]] const valhall::WarpState& state() const { return state_; }
    /// Thread-local storage of the warp (exec/thread_storage.hpp).
    [[nodiscard]] std::span<const uint8_t> tls() const { return tls_; }
    /// The word that issues next; at the end, the one that issued last.
    [[nodiscard]] uint32_t word() const;
    void move_to(size_t position);

private:
    void forward();
    void backward();

    const Recording* recording_;
    size_t position_ = 0;
    valhall::WarpState state_;
    std::vector<uint8_t> tls_;
};

}  // namespace valkyr::debug
