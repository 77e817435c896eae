// Atomic functions: execute ATOM*, lanes in ascending order.
// SPDX-License-Identifier: MIT
//
// Helpers and address 0 change nothing and return 0.
#include "exec/thread_storage.hpp"
#include "valhall/arith/atomic_update.hpp"
#include "valhall/interpreter/interpret.hpp"
#include "valhall/interpreter/interpret_memory.hpp"

namespace valkyr::valhall::interpret {

namespace {

/// The operation and operand of an atomic whose mnemonic says "with 1".
struct WithOne {
    AtomicOperation operation;
    int operand;
};

WithOne with_one(AtomicOperationWith1 operation) {
    switch (operation) {
    case AtomicOperationWith1::ainc: return {AtomicOperation::aadd, 1};
    case AtomicOperationWith1::adec: return {AtomicOperation::aadd, -1};
    case AtomicOperationWith1::aumax1: return {AtomicOperation::aumax, 1};
    case AtomicOperationWith1::asmax1: return {AtomicOperation::asmax, 1};
    case AtomicOperationWith1::aor1: return {AtomicOperation::aor, 1};
    }
    return {AtomicOperation::aadd, 0};
}

/// Element `index` (in units of U) of a staging run, one lane.
template <typename U>
U staged(const Machine& m, const Staging& run, unsigned index, unsigned lane) {
    constexpr unsigned words = sizeof(U) / 4;
    U value = 0;
    for (unsigned k = words; k-- > 0;) {
        const unsigned reg = (run.base + index * words + k) % exec::kRegisters;
        value = static_cast<U>(uint64_t{value} << (words > 1 ? 32 : 0) | m.state.r[reg].v[lane]);
    }
    return value;
}

/// Runs f(memory, lane) -> old value for every lane whose effects count, in ascending order, and
/// returns the old values; 0 for the others.
template <typename U, typename F>
Pair for_each_lane(Machine& m, const Instr& i, F f) {
    const Pair base = widen64(m, i.src[0], false);
    const uint16_t lanes = effect_lanes(m, false);
    Pair old{};
    for (unsigned l = 0; l < kLanes; ++l) {
        if (!(lanes >> l & 1) || base.lane(l) == 0)
            continue;
        const uint64_t address = base.lane(l) + static_cast<uint64_t>(i.imm[0]);
        if (!accessible(m, i, address, sizeof(U), sizeof(U)))
            return old;
        observe(m, LaneAccess::Kind::Atomic, l, address, sizeof(U));
        old.set_lane(l, exec::update_memory<U>(m.call.tls, l, address,
                                               [&](U* memory) { return f(memory, l); }));
    }
    return old;
}

template <typename U>
void write_old(Machine& m, const Staging& run, const Pair& old) {
    if (run.count > 0)
        write_register(m, run.base, old.low);
    if (sizeof(U) == 8 && run.count > 1)
        write_register(m, run.base + 1U, old.high);
}

template <typename U>
void atom(Machine& m, const Instr& i) {
    const auto operation = i.get<AtomicOperation>(Mod::atom_opc);
    for_each_lane<U>(m, i, [&](U* memory, unsigned l) {
        return atomic_update<U>(memory, operation, staged<U>(m, i.staging[0], 0, l));
    });
}

template <typename U>
void atom_return(Machine& m, const Instr& i) {
    const auto operation = i.get<AtomicOperation>(Mod::atom_opc);
    const Staging& in = i.staging[1];
    const bool compare = i.mod(Mod::compare);
    write_old<U>(m, i.staging[0], for_each_lane<U>(m, i, [&](U* memory, unsigned l) {
                     const U operand = staged<U>(m, in, 0, l);
                     return compare ? atomic_compare_exchange<U>(memory, operand,
                                                                 staged<U>(m, in, 1, l))
                                    : atomic_update<U>(memory, operation, operand);
                 }));
}

template <typename U>
void atom1_return(Machine& m, const Instr& i) {
    const WithOne one = with_one(i.get<AtomicOperationWith1>(Mod::atom_opc_1));
    write_old<U>(m, i.staging[0], for_each_lane<U>(m, i, [&](U* memory, unsigned) {
                     return atomic_update<U>(memory, one.operation,
                                             static_cast<U>(static_cast<int64_t>(one.operand)));
                 }));
}

}  // namespace

VALKYR_INTERPRET_AS(ATOM_I32, atom<uint32_t>(m, i))
VALKYR_INTERPRET_AS(ATOM_I64, atom<uint64_t>(m, i))
VALKYR_INTERPRET_AS(ATOM_RETURN_I32, atom_return<uint32_t>(m, i))
VALKYR_INTERPRET_AS(ATOM_RETURN_I64, atom_return<uint64_t>(m, i))
VALKYR_INTERPRET_AS(ATOM1_RETURN_I32, atom1_return<uint32_t>(m, i))
VALKYR_INTERPRET_AS(ATOM1_RETURN_I64, atom1_return<uint64_t>(m, i))

}  // namespace valkyr::valhall::interpret
