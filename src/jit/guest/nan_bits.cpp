// NaN bits: find the results whose NaNs are read bit by bit.
// SPDX-License-Identifier: MIT
#include "jit/guest/nan_bits.hpp"

#include "exec/format.hpp"
#include "jit/guest/sign_changes.hpp"
#include "valhall/isa/messages.hpp"

#include <algorithm>
#include <vector>

namespace valkyr::jit {

using valhall::Instr;
using valhall::Mod;
using valhall::Op;

namespace {

/// Registers by how they are read later. A NaN of one size is no NaN in the other one.
struct Readers {
    RegSet bits;    ///< as anything
    RegSet words;   ///< as binary32
    RegSet halves;  ///< as two binary16

    friend Readers operator|(const Readers& a, const Readers& b) {
        return {a.bits | b.bits, a.words | b.words, a.halves | b.halves};
    }
    friend Readers operator-(const Readers& a, RegSet b) {
        return {a.bits - b, a.words - b, a.halves - b};
    }
    friend bool operator==(const Readers&, const Readers&) = default;
};

/// Whether the result is this source, bit by bit, or another source.
bool copies(const Instr& instr, unsigned source) {
    switch (instr.op) {
    case Op::MOV_I32: return true;
    case Op::CLPER_I32: return source == 0;
    case Op::CSEL_F32:
    case Op::CSEL_U32:
    case Op::CSEL_S32: return source >= 2;
    case Op::MUX_I32: return source < 2 && instr.get<valhall::Mux>(Mod::mux) != valhall::Mux::bit;
    default: return false;
    }
}

/// Whether a float source is binary16, by its type or because it selects a half.
bool reads_halves(const Instr& instr, unsigned source) {
    const valhall::SourceInfo& info = valhall::op_info(instr.op).sources[source];
    return info.size == 16 ||
           (info.selector == valhall::SelectorKind::Swizzle32 && instr.src[source].selector != 0);
}

/// Whether a result is binary16.
bool makes_halves(const Instr& instr) {
    if (valhall::register_format(instr) == exec::RegisterFormat::F16)
        return true;
    if (valhall::has_effect(instr.op, valhall::Effect::texture))
        return instr.get<valhall::RegisterWidth>(Mod::register_width) ==
               valhall::RegisterWidth::n16;
    return valhall::op_info(instr.op).type_size == 16;
}

bool is_integer(exec::Format format) {
    const exec::ChannelType type = exec::format_info(format).type;
    return type == exec::ChannelType::Uint || type == exec::ChannelType::Sint;
}

/// Whether all colours of a fragment program are floats.
bool blends_floats(const KernelKey& key) {
    return key.fragment != nullptr &&
           std::ranges::none_of(key.fragment->blend, is_integer, &exec::BlendKey::format);
}

/// Whether BLEND reads its colour as binary32. Its register format is mostly that of the target.
bool reads_float_color(const Instr& instr, const KernelKey& key) {
    if (instr.op != Op::BLEND)
        return false;
    const exec::RegisterFormat format = valhall::register_format(instr);
    return format == exec::RegisterFormat::F32 ||
           (format == exec::RegisterFormat::Auto && blends_floats(key));
}

/// Whether a step stores outputs of a vertex program that are only interpolated.
bool stores_floats(const Step& step, const KernelKey& key) {
    const Expansion expansion = step.message.expansion;
    return key.vertex != nullptr && key.vertex->float_outputs &&
           (expansion == Expansion::RecordRow || expansion == Expansion::RecordElements);
}

/// The registers at the front of a staging run that are read as binary32.
unsigned float_registers(const Step& step, const KernelKey& key) {
    constexpr unsigned all = kRegCount;
    const Instr& instr = step.instr;
    if (stores_floats(step, key) || reads_float_color(instr, key))
        return all;
    if (instr.op != Op::TEX_SINGLE)
        return 0;
    constexpr unsigned of_face = 2;  // a cube's coordinates are a face's
    const auto dimension = instr.get<valhall::Dimension>(Mod::dimension);
    return dimension == valhall::Dimension::cube ? of_face : static_cast<unsigned>(dimension) + 1;
}

/// The written registers of which a part keeps its value.
RegSet partly_written(const Step& step) {
    const valhall::OpInfo& info = valhall::op_info(step.instr.op);
    if (step.doubles)
        return {};
    if (info.has_dest)
        return step.instr.dest.mask != 3 ? step.access.writes : RegSet{};
    RegSet read;  // as operands
    for (unsigned k = 0; k < info.staging.size(); ++k)
        if (info.staging[k].read)
            read |= RegSet::run(step.instr.staging[k].base, step.instr.staging[k].count);
    for (unsigned k = 0; k < info.sources.size(); ++k)
        if (step.instr.src[k].kind == valhall::SourceKind::Register)
            read |= RegSet::run(step.instr.src[k].index, reads_pair(step.instr, k) ? 2 : 1);
    return step.access.writes & (step.access.reads - read);
}

/// Finds how one step reads registers.
class StepReaders {
public:
    /// carried  the source of which the step changes at most the sign
    StepReaders(const Step& step, const KernelKey& key, uint8_t carried)
        : step_(step)
        , key_(key)
        , carried_(carried) {}

    /// after  the readers behind the step
    [[nodiscard]] Readers before(const Readers& after) {
        if (step_.doubles)
            return {.bits = step_.access.reads, .words = {}, .halves = {}};
        add_sources(after);
        add_staging();
        known_ |= partly_written(step_);
        if (reads_float_color(step_.instr, key_)) {
            readers_.words |= step_.access.reads - known_;  // the second colour
            known_ |= step_.access.reads;
        }
        readers_.bits |= step_.access.reads - known_;
        return readers_;
    }

private:
    void add_sources(const Readers& after) {
        const valhall::OpInfo& info = valhall::op_info(step_.instr.op);
        for (unsigned k = 0; k < info.sources.size(); ++k) {
            const valhall::Source& source = step_.instr.src[k];
            if (source.kind != valhall::SourceKind::Register)
                continue;
            const RegSet read = RegSet::run(source.index, reads_pair(step_.instr, k) ? 2 : 1);
            known_ |= read;
            if (copies(step_.instr, k) || k == carried_)
                add_copy(read, after);
            else if (!info.sources[k].is_float)
                readers_.bits |= read;
            else if (reads_halves(step_.instr, k))
                readers_.halves |= read;
            else
                readers_.words |= read;
        }
    }

    /// A copied source is read as the result is.
    void add_copy(RegSet read, const Readers& after) {
        const auto is_read = [&](RegSet of) { return !(of & step_.access.writes).empty(); };
        if (is_read(after.bits))
            readers_.bits |= read;
        if (is_read(after.words))
            readers_.words |= read;
        if (is_read(after.halves))
            readers_.halves |= read;
    }

    void add_staging() {
        const valhall::OpInfo& info = valhall::op_info(step_.instr.op);
        for (unsigned k = 0; k < info.staging.size(); ++k) {
            const valhall::Staging& run = step_.instr.staging[k];
            if (!info.staging[k].read)
                continue;
            const unsigned floats = std::min<unsigned>(float_registers(step_, key_), run.count);
            known_ |= RegSet::run(run.base, run.count);
            readers_.words |= RegSet::run(run.base, floats);
            readers_.bits |= RegSet::run(run.base + floats, run.count - floats);
        }
    }

    const Step& step_;
    const KernelKey& key_;
    uint8_t carried_;
    RegSet known_;  ///< registers whose readers are known
    Readers readers_;
};

class NanBits {
public:
    NanBits(GuestProgram& program, const KernelKey& key, Cancellation cancellation)
        : program_(program)
        , key_(key)
        , cancellation_(cancellation)
        , before_(program.blocks.size())
        , carried_(find_sign_changes(program, cancellation)) {}

    void solve() {
        for (bool changed = true; changed && !cancellation_.requested();) {
            changed = false;
            for (auto b = static_cast<uint32_t>(before_.size()); b-- > 0;) {
                const Readers before = walk(b);
                changed |= !(before == before_[b]);
                before_[b] = before;
            }
        }
    }

private:
    /// Sets the flag of the block's steps, and returns how its registers are read.
    Readers walk(uint32_t b) {
        const Block& block = program_.blocks[b];
        Readers readers;
        program_.each_successor(b, [&](uint32_t to) { readers = readers | before_[to]; });
        for (uint32_t k = block.first + block.count; k-- > block.first;) {
            Step& step = program_.steps[k];
            const RegSet kept = partly_written(step);
            step.quiet_nans = shows_nans(step, kept, readers);
            const Readers before = StepReaders(step, key_, carried_[k]).before(readers);
            readers = (readers - (step.access.writes - kept)) | before;
        }
        return readers;
    }

    /// Whether a reader behind the step sees the bits of NaNs in its result.
    static bool shows_nans(const Step& step, RegSet kept, const Readers& after) {
        const bool halves = makes_halves(step.instr);
        RegSet seen = after.bits | (halves ? after.words : after.halves);
        seen |= (after.words | after.halves) & kept;  // what is written may be half of a word
        return !(seen & step.access.writes).empty();
    }

    GuestProgram& program_;
    const KernelKey& key_;
    Cancellation cancellation_;
    std::vector<Readers> before_;
    std::vector<uint8_t> carried_;  ///< by step (sign_changes.hpp)
};

}  // namespace

void find_nan_bits(GuestProgram& program, const KernelKey& key, Cancellation cancellation) {
    NanBits(program, key, cancellation).solve();
}

}  // namespace valkyr::jit
