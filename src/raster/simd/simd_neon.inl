// Vector types: implement sixteen lanes as four NEON registers, with the bits of simd_generic.inl.
// SPDX-License-Identifier: MIT
//
// Included by simd.hpp inside the namespace of a level.

/// Registers of the host that one vector takes.
inline constexpr int kVectorRegisters = 4;

struct I32 {
    int32x4_t q[4];
    static I32 load(const int32_t* p) {
        return {{vld1q_s32(p), vld1q_s32(p + 4), vld1q_s32(p + 8), vld1q_s32(p + 12)}};
    }
    static I32 set1(int32_t a) {
        const int32x4_t all = vdupq_n_s32(a);
        return {{all, all, all, all}};
    }
    void store(int32_t* p) const {
        for (int k = 0; k < 4; ++k)
            vst1q_s32(p + 4 * k, q[k]);
    }
};
struct F32 {
    float32x4_t q[4];
    static F32 load(const float* p) {
        return {{vld1q_f32(p), vld1q_f32(p + 4), vld1q_f32(p + 8), vld1q_f32(p + 12)}};
    }
    static F32 set1(float a) {
        const float32x4_t all = vdupq_n_f32(a);
        return {{all, all, all, all}};
    }
    void store(float* p) const {
        for (int k = 0; k < 4; ++k)
            vst1q_f32(p + 4 * k, q[k]);
    }
};

/// Evaluates the expression for each register k.
#define VALKYR_REGISTERS(type, expression)                                                         \
    type r;                                                                                        \
    for (int k = 0; k < 4; ++k)                                                                    \
        r.q[k] = (expression);                                                                     \
    return r
#define VALKYR_BINARY(type, name, intrinsic)                                                       \
    inline type name(const type& a, const type& b) {                                               \
        VALKYR_REGISTERS(type, intrinsic(a.q[k], b.q[k]));                                         \
    }
VALKYR_BINARY(I32, operator+, vaddq_s32)
VALKYR_BINARY(I32, operator-, vsubq_s32)
VALKYR_BINARY(I32, operator*, vmulq_s32)
VALKYR_BINARY(I32, operator|, vorrq_s32)
VALKYR_BINARY(I32, operator&, vandq_s32)
VALKYR_BINARY(I32, min, vminq_s32)
VALKYR_BINARY(I32, max, vmaxq_s32)
VALKYR_BINARY(F32, operator+, vaddq_f32)
VALKYR_BINARY(F32, operator-, vsubq_f32)
VALKYR_BINARY(F32, operator*, vmulq_f32)
VALKYR_BINARY(F32, operator/, vdivq_f32)
#undef VALKYR_BINARY

/// FMIN and FMAX treat NaN and the signs of zeros differently from MINPS.
inline F32 min(const F32& a, const F32& b) {
    VALKYR_REGISTERS(F32, vbslq_f32(vcltq_f32(a.q[k], b.q[k]), a.q[k], b.q[k]));
}
inline F32 max(const F32& a, const F32& b) {
    VALKYR_REGISTERS(F32, vbslq_f32(vcgtq_f32(a.q[k], b.q[k]), a.q[k], b.q[k]));
}

template <int N>
inline I32 shift_right(const I32& a) {
    VALKYR_REGISTERS(I32, vshlq_s32(a.q[k], vdupq_n_s32(-N)));
}
template <int N>
inline I32 shift_left(const I32& a) {
    VALKYR_REGISTERS(I32, vshlq_n_s32(a.q[k], N));
}
inline I32 shift_up(const I32& a, uint32_t count) {
    const int32x4_t n = vdupq_n_s32(static_cast<int32_t>(count));
    VALKYR_REGISTERS(I32, vshlq_s32(a.q[k], n));
}
inline I32 shift_down(const I32& a, uint32_t count) {
    const int32x4_t n = vdupq_n_s32(-static_cast<int32_t>(count));
    VALKYR_REGISTERS(I32, vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a.q[k]), n)));
}
inline I32 shift_down_signed(const I32& a, uint32_t count) {
    const int32x4_t n = vdupq_n_s32(-static_cast<int32_t>(count));
    VALKYR_REGISTERS(I32, vshlq_s32(a.q[k], n));
}

inline uint32x4_t words_of(int32x4_t a) {
    return vreinterpretq_u32_s32(a);
}
inline int32x4_t numbers_of(uint32x4_t a) {
    return vreinterpretq_s32_u32(a);
}
inline uint32x4_t lane_bits() {
    static constexpr uint32_t kBits[4] = {1, 2, 4, 8};
    return vld1q_u32(kBits);
}
/// Returns all ones in the lanes of register k whose bit is set.
inline uint32x4_t expand(uint32_t mask, int k) {
    return vtstq_u32(vdupq_n_u32(mask >> 4 * k), lane_bits());
}
inline F32 select(uint32_t mask, const F32& a, const F32& b) {
    VALKYR_REGISTERS(F32, vbslq_f32(expand(mask, k), b.q[k], a.q[k]));
}
inline I32 select(uint32_t mask, const I32& a, const I32& b) {
    VALKYR_REGISTERS(I32, vbslq_s32(expand(mask, k), b.q[k], a.q[k]));
}

inline F32 fma(const F32& a, const F32& b, const F32& c) {
    VALKYR_REGISTERS(F32, vfmaq_f32(c.q[k], a.q[k], b.q[k]));
}
inline F32 difference_of_products(const F32& a, const F32& b, const F32& c, const F32& d) {
    VALKYR_REGISTERS(F32, vfmaq_f32(vnegq_f32(vmulq_f32(c.q[k], d.q[k])), a.q[k], b.q[k]));
}
inline F32 negate(const F32& a) {
    VALKYR_REGISTERS(F32, vnegq_f32(a.q[k]));
}
inline F32 to_float(const I32& a) {
    VALKYR_REGISTERS(F32, vcvtq_f32_s32(a.q[k]));
}
inline I32 to_int(const F32& a) {
    VALKYR_REGISTERS(I32, vcvtnq_s32_f32(a.q[k]));
}
inline F32 absolute(const F32& a) {
    VALKYR_REGISTERS(F32, vabsq_f32(a.q[k]));
}
inline I32 as_int(const F32& a) {
    VALKYR_REGISTERS(I32, vreinterpretq_s32_f32(a.q[k]));
}
inline F32 as_float(const I32& a) {
    VALKYR_REGISTERS(F32, vreinterpretq_f32_s32(a.q[k]));
}
/// The processor converts half floats in the low 16 bits; NaN keep some of their bits.
#define VALKYR_HAS_HALVES 1
inline F32 widen_half(const I32& a) {
    VALKYR_REGISTERS(F32, vcvt_f32_f16(vreinterpret_f16_u16(vmovn_u32(words_of(a.q[k])))));
}
inline I32 narrow_half(const F32& a) {
    VALKYR_REGISTERS(I32, numbers_of(vmovl_u16(vreinterpret_u16_f16(vcvt_f16_f32(a.q[k])))));
}

/// Returns the mask of lanes that are all ones; the others are 0.
inline uint32_t lane_mask(const uint32x4_t (&m)[4]) {
    const uint16x8_t low = vcombine_u16(vmovn_u32(m[0]), vmovn_u32(m[1]));
    const uint16x8_t high = vcombine_u16(vmovn_u32(m[2]), vmovn_u32(m[3]));
    static constexpr uint8_t kBits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vandq_u8(vcombine_u8(vmovn_u16(low), vmovn_u16(high)), vld1q_u8(kBits));
    return static_cast<uint32_t>(vaddv_u8(vget_low_u8(bits))) |
           static_cast<uint32_t>(vaddv_u8(vget_high_u8(bits))) << 8;
}
#define VALKYR_COMPARE(type, name, intrinsic)                                                      \
    inline uint32_t name(const type& a, const type& b) {                                           \
        return lane_mask({intrinsic(a.q[0], b.q[0]), intrinsic(a.q[1], b.q[1]),                    \
                          intrinsic(a.q[2], b.q[2]), intrinsic(a.q[3], b.q[3])});                  \
    }
VALKYR_COMPARE(I32, less, vcltq_s32)
VALKYR_COMPARE(I32, equal, vceqq_s32)
VALKYR_COMPARE(F32, less, vcltq_f32)
VALKYR_COMPARE(F32, greater_equal, vcgeq_f32)
VALKYR_COMPARE(F32, equal, vceqq_f32)
#undef VALKYR_COMPARE
inline uint32_t negative(const I32& a) {
    return less(a, I32::set1(0));
}

/// Computes (a * b + c * d - bias) >> 8 in two lanes, limited to 32 bits.
inline int32x2_t
edge_constant_2(int32x2_t a, int32x2_t b, int32x2_t c, int32x2_t d, int32x2_t bias) {
    const int64x2_t sum = vsubw_s32(vmlal_s32(vmull_s32(a, b), c, d), bias);
    return vqmovn_s64(vshrq_n_s64(sum, 8));
}
inline I32
edge_constant(const I32& a, const I32& b, const I32& dx, const I32& dy, const I32& bias) {
    const int32x4_t low = vdupq_n_s32(static_cast<int32_t>(kEdgeMin));
    const int32x4_t high = vdupq_n_s32(static_cast<int32_t>(kEdgeMax));
    I32 r;
    for (int k = 0; k < 4; ++k) {
        const int32x2_t first =
            edge_constant_2(vget_low_s32(a.q[k]), vget_low_s32(dx.q[k]), vget_low_s32(b.q[k]),
                            vget_low_s32(dy.q[k]), vget_low_s32(bias.q[k]));
        const int32x2_t second =
            edge_constant_2(vget_high_s32(a.q[k]), vget_high_s32(dx.q[k]), vget_high_s32(b.q[k]),
                            vget_high_s32(dy.q[k]), vget_high_s32(bias.q[k]));
        r.q[k] = vminq_s32(vmaxq_s32(vcombine_s32(first, second), low), high);
    }
    return r;
}

/// Doubles hold the difference exactly: it is less than 2^48.
inline float32x2_t cross_2(int32x2_t ax, int32x2_t ay, int32x2_t bx, int32x2_t by) {
    return vcvt_f32_f64(vcvtq_f64_s64(vmlsl_s32(vmull_s32(ax, by), bx, ay)));
}
inline F32 cross(const I32& ax, const I32& ay, const I32& bx, const I32& by) {
    VALKYR_REGISTERS(F32, vcombine_f32(cross_2(vget_low_s32(ax.q[k]), vget_low_s32(ay.q[k]),
                                               vget_low_s32(bx.q[k]), vget_low_s32(by.q[k])),
                                       cross_2(vget_high_s32(ax.q[k]), vget_high_s32(ay.q[k]),
                                               vget_high_s32(bx.q[k]), vget_high_s32(by.q[k]))));
}

/// Transposes rows of four words to columns, or back.
inline void transpose_rows(const int32x4_t r[4], int32x4_t out[4]) {
    const int32x4_t a = vtrn1q_s32(r[0], r[1]);
    const int32x4_t b = vtrn2q_s32(r[0], r[1]);
    const int32x4_t c = vtrn1q_s32(r[2], r[3]);
    const int32x4_t d = vtrn2q_s32(r[2], r[3]);
    const auto pair = [](int32x4_t x) { return vreinterpretq_s64_s32(x); };
    out[0] = vreinterpretq_s32_s64(vtrn1q_s64(pair(a), pair(c)));
    out[1] = vreinterpretq_s32_s64(vtrn1q_s64(pair(b), pair(d)));
    out[2] = vreinterpretq_s32_s64(vtrn2q_s64(pair(a), pair(c)));
    out[3] = vreinterpretq_s32_s64(vtrn2q_s64(pair(b), pair(d)));
}
inline int32x4_t load_row(const void* p) {
    return vreinterpretq_s32_u8(vld1q_u8(static_cast<const uint8_t*>(p)));
}
template <typename RowAt>
inline void gather_columns(const RowAt& row_at, I32 (&columns)[4]) {
    for (int k = 0; k < 4; ++k) {
        int32x4_t rows[4];
        for (int i = 0; i < 4; ++i)
            rows[i] = load_row(row_at(4 * k + i));
        int32x4_t out[4];
        transpose_rows(rows, out);
        for (int c = 0; c < 4; ++c)
            columns[c].q[k] = out[c];
    }
}

template <typename RowAt>
inline void gather_rows(const RowAt& row_at, I32& x, I32& y, F32& z, F32& q) {
    I32 columns[4];
    gather_columns(row_at, columns);
    x = columns[0];
    y = columns[1];
    z = as_float(columns[2]);
    q = as_float(columns[3]);
}

inline void load_positions(const uint8_t* p, size_t stride, F32& x, F32& y, F32& z, F32& w) {
    I32 columns[4];
    gather_columns([&](int i) { return p + static_cast<size_t>(i) * stride; }, columns);
    x = as_float(columns[0]);
    y = as_float(columns[1]);
    z = as_float(columns[2]);
    w = as_float(columns[3]);
}

inline void
store_rows(void* first, size_t stride, const I32& x, const I32& y, const F32& z, const F32& q) {
    for (size_t k = 0; k < 4; ++k) {
        const int32x4_t columns[4] = {x.q[k], y.q[k], vreinterpretq_s32_f32(z.q[k]),
                                      vreinterpretq_s32_f32(q.q[k])};
        int32x4_t rows[4];
        transpose_rows(columns, rows);
        for (size_t i = 0; i < 4; ++i)
            vst1q_u8(static_cast<uint8_t*>(first) + (4 * k + i) * stride,
                     vreinterpretq_u8_s32(rows[i]));
    }
}

/// NEON has no gather instruction: each lane is one load.
inline I32 gather(const uint8_t* base, const I32& offsets) {
    alignas(16) int32_t at[16];
    alignas(16) int32_t words[16];
    offsets.store(at);
    for (int i = 0; i < 16; ++i)
        __builtin_memcpy(words + i, base + at[i], sizeof(int32_t));
    return I32::load(words);
}

/// A byte number in the table is four times the lane number, plus 0 to 3.
inline I32 permute(const I32& table, const I32& index) {
    uint8x16x4_t bytes;
    for (int k = 0; k < 4; ++k)
        bytes.val[k] = vreinterpretq_u8_s32(table.q[k]);
    I32 r;
    for (int k = 0; k < 4; ++k) {
        const uint32x4_t lane = vandq_u32(words_of(index.q[k]), vdupq_n_u32(15));
        const uint32x4_t places = vmlaq_u32(vdupq_n_u32(0x03020100), lane, vdupq_n_u32(0x04040404));
        r.q[k] = vreinterpretq_s32_u8(vqtbl4q_u8(bytes, vreinterpretq_u8_u32(places)));
    }
    return r;
}
inline I32 bit_of(const I32& index) {
    VALKYR_REGISTERS(I32, vshlq_s32(vdupq_n_s32(1), vandq_s32(index.q[k], vdupq_n_s32(15))));
}
inline uint32_t any_bits(const I32& a) {
    const int32x4_t four = vorrq_s32(vorrq_s32(a.q[0], a.q[1]), vorrq_s32(a.q[2], a.q[3]));
    const int32x2_t two = vorr_s32(vget_low_s32(four), vget_high_s32(four));
    return static_cast<uint32_t>(vget_lane_s32(two, 0) | vget_lane_s32(two, 1));
}
inline I32 push_sign(const I32& history, const I32& a, const I32& b, const I32& c) {
    const uint32x4_t top = vdupq_n_u32(0x80000000U);
    VALKYR_REGISTERS(I32, vbslq_s32(top, vorrq_s32(vorrq_s32(a.q[k], b.q[k]), c.q[k]),
                                    numbers_of(vshrq_n_u32(words_of(history.q[k]), 1))));
}

inline I32 lane_steps(const I32& a, const I32& b) {
    static constexpr int32_t kX[16] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
    static constexpr int32_t kY[16] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
    VALKYR_REGISTERS(
        I32, vmlaq_s32(vmulq_s32(a.q[k], vld1q_s32(kX + 4 * k)), b.q[k], vld1q_s32(kY + 4 * k)));
}
#undef VALKYR_REGISTERS

#define VALKYR_HAS_INTERLEAVE 1
/// Puts element N * i + k of the first 16 * N words into lane i of out[k].
template <uint32_t N>
inline void deinterleave(const void* from, I32 (&out)[N]) {
    static_assert(N == 2 || N == 4);
    // Rows are loaded as bytes: texels need not lie at multiples of a word.
    const auto row = [&](uint32_t i) {
        return load_row(static_cast<const uint8_t*>(from) + 16 * i);
    };
    for (uint32_t k = 0; k < 4; ++k) {
        if constexpr (N == 2) {
            const int32x4_t a = row(2 * k);
            const int32x4_t b = row(2 * k + 1);
            out[0].q[k] = vuzp1q_s32(a, b);
            out[1].q[k] = vuzp2q_s32(a, b);
        } else {
            const int32x4_t rows[4] = {row(4 * k), row(4 * k + 1), row(4 * k + 2), row(4 * k + 3)};
            int32x4_t columns[4];
            transpose_rows(rows, columns);
            for (uint32_t c = 0; c < 4; ++c)
                out[c].q[k] = columns[c];
        }
    }
}
/// Loads the two words at base + offsets, in bytes.
inline void gather_pairs(const uint8_t* base, const I32& offsets, I32& first, I32& second) {
    alignas(16) int32_t at[16];
    alignas(16) int32_t pairs[32];
    offsets.store(at);
    for (int i = 0; i < 16; ++i)
        __builtin_memcpy(pairs + 2 * i, base + at[i], 2 * sizeof(int32_t));
    I32 out[2];
    deinterleave<2>(pairs, out);
    first = out[0];
    second = out[1];
}
/// Inverts deinterleave().
template <uint32_t N>
inline void interleave(const I32 (&from)[N], void* to) {
    static_assert(N == 2 || N == 4);
    const auto put = [&](uint32_t i, int32x4_t words) {
        vst1q_u8(static_cast<uint8_t*>(to) + 16 * i, vreinterpretq_u8_s32(words));
    };
    for (uint32_t k = 0; k < 4; ++k) {
        if constexpr (N == 2) {
            put(2 * k, vzip1q_s32(from[0].q[k], from[1].q[k]));
            put(2 * k + 1, vzip2q_s32(from[0].q[k], from[1].q[k]));
        } else {
            const int32x4_t columns[4] = {from[0].q[k], from[1].q[k], from[2].q[k], from[3].q[k]};
            int32x4_t rows[4];
            transpose_rows(columns, rows);
            for (uint32_t i = 0; i < 4; ++i)
                put(4 * k + i, rows[i]);
        }
    }
}

struct F4 {
    float32x4_t v;
    static F4 load(const void* p) {
        return {vreinterpretq_f32_u8(vld1q_u8(static_cast<const uint8_t*>(p)))};
    }
    static F4 set1(float a) { return {vdupq_n_f32(a)}; }
    void store(float* p) const { vst1q_f32(p, v); }
};
inline F4 operator-(F4 a, F4 b) {
    return {vsubq_f32(a.v, b.v)};
}
inline F4 operator*(F4 a, F4 b) {
    return {vmulq_f32(a.v, b.v)};
}
inline F4 fma(F4 a, F4 b, F4 c) {
    return {vfmaq_f32(c.v, a.v, b.v)};
}
inline F4 difference_of_products(F4 a, F4 b, F4 c, F4 d) {
    return {vfmaq_f32(vnegq_f32(vmulq_f32(c.v, d.v)), a.v, b.v)};
}

#include "raster/simd/simd_append.inl"
