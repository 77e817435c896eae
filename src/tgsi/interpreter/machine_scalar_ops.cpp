// Scalar operations: name the functions of component-wise, replicated and 64-bit opcodes.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/arith/arith_int.hpp"
#include "tgsi/arith/arith_wide.hpp"
#include "tgsi/interpreter/machine.hpp"

namespace valkyr::tgsi {

namespace {

using Words = const uint32_t*;
using Wides = const uint64_t*;
using arith::Round;

uint32_t to_mask(bool value) {
    return value ? arith::kAllOnes : 0;
}
uint32_t to_float(bool value) {
    return value ? arith::kOne : 0;
}
int32_t sint(uint32_t a) {
    return static_cast<int32_t>(a);
}
int64_t sint(uint64_t a) {
    return static_cast<int64_t>(a);
}
uint32_t bits(int32_t a) {
    return static_cast<uint32_t>(a);
}

uint32_t sign(uint32_t a) {
    return arith::less(0, a) ? arith::kOne : arith::less(a, 0) ? 0xBF800000 : 0;
}

struct ScalarRow {
    Opcode opcode;
    Machine::ScalarOp run;
};

struct WideRow {
    Opcode opcode;
    Machine::WideOp run;
};

// clang-format off
constexpr ScalarRow kScalarRows[] = {
    {Opcode::ARL,   [](Words s) { return bits(arith::to_int(s[0], Round::Down)); }},
    {Opcode::ARR,   [](Words s) { return bits(arith::to_int(s[0], Round::Even)); }},
    {Opcode::UARL,  [](Words s) { return s[0]; }},
    {Opcode::MOV,   [](Words s) { return s[0]; }},
    {Opcode::RCP,   [](Words s) { return arith::rcp(s[0]); }},
    {Opcode::RSQ,   [](Words s) { return arith::rsq(s[0]); }},
    {Opcode::SQRT,  [](Words s) { return arith::sqrt(s[0]); }},
    {Opcode::EX2,   [](Words s) { return arith::exp2(s[0]); }},
    {Opcode::LG2,   [](Words s) { return arith::log2(s[0]); }},
    {Opcode::POW,   [](Words s) { return arith::pow(s[0], s[1]); }},
    {Opcode::SIN,   [](Words s) { return arith::sin(s[0]); }},
    {Opcode::COS,   [](Words s) { return arith::cos(s[0]); }},
    {Opcode::ADD,   [](Words s) { return arith::add(s[0], s[1]); }},
    {Opcode::DIV,   [](Words s) { return arith::div(s[0], s[1]); }},
    {Opcode::MIN,   [](Words s) { return arith::min(s[0], s[1]); }},
    {Opcode::MAX,   [](Words s) { return arith::max(s[0], s[1]); }},
    {Opcode::SLT,   [](Words s) { return to_float(arith::less(s[0], s[1])); }},
    {Opcode::SGE,   [](Words s) { return to_float(arith::greater_equal(s[0], s[1])); }},
    {Opcode::SEQ,   [](Words s) { return to_float(arith::equal(s[0], s[1])); }},
    {Opcode::SNE,   [](Words s) { return to_float(!arith::equal(s[0], s[1])); }},
    {Opcode::SGT,   [](Words s) { return to_float(arith::less(s[1], s[0])); }},
    {Opcode::SLE,   [](Words s) { return to_float(arith::greater_equal(s[1], s[0])); }},
    {Opcode::FSLT,  [](Words s) { return to_mask(arith::less(s[0], s[1])); }},
    {Opcode::FSGE,  [](Words s) { return to_mask(arith::greater_equal(s[0], s[1])); }},
    {Opcode::FSEQ,  [](Words s) { return to_mask(arith::equal(s[0], s[1])); }},
    {Opcode::FSNE,  [](Words s) { return to_mask(!arith::equal(s[0], s[1])); }},
    {Opcode::CMP,   [](Words s) { return arith::less(s[0], 0) ? s[1] : s[2]; }},
    {Opcode::FRC,   [](Words s) { return arith::add(s[0], arith::floor(s[0]) ^ arith::kNegZero); }},
    {Opcode::FLR,   [](Words s) { return arith::floor(s[0]); }},
    {Opcode::CEIL,  [](Words s) { return arith::ceil(s[0]); }},
    {Opcode::TRUNC, [](Words s) { return arith::trunc(s[0]); }},
    {Opcode::ROUND, [](Words s) { return arith::round_even(s[0]); }},
    {Opcode::SSG,   [](Words s) { return sign(s[0]); }},
    {Opcode::LDEXP, [](Words s) { return arith::ldexp(s[0], sint(s[1])); }},
    {Opcode::I2F,   [](Words s) { return arith::from_int(sint(s[0])); }},
    {Opcode::U2F,   [](Words s) { return arith::from_uint(s[0]); }},
    {Opcode::F2I,   [](Words s) { return bits(arith::to_int(s[0], Round::Zero)); }},
    {Opcode::F2U,   [](Words s) { return arith::to_uint(s[0], Round::Zero); }},
    {Opcode::UADD,  [](Words s) { return s[0] + s[1]; }},
    {Opcode::UMUL,  [](Words s) { return s[0] * s[1]; }},
    {Opcode::UMAD,  [](Words s) { return s[0] * s[1] + s[2]; }},
    {Opcode::IMUL_HI, [](Words s) { return arith::imul_hi(s[0], s[1]); }},
    {Opcode::UMUL_HI, [](Words s) { return arith::umul_hi(s[0], s[1]); }},
    {Opcode::IDIV,  [](Words s) { return arith::idiv(s[0], s[1]); }},
    {Opcode::MOD,   [](Words s) { return arith::imod(s[0], s[1]); }},
    {Opcode::UDIV,  [](Words s) { return arith::udiv(s[0], s[1]); }},
    {Opcode::UMOD,  [](Words s) { return arith::umod(s[0], s[1]); }},
    {Opcode::NOT,   [](Words s) { return ~s[0]; }},
    {Opcode::AND,   [](Words s) { return s[0] & s[1]; }},
    {Opcode::OR,    [](Words s) { return s[0] | s[1]; }},
    {Opcode::XOR,   [](Words s) { return s[0] ^ s[1]; }},
    {Opcode::SHL,   [](Words s) { return arith::shl(s[0], s[1]); }},
    {Opcode::USHR,  [](Words s) { return arith::ushr(s[0], s[1]); }},
    {Opcode::ISHR,  [](Words s) { return arith::ishr(s[0], s[1]); }},
    {Opcode::IMAX,  [](Words s) { return sint(s[0]) > sint(s[1]) ? s[0] : s[1]; }},
    {Opcode::IMIN,  [](Words s) { return sint(s[0]) < sint(s[1]) ? s[0] : s[1]; }},
    {Opcode::UMAX,  [](Words s) { return s[0] > s[1] ? s[0] : s[1]; }},
    {Opcode::UMIN,  [](Words s) { return s[0] < s[1] ? s[0] : s[1]; }},
    {Opcode::ISLT,  [](Words s) { return to_mask(sint(s[0]) < sint(s[1])); }},
    {Opcode::ISGE,  [](Words s) { return to_mask(sint(s[0]) >= sint(s[1])); }},
    {Opcode::USLT,  [](Words s) { return to_mask(s[0] < s[1]); }},
    {Opcode::USGE,  [](Words s) { return to_mask(s[0] >= s[1]); }},
    {Opcode::USEQ,  [](Words s) { return to_mask(s[0] == s[1]); }},
    {Opcode::USNE,  [](Words s) { return to_mask(s[0] != s[1]); }},
    {Opcode::INEG,  [](Words s) { return 0 - s[0]; }},
    {Opcode::IABS,  [](Words s) { return arith::iabs(s[0]); }},
    {Opcode::ISSG,  [](Words s) { return arith::isign(s[0]); }},
    {Opcode::UCMP,  [](Words s) { return s[0] != 0 ? s[1] : s[2]; }},
    {Opcode::IBFE,  [](Words s) { return arith::ibfe(s[0], s[1], s[2]); }},
    {Opcode::UBFE,  [](Words s) { return arith::ubfe(s[0], s[1], s[2]); }},
    {Opcode::BFI,   [](Words s) { return arith::bfi(s[0], s[1], s[2], s[3]); }},
    {Opcode::BREV,  [](Words s) { return arith::reverse_bits(s[0]); }},
    {Opcode::POPC,  [](Words s) { return static_cast<uint32_t>(__builtin_popcount(s[0])); }},
    {Opcode::LSB,   [](Words s) { return arith::lowest_bit(s[0]); }},
    {Opcode::IMSB,  [](Words s) { return arith::highest_non_sign_bit(s[0]); }},
    {Opcode::UMSB,  [](Words s) { return arith::highest_bit(s[0]); }},
};

constexpr WideRow kWideRows[] = {
    {Opcode::F2D,   [](Wides s) { return arith::double_from_float(static_cast<uint32_t>(s[0])); }},
    {Opcode::I2D,   [](Wides s) { return arith::double_from_int(static_cast<int32_t>(s[0])); }},
    {Opcode::U2D,   [](Wides s) { return arith::double_from_uint(static_cast<uint32_t>(s[0])); }},
    {Opcode::D2F,   [](Wides s) { return uint64_t{arith::double_to_float(s[0])}; }},
    {Opcode::D2I,   [](Wides s) { return uint64_t{bits(arith::double_to_int(s[0]))}; }},
    {Opcode::D2U,   [](Wides s) { return uint64_t{arith::double_to_uint(s[0])}; }},
    {Opcode::DABS,  [](Wides s) { return s[0] & INT64_MAX; }},
    {Opcode::DNEG,  [](Wides s) { return s[0] ^ (uint64_t{1} << 63); }},
    {Opcode::DRCP,  [](Wides s) { return arith::ddiv(0x3FF0000000000000, s[0]); }},
    {Opcode::DSQRT, [](Wides s) { return arith::dsqrt(s[0]); }},
    {Opcode::DRSQ,  [](Wides s) { return arith::drsq(s[0]); }},
    {Opcode::DFRAC, [](Wides s) { return arith::dfrac(s[0]); }},
    {Opcode::DTRUNC, [](Wides s) { return arith::dtrunc(s[0]); }},
    {Opcode::DCEIL, [](Wides s) { return arith::dceil(s[0]); }},
    {Opcode::DFLR,  [](Wides s) { return arith::dfloor(s[0]); }},
    {Opcode::DROUND, [](Wides s) { return arith::dround(s[0]); }},
    {Opcode::DSSG,  [](Wides s) { return arith::dsign(s[0]); }},
    {Opcode::DADD,  [](Wides s) { return arith::dadd(s[0], s[1]); }},
    {Opcode::DMUL,  [](Wides s) { return arith::dmul(s[0], s[1]); }},
    {Opcode::DDIV,  [](Wides s) { return arith::ddiv(s[0], s[1]); }},
    {Opcode::DMAX,  [](Wides s) { return arith::dmax(s[0], s[1]); }},
    {Opcode::DMIN,  [](Wides s) { return arith::dmin(s[0], s[1]); }},
    {Opcode::DMAD,  [](Wides s) { return arith::dadd(arith::dmul(s[0], s[1]), s[2]); }},
    {Opcode::DFMA,  [](Wides s) { return arith::dfma(s[0], s[1], s[2]); }},
    {Opcode::DSLT,  [](Wides s) { return uint64_t{to_mask(arith::dless(s[0], s[1]))}; }},
    {Opcode::DSGE,  [](Wides s) { return uint64_t{to_mask(arith::dgreater_equal(s[0], s[1]))}; }},
    {Opcode::DSEQ,  [](Wides s) { return uint64_t{to_mask(arith::dequal(s[0], s[1]))}; }},
    {Opcode::DSNE,  [](Wides s) { return uint64_t{to_mask(!arith::dequal(s[0], s[1]))}; }},
    {Opcode::DLDEXP, [](Wides s) { return arith::dldexp(s[0], static_cast<int32_t>(s[1])); }},
    {Opcode::F2U64, [](Wides s) { return arith::float_to_uint64(static_cast<uint32_t>(s[0])); }},
    {Opcode::F2I64, [](Wides s) { return arith::float_to_int64(static_cast<uint32_t>(s[0])); }},
    {Opcode::U2I64, [](Wides s) { return s[0]; }},
    {Opcode::I2I64, [](Wides s) { return static_cast<uint64_t>(int64_t{static_cast<int32_t>(s[0])}); }},
    {Opcode::D2U64, [](Wides s) { return arith::double_to_uint64(s[0]); }},
    {Opcode::D2I64, [](Wides s) { return static_cast<uint64_t>(arith::double_to_int64(s[0])); }},
    {Opcode::U642F, [](Wides s) { return uint64_t{arith::float_from_uint64(s[0])}; }},
    {Opcode::I642F, [](Wides s) { return uint64_t{arith::float_from_int64(sint(s[0]))}; }},
    {Opcode::U642D, [](Wides s) { return arith::double_from_uint64(s[0]); }},
    {Opcode::I642D, [](Wides s) { return arith::double_from_int64(sint(s[0])); }},
    {Opcode::I64ABS, [](Wides s) { return sint(s[0]) < 0 ? 0 - s[0] : s[0]; }},
    {Opcode::I64SSG, [](Wides s) { return sint(s[0]) < 0 ? UINT64_MAX : uint64_t{s[0] != 0}; }},
    {Opcode::I64NEG, [](Wides s) { return 0 - s[0]; }},
    {Opcode::U64ADD, [](Wides s) { return s[0] + s[1]; }},
    {Opcode::U64MUL, [](Wides s) { return s[0] * s[1]; }},
    {Opcode::U64MIN, [](Wides s) { return s[0] < s[1] ? s[0] : s[1]; }},
    {Opcode::U64MAX, [](Wides s) { return s[0] > s[1] ? s[0] : s[1]; }},
    {Opcode::U64DIV, [](Wides s) { return arith::udiv64(s[0], s[1]); }},
    {Opcode::U64MOD, [](Wides s) { return arith::umod64(s[0], s[1]); }},
    {Opcode::I64MIN, [](Wides s) { return sint(s[0]) < sint(s[1]) ? s[0] : s[1]; }},
    {Opcode::I64MAX, [](Wides s) { return sint(s[0]) > sint(s[1]) ? s[0] : s[1]; }},
    {Opcode::I64DIV, [](Wides s) { return arith::idiv64(s[0], s[1]); }},
    {Opcode::I64MOD, [](Wides s) { return arith::imod64(s[0], s[1]); }},
    {Opcode::U64SHL, [](Wides s) { return s[0] << (s[1] & 63); }},
    {Opcode::U64SHR, [](Wides s) { return s[0] >> (s[1] & 63); }},
    {Opcode::I64SHR, [](Wides s) { return static_cast<uint64_t>(sint(s[0]) >> (s[1] & 63)); }},
    {Opcode::U64SEQ, [](Wides s) { return uint64_t{to_mask(s[0] == s[1])}; }},
    {Opcode::U64SNE, [](Wides s) { return uint64_t{to_mask(s[0] != s[1])}; }},
    {Opcode::U64SLT, [](Wides s) { return uint64_t{to_mask(s[0] < s[1])}; }},
    {Opcode::U64SGE, [](Wides s) { return uint64_t{to_mask(s[0] >= s[1])}; }},
    {Opcode::I64SLT, [](Wides s) { return uint64_t{to_mask(sint(s[0]) < sint(s[1]))}; }},
    {Opcode::I64SGE, [](Wides s) { return uint64_t{to_mask(sint(s[0]) >= sint(s[1]))}; }},
};
// clang-format on

template <typename Op, size_t N, typename Row>
constexpr std::array<Op, kOpcodeCount> by_opcode(const Row (&rows)[N]) {
    std::array<Op, kOpcodeCount> table{};
    for (const Row& row : rows)
        table[static_cast<size_t>(row.opcode)] = row.run;
    return table;
}

constexpr auto kScalars = by_opcode<Machine::ScalarOp>(kScalarRows);
constexpr auto kWides = by_opcode<Machine::WideOp>(kWideRows);

}  // namespace

Machine::ScalarOp scalar_op(Opcode opcode) {
    return kScalars[static_cast<size_t>(opcode)];
}

Machine::WideOp wide_op(Opcode opcode) {
    return kWides[static_cast<size_t>(opcode)];
}

}  // namespace valkyr::tgsi
