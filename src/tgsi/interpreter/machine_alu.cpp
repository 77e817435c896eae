// Arithmetic handlers: the channel rules applied to the functions of machine_scalar_ops.cpp.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/arith/arith_wide.hpp"
#include "tgsi/interpreter/machine.hpp"

namespace valkyr::tgsi {

void Machine::component_wise(const Instruction& instr) {
    const ScalarOp op = handler_of(instr.opcode).scalar;
    for (const uint32_t lane : running_) {
        Word4 out{};
        for (unsigned c = 0; c < 4; ++c) {
            uint32_t s[Instruction::kMaxSrc] = {};
            for (unsigned i = 0; i < instr.src_count; ++i)
                s[i] = fetch(lane, instr, i, c);
            out[c] = op(s);
        }
        store(lane, instr, out);
    }
}

void Machine::replicated(const Instruction& instr) {
    const ScalarOp op = handler_of(instr.opcode).scalar;
    for (const uint32_t lane : running_) {
        uint32_t s[Instruction::kMaxSrc] = {};
        for (unsigned i = 0; i < instr.src_count; ++i)
            s[i] = fetch(lane, instr, i, 0);
        const uint32_t value = op(s);
        store(lane, instr, {value, value, value, value});
    }
}

uint32_t Machine::multiply_add(uint32_t a, uint32_t b, uint32_t c) const {
    return program_.zero_wins ? arith::fma_zero_wins(a, b, c) : arith::fma(a, b, c);
}

/// MUL, MAD, FMA, LRP: products that LEGACY_MATH_RULES changes. Products are sums with -0, which
/// keeps the sign of a zero product.
void Machine::multiply(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        Word4 out{};
        for (unsigned c = 0; c < 4; ++c) {
            const uint32_t a = fetch(lane, instr, 0, c);
            const uint32_t b = fetch(lane, instr, 1, c);
            if (instr.opcode == Opcode::MUL) {
                out[c] = multiply_add(a, b, arith::kNegZero);
                continue;
            }
            uint32_t add = fetch(lane, instr, 2, c);
            if (instr.opcode == Opcode::LRP)
                add = multiply_add(a ^ arith::kNegZero, add, add);
            out[c] = multiply_add(a, b, add);
        }
        store(lane, instr, out);
    }
}

/// DP2, DP3, DP4: the product of x, then one fused step for each further component.
void Machine::dot_product(const Instruction& instr) {
    const unsigned count = instr.opcode == Opcode::DP2 ? 2 : instr.opcode == Opcode::DP3 ? 3 : 4;
    for (const uint32_t lane : running_) {
        uint32_t sum = arith::kNegZero;
        for (unsigned c = 0; c < count; ++c)
            sum = multiply_add(fetch(lane, instr, 0, c), fetch(lane, instr, 1, c), sum);
        store(lane, instr, {sum, sum, sum, sum});
    }
}

void Machine::dst(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const Word4 a = fetch4(lane, instr, 0);
        const Word4 b = fetch4(lane, instr, 1);
        store(lane, instr, {arith::kOne, multiply_add(a[1], b[1], arith::kNegZero), a[2], b[3]});
    }
}

void Machine::lit(const Instruction& instr) {
    constexpr uint32_t k128 = 0x43000000;
    for (const uint32_t lane : running_) {
        const Word4 a = fetch4(lane, instr, 0);
        const uint32_t exponent = arith::min(arith::max(a[3], k128 ^ arith::kNegZero), k128);
        const uint32_t power = arith::pow(arith::max(a[1], 0), exponent);
        store(lane, instr,
              {arith::kOne, arith::max(a[0], 0), arith::less(0, a[0]) ? power : 0, arith::kOne});
    }
}

void Machine::exp(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const uint32_t a = fetch(lane, instr, 0, 0);
        const uint32_t down = arith::floor(a);
        store(lane, instr,
              {arith::exp2(down), arith::add(a, down ^ arith::kNegZero), arith::exp2(a),
               arith::kOne});
    }
}

void Machine::log(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const uint32_t a = fetch(lane, instr, 0, 0) & 0x7FFFFFFF;
        const uint32_t value = arith::log2(a);
        const uint32_t down = arith::floor(value);
        const uint32_t mantissa =
            multiply_add(a, arith::exp2(down ^ arith::kNegZero), arith::kNegZero);
        store(lane, instr, {down, mantissa, value, arith::kOne});
    }
}

namespace {

/// The integer of a normalised value times `scale`, for values limited to [low, 1].
uint32_t encode(uint32_t value, uint32_t low, uint32_t scale) {
    const uint32_t scaled = arith::mul(arith::clamp(value, low, arith::kOne), scale);
    return static_cast<uint32_t>(arith::to_int(scaled, arith::Round::Even));
}

constexpr uint32_t kMinusOne = 0xBF800000;
constexpr uint32_t k65535 = 0x477FFF00;
constexpr uint32_t k255 = 0x437F0000;
constexpr uint32_t k127 = 0x42FE0000;
// The reciprocals, rounded to nearest.
constexpr uint32_t k1Over65535 = 0x37800080;
constexpr uint32_t k1Over255 = 0x3B808081;
constexpr uint32_t k1Over127 = 0x3C010204;

uint32_t packed(Opcode opcode, const Word4& a) {
    uint32_t out = 0;
    switch (opcode) {
    case Opcode::PK2H:
        return arith::to_half(a[0]) | static_cast<uint32_t>(arith::to_half(a[1])) << 16;
    case Opcode::PK2US: return encode(a[0], 0, k65535) | encode(a[1], 0, k65535) << 16;
    case Opcode::PK4UB:
        for (unsigned c = 0; c < 4; ++c)
            out |= encode(a[c], 0, k255) << 8 * c;
        return out;
    default:
        for (unsigned c = 0; c < 4; ++c)
            out |= (encode(a[c], kMinusOne, k127) & 0xFF) << 8 * c;
        return out;
    }
}

Word4 unpacked(Opcode opcode, uint32_t a) {
    Word4 out{};
    for (unsigned c = 0; c < 4; ++c) {
        const uint32_t half = a >> 16 * (c & 1) & 0xFFFF;
        const uint32_t byte = a >> 8 * c & 0xFF;
        switch (opcode) {
        case Opcode::UP2H: out[c] = arith::from_half(static_cast<uint16_t>(half)); break;
        case Opcode::UP2US: out[c] = arith::mul(arith::from_uint(half), k1Over65535); break;
        case Opcode::UP4UB: out[c] = arith::mul(arith::from_uint(byte), k1Over255); break;
        default:
            out[c] = arith::max(arith::mul(arith::from_int(static_cast<int8_t>(byte)), k1Over127),
                                kMinusOne);
            break;
        }
    }
    return out;
}

}  // namespace

void Machine::pack(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const uint32_t value = packed(instr.opcode, fetch4(lane, instr, 0));
        store(lane, instr, {value, value, value, value});
    }
}

void Machine::unpack(const Instruction& instr) {
    for (const uint32_t lane : running_)
        store(lane, instr, unpacked(instr.opcode, fetch(lane, instr, 0, 0)));
}

template <typename F>
void Machine::by_pair(const Instruction& instr, unsigned pairs, uint8_t mask, F put) {
    const OpcodeInfo& info = opcode_info(instr.opcode);
    const WideOp op = handler_of(instr.opcode).wide;
    for (const uint32_t lane : running_) {
        Word4 out{};
        for (unsigned pair = 0; pair < pairs; ++pair) {
            uint64_t s[Instruction::kMaxSrc] = {};
            for (unsigned i = 0; i < instr.src_count; ++i) {
                // 32-bit operands go by component: x and y; the exponent of DLDEXP is in x and z.
                const unsigned component = instr.opcode == Opcode::DLDEXP ? 2 * pair : pair;
                s[i] = is_wide(info.src_types[i]) ? fetch_wide(lane, instr, i, pair)
                                                  : fetch(lane, instr, i, component);
            }
            put(out, pair, op(s));
        }
        store(lane, instr, out, mask);
    }
}

void Machine::wide(const Instruction& instr) {
    by_pair(instr, 2, 0xF, [](Word4& out, unsigned pair, uint64_t value) {
        out[2 * pair] = static_cast<uint32_t>(value);
        out[2 * pair + 1] = static_cast<uint32_t>(value >> 32);
    });
}

void Machine::wide_compare(const Instruction& instr) {
    by_pair(instr, 2, 0x5, [](Word4& out, unsigned pair, uint64_t value) {
        out[2 * pair] = static_cast<uint32_t>(value);
    });
}

void Machine::narrow(const Instruction& instr) {
    const unsigned first = (instr.dst[0].write_mask & 1) != 0 ? 0 : 1;
    by_pair(instr, 2 - first, 0x3, [first](Word4& out, unsigned pair, uint64_t value) {
        out[first + pair] = static_cast<uint32_t>(value);
    });
}

/// The mantissa of the pair xy in xy and zw, its exponent in every component.
void Machine::dfracexp(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        int32_t exponent = 0;
        const uint64_t mantissa = arith::dfrexp(fetch_wide(lane, instr, 0, 0), exponent);
        const auto low = static_cast<uint32_t>(mantissa);
        const auto high = static_cast<uint32_t>(mantissa >> 32);
        const auto e = static_cast<uint32_t>(exponent);
        store(lane, instr, {low, high, low, high}, 0xF, 0);
        store(lane, instr, {e, e, e, e}, 0xF, 1);
    }
}

}  // namespace valkyr::tgsi
