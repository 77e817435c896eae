// Recording: keeps every state of a warp or work-group, for stepping forwards and backwards.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/race_check.hpp"
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

/// Memory that the lanes of a work-group share: region 0 is shared memory, 1 + n is BUFFER[n].
struct MemoryRegion {
    std::string name;  ///< "shared memory", "buffer 0"
    std::vector<uint8_t> start;
};

/// A word of a region that a step changed; of its last word perhaps only some bytes are inside.
struct MemoryChange {
    uint32_t region = 0;
    uint32_t offset = 0;  ///< bytes, a multiple of 4
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
    uint32_t step = 0;    ///< that sent it; EarlyZs: 0
    uint16_t lanes = 0;   ///< that sent it
    uint16_t live = 0;    ///< lanes that are not helpers, and not discarded
    uint32_t sample = 0;  ///< per-sample shading: of the invocation
    uint32_t unit = 0;    ///< attribute, byte of the varyings, texture, image, render target, bytes
    uint32_t sampler = 0;
    exec::TextureMessage texture{};
    exec::RegisterFormat format{};  ///< Blend: of the colours
    std::vector<exec::Lanes> in;    ///< coordinates, colours, data
    std::vector<exec::Lanes> out;   ///< results
    bool has_coverage = false;
    exec::Lanes coverage_before{};  ///< sample masks; Blend: the written samples
    exec::Lanes coverage_after{};
};

/// One instruction that issued.
struct Step {
    uint32_t word = 0;
    uint32_t phase = 0;  ///< barriers that the lanes of the work-group have passed
    uint16_t warp = 0;   ///< of the work-group
    uint16_t lanes = 0;  ///< that executed it
    // Afterwards.
    uint16_t alive = 0;
    uint16_t live = 0;
    uint16_t running = 0;
    uint16_t parked = 0;  ///< wait at a BARRIER
    std::array<uint32_t, exec::kLanes> pc{};
    // First entries of this step's changes; they end at the next step's.
    uint32_t first_register = 0;
    uint32_t first_tls = 0;
    uint32_t first_memory = 0;
};

struct RecordOptions {
    uint32_t sample = 0;            ///< per-sample shading: the sample that is recorded
    uint32_t step_limit = 1 << 18;  ///< instructions that the warp or work-group may issue
};

class Recording {
public:
    /// Runs the case by the interpreter.
    /// errors   OutOfRange: more instructions than the limit; InvalidState: nothing ran (no lane is
    /// covered, or early tests killed all lanes); what Interpreter::create
    ///          reports
    static Result<Recording> make(const WarpCase& warp, const RecordOptions& options = {});

    [[nodiscard]] const std::vector<valhall::Instr>& instructions() const { return instrs_; }
    /// Warps of the work-group; 1 without one.
    [[nodiscard]] uint32_t warps() const { return static_cast<uint32_t>(starts_.size()); }
    [[nodiscard]] const valhall::WarpState& start(uint32_t warp = 0) const { return starts_[warp]; }
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    [[nodiscard]] const std::vector<Message>& messages() const { return messages_; }
    [[nodiscard]] std::span<const RegisterChange> register_changes(size_t step) const;
    [[nodiscard]] std::span<const TlsChange> tls_changes(size_t step) const;
    [[nodiscard]] std::span<const MemoryChange> memory_changes(size_t step) const;
    /// Empty without a work-group.
    [[nodiscard]] const std::vector<MemoryRegion>& regions() const { return regions_; }
    /// Races of a work-group on shared memory.
    [[nodiscard]] const std::vector<Race>& races() const { return races_.races(); }
    /// The first step of a warp from `position` on, or the last one before it.
    [[nodiscard]] const Step* next_step(uint32_t warp, size_t position) const;
    [[nodiscard]] const Step* last_step(uint32_t warp, size_t position) const;
    /// Whether all warps have reached a barrier between this step and the one before it.
    [[nodiscard]] bool begins_phase(size_t step) const {
        return step > 0 && step < steps_.size() && steps_[step].phase != steps_[step - 1].phase;
    }
    /// Faults of the last step, if the run did not end by `.end`.
    [[nodiscard]] const std::vector<valhall::RunFault>& faults() const { return faults_; }
    [[nodiscard]] const WarpResult& result() const { return result_; }
    /// Bytes of thread-local storage of a warp.
    [[nodiscard]] size_t tls_bytes() const { return tls_bytes_; }

private:
    friend class Recorder;
    std::vector<valhall::Instr> instrs_;
    std::vector<valhall::WarpState> starts_;       ///< by warp
    std::vector<std::vector<uint32_t>> steps_of_;  ///< by warp, ascending
    std::vector<MemoryRegion> regions_;
    std::vector<Step> steps_;
    std::vector<RegisterChange> registers_;
    std::vector<TlsChange> tls_;
    std::vector<MemoryChange> memory_;
    RaceCheck races_;
    std::vector<Message> messages_;
    std::vector<valhall::RunFault> faults_;
    WarpResult result_;
    size_t tls_bytes_ = 0;
};

/// A place in a recording: the state before step position(), or after the last one. Of the warps of
/// a work-group it shows one.
class Cursor {
public:
    explicit Cursor(const Recording& recording);

    [[nodiscard]] size_t position() const { return position_; }
    [[nodiscard]] bool at_end() const { return position_ == recording_->steps().size(); }
    /// The warp that is shown.
    [[nodiscard]] uint32_t warp() const { return warp_; }
    void show_warp(uint32_t warp) { warp_ = warp; }
    /// The warp of the next step; at the end, the one that is shown.
    [[nodiscard]] uint32_t next_warp() const;
    [[nodiscard]] const valhall::WarpState& state() const { return states_[warp_]; }
    [[nodiscard]] const valhall::WarpState& state_of(uint32_t warp) const { return states_[warp]; }
    /// Thread-local storage of the warp (exec/thread_storage.hpp).
    [[nodiscard]] std::span<const uint8_t> tls() const;
    /// A region of the work-group's memory.
    [[nodiscard]] std::span<const uint8_t> memory(size_t region) const { return memory_[region]; }
    /// All regions, by their numbers.
    [[nodiscard]] std::span<const std::vector<uint8_t>> memory() const { return memory_; }
    /// The word that the warp issues next; when it has ended, the one that it issued last.
    [[nodiscard]] uint32_t word() const { return word_of(warp_); }
    [[nodiscard]] uint32_t word_of(uint32_t warp) const;
    void move_to(size_t position);

private:
    void forward();
    void backward();
    void release_warps();
    void park_warps();

    const Recording* recording_;
    size_t position_ = 0;
    uint32_t warp_ = 0;
    std::vector<valhall::WarpState> states_;  ///< by warp
    std::vector<uint8_t> tls_;                ///< of all warps
    std::vector<std::vector<uint8_t>> memory_;
};

}  // namespace valkyr::debug
