// Vector types: implement sixteen lanes as two AVX2 registers, with the bits of simd_generic.inl.
// SPDX-License-Identifier: MIT
//
// Included by simd.hpp inside the namespace of a level.

/// Registers of the host that one vector takes.
inline constexpr int kVectorRegisters = 2;

struct I32 {
    __m256i lo, hi;
    static I32 load(const int32_t* p) {
        const auto* q = reinterpret_cast<const __m256i*>(p);
        return {_mm256_loadu_si256(q), _mm256_loadu_si256(q + 1)};
    }
    static I32 set1(int32_t a) { return {_mm256_set1_epi32(a), _mm256_set1_epi32(a)}; }
    void store(int32_t* p) const {
        auto* q = reinterpret_cast<__m256i*>(p);
        _mm256_storeu_si256(q, lo);
        _mm256_storeu_si256(q + 1, hi);
    }
};
struct F32 {
    __m256 lo, hi;
    static F32 load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
    static F32 set1(float a) { return {_mm256_set1_ps(a), _mm256_set1_ps(a)}; }
    void store(float* p) const {
        _mm256_storeu_ps(p, lo);
        _mm256_storeu_ps(p + 8, hi);
    }
};

#define VALKYR_BINARY(type, name, intrinsic)                                                       \
    inline type name(const type& a, const type& b) {                                               \
        return {intrinsic(a.lo, b.lo), intrinsic(a.hi, b.hi)};                                     \
    }
VALKYR_BINARY(I32, operator+, _mm256_add_epi32)
VALKYR_BINARY(I32, operator-, _mm256_sub_epi32)
VALKYR_BINARY(I32, operator*, _mm256_mullo_epi32)
VALKYR_BINARY(I32, operator|, _mm256_or_si256)
VALKYR_BINARY(I32, operator&, _mm256_and_si256)
VALKYR_BINARY(I32, min, _mm256_min_epi32)
VALKYR_BINARY(I32, max, _mm256_max_epi32)
VALKYR_BINARY(F32, operator+, _mm256_add_ps)
VALKYR_BINARY(F32, operator-, _mm256_sub_ps)
VALKYR_BINARY(F32, operator*, _mm256_mul_ps)
VALKYR_BINARY(F32, operator/, _mm256_div_ps)
VALKYR_BINARY(F32, min, _mm256_min_ps)
VALKYR_BINARY(F32, max, _mm256_max_ps)
#undef VALKYR_BINARY

template <int N>
inline I32 shift_right(const I32& a) {
    return {_mm256_srai_epi32(a.lo, N), _mm256_srai_epi32(a.hi, N)};
}
template <int N>
inline I32 shift_left(const I32& a) {
    return {_mm256_slli_epi32(a.lo, N), _mm256_slli_epi32(a.hi, N)};
}

#define VALKYR_SHIFT(name, intrinsic)                                                              \
    inline I32 name(const I32& a, uint32_t count) {                                                \
        const __m128i n = _mm_cvtsi32_si128(static_cast<int>(count));                              \
        return {intrinsic(a.lo, n), intrinsic(a.hi, n)};                                           \
    }
VALKYR_SHIFT(shift_up, _mm256_sll_epi32)
VALKYR_SHIFT(shift_down, _mm256_srl_epi32)
VALKYR_SHIFT(shift_down_signed, _mm256_sra_epi32)
#undef VALKYR_SHIFT

/// Returns all ones in the lanes whose bit is set in the low byte.
inline __m256i expand(uint32_t mask) {
    const __m256i lane_bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i spread = _mm256_set1_epi32(static_cast<int>(mask));
    return _mm256_cmpeq_epi32(_mm256_and_si256(spread, lane_bit), lane_bit);
}
inline F32 select(uint32_t mask, const F32& a, const F32& b) {
    return {_mm256_blendv_ps(a.lo, b.lo, _mm256_castsi256_ps(expand(mask))),
            _mm256_blendv_ps(a.hi, b.hi, _mm256_castsi256_ps(expand(mask >> 8)))};
}
inline I32 select(uint32_t mask, const I32& a, const I32& b) {
    return {_mm256_blendv_epi8(a.lo, b.lo, expand(mask)),
            _mm256_blendv_epi8(a.hi, b.hi, expand(mask >> 8))};
}

inline F32 fma(const F32& a, const F32& b, const F32& c) {
    return {_mm256_fmadd_ps(a.lo, b.lo, c.lo), _mm256_fmadd_ps(a.hi, b.hi, c.hi)};
}
inline F32 difference_of_products(const F32& a, const F32& b, const F32& c, const F32& d) {
    return {_mm256_fmsub_ps(a.lo, b.lo, _mm256_mul_ps(c.lo, d.lo)),
            _mm256_fmsub_ps(a.hi, b.hi, _mm256_mul_ps(c.hi, d.hi))};
}
inline F32 negate(const F32& a) {
    const __m256 sign = _mm256_set1_ps(-0.0F);
    return {_mm256_xor_ps(a.lo, sign), _mm256_xor_ps(a.hi, sign)};
}
inline F32 to_float(const I32& a) {
    return {_mm256_cvtepi32_ps(a.lo), _mm256_cvtepi32_ps(a.hi)};
}
inline I32 to_int(const F32& a) {
    return {_mm256_cvtps_epi32(a.lo), _mm256_cvtps_epi32(a.hi)};
}

inline uint32_t sign_bits(__m256 lo, __m256 hi) {
    return static_cast<uint32_t>(_mm256_movemask_ps(lo)) |
           static_cast<uint32_t>(_mm256_movemask_ps(hi)) << 8;
}
inline F32 absolute(const F32& a) {
    const __m256 sign = _mm256_set1_ps(-0.0F);
    return {_mm256_andnot_ps(sign, a.lo), _mm256_andnot_ps(sign, a.hi)};
}
inline I32 as_int(const F32& a) {
    return {_mm256_castps_si256(a.lo), _mm256_castps_si256(a.hi)};
}
inline F32 as_float(const I32& a) {
    return {_mm256_castsi256_ps(a.lo), _mm256_castsi256_ps(a.hi)};
}
/// The processor converts half floats in the low 16 bits; NaN keep some of their bits.
#define VALKYR_HAS_HALVES 1
inline F32 widen_half(const I32& a) {
    // The pack interleaves the registers' halves: the middle quarters change places.
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(a.lo, a.hi), 0xD8);
    return {_mm256_cvtph_ps(_mm256_castsi256_si128(packed)),
            _mm256_cvtph_ps(_mm256_extracti128_si256(packed, 1))};
}
inline I32 narrow_half(const F32& a) {
    return {_mm256_cvtepu16_epi32(_mm256_cvtps_ph(a.lo, _MM_FROUND_TO_NEAREST_INT)),
            _mm256_cvtepu16_epi32(_mm256_cvtps_ph(a.hi, _MM_FROUND_TO_NEAREST_INT))};
}
inline uint32_t negative(const I32& a) {
    return sign_bits(_mm256_castsi256_ps(a.lo), _mm256_castsi256_ps(a.hi));
}
inline uint32_t less(const I32& a, const I32& b) {
    return negative({_mm256_cmpgt_epi32(b.lo, a.lo), _mm256_cmpgt_epi32(b.hi, a.hi)});
}
inline uint32_t equal(const I32& a, const I32& b) {
    return negative({_mm256_cmpeq_epi32(a.lo, b.lo), _mm256_cmpeq_epi32(a.hi, b.hi)});
}
inline uint32_t less(const F32& a, const F32& b) {
    return sign_bits(_mm256_cmp_ps(a.lo, b.lo, _CMP_LT_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_LT_OQ));
}
inline uint32_t greater_equal(const F32& a, const F32& b) {
    return sign_bits(_mm256_cmp_ps(a.lo, b.lo, _CMP_GE_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_GE_OQ));
}
inline uint32_t equal(const F32& a, const F32& b) {
    return sign_bits(_mm256_cmp_ps(a.lo, b.lo, _CMP_EQ_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_EQ_OQ));
}

/// Products and sums stay under 2^48, so doubles hold them exactly. Adding 2^30 first makes the
/// truncation of the conversion a floor.
inline __m128i edge_constant_4(__m128i a, __m128i b, __m128i dx, __m128i dy, __m128i bias) {
    const __m256d ax = _mm256_mul_pd(_mm256_cvtepi32_pd(a), _mm256_cvtepi32_pd(dx));
    const __m256d sum = _mm256_fmadd_pd(_mm256_cvtepi32_pd(b), _mm256_cvtepi32_pd(dy), ax);
    const __m256d biased = _mm256_sub_pd(sum, _mm256_cvtepi32_pd(bias));
    const __m256d scaled = _mm256_mul_pd(biased, _mm256_set1_pd(1.0 / 256));
    const __m256d low = _mm256_set1_pd(static_cast<double>(kEdgeMin));
    const __m256d high = _mm256_set1_pd(static_cast<double>(kEdgeMax));
    const __m256d clamped = _mm256_max_pd(_mm256_min_pd(scaled, high), low);
    const __m128i raised = _mm256_cvttpd_epi32(_mm256_sub_pd(clamped, low));
    return _mm_add_epi32(raised, _mm_set1_epi32(static_cast<int32_t>(kEdgeMin)));
}
inline __m256i edge_constant_8(__m256i a, __m256i b, __m256i dx, __m256i dy, __m256i bias) {
    const __m128i low = edge_constant_4(_mm256_castsi256_si128(a), _mm256_castsi256_si128(b),
                                        _mm256_castsi256_si128(dx), _mm256_castsi256_si128(dy),
                                        _mm256_castsi256_si128(bias));
    const __m128i high =
        edge_constant_4(_mm256_extracti128_si256(a, 1), _mm256_extracti128_si256(b, 1),
                        _mm256_extracti128_si256(dx, 1), _mm256_extracti128_si256(dy, 1),
                        _mm256_extracti128_si256(bias, 1));
    return _mm256_set_m128i(high, low);
}
inline I32
edge_constant(const I32& a, const I32& b, const I32& dx, const I32& dy, const I32& bias) {
    return {edge_constant_8(a.lo, b.lo, dx.lo, dy.lo, bias.lo),
            edge_constant_8(a.hi, b.hi, dx.hi, dy.hi, bias.hi)};
}

inline __m128 cross_4(__m128i ax, __m128i ay, __m128i bx, __m128i by) {
    const __m256d right = _mm256_mul_pd(_mm256_cvtepi32_pd(bx), _mm256_cvtepi32_pd(ay));
    return _mm256_cvtpd_ps(_mm256_fmsub_pd(_mm256_cvtepi32_pd(ax), _mm256_cvtepi32_pd(by), right));
}
inline __m256 cross_8(__m256i ax, __m256i ay, __m256i bx, __m256i by) {
    const __m128 low = cross_4(_mm256_castsi256_si128(ax), _mm256_castsi256_si128(ay),
                               _mm256_castsi256_si128(bx), _mm256_castsi256_si128(by));
    const __m128 high = cross_4(_mm256_extracti128_si256(ax, 1), _mm256_extracti128_si256(ay, 1),
                                _mm256_extracti128_si256(bx, 1), _mm256_extracti128_si256(by, 1));
    return _mm256_set_m128(high, low);
}
inline F32 cross(const I32& ax, const I32& ay, const I32& bx, const I32& by) {
    return {cross_8(ax.lo, ay.lo, bx.lo, by.lo), cross_8(ax.hi, ay.hi, bx.hi, by.hi)};
}

/// Transposes rows: r_k holds rows k and k+4; the result holds column c of rows 0..7.
inline void transpose_rows(const __m256i r[4], __m256i out[4]) {
    const __m256i a = _mm256_unpacklo_epi32(r[0], r[1]);
    const __m256i b = _mm256_unpacklo_epi32(r[2], r[3]);
    const __m256i c = _mm256_unpackhi_epi32(r[0], r[1]);
    const __m256i d = _mm256_unpackhi_epi32(r[2], r[3]);
    out[0] = _mm256_unpacklo_epi64(a, b);
    out[1] = _mm256_unpackhi_epi64(a, b);
    out[2] = _mm256_unpacklo_epi64(c, d);
    out[3] = _mm256_unpackhi_epi64(c, d);
}
inline __m128i load_row(const void* p) {
    return _mm_loadu_si128(static_cast<const __m128i*>(p));
}

template <typename RowAt>
inline void gather_rows(const RowAt& row_at, I32& x, I32& y, F32& z, F32& q) {
    __m256i columns[2][4];
    for (int half = 0; half < 2; ++half) {
        __m256i r[4];
        for (int k = 0; k < 4; ++k)
            r[k] = _mm256_set_m128i(load_row(row_at(8 * half + k + 4)),
                                    load_row(row_at(8 * half + k)));
        transpose_rows(r, columns[half]);
    }
    x = {columns[0][0], columns[1][0]};
    y = {columns[0][1], columns[1][1]};
    z = {_mm256_castsi256_ps(columns[0][2]), _mm256_castsi256_ps(columns[1][2])};
    q = {_mm256_castsi256_ps(columns[0][3]), _mm256_castsi256_ps(columns[1][3])};
}

inline void load_positions(const uint8_t* p, size_t stride, F32& x, F32& y, F32& z, F32& w) {
    __m256i columns[2][4];
    for (size_t half = 0; half < 2; ++half) {
        const uint8_t* base = p + 8 * half * stride;
        __m256i r[4];
        for (size_t k = 0; k < 4; ++k)
            r[k] = _mm256_set_m128i(load_row(base + (k + 4) * stride), load_row(base + k * stride));
        transpose_rows(r, columns[half]);
    }
    x = {_mm256_castsi256_ps(columns[0][0]), _mm256_castsi256_ps(columns[1][0])};
    y = {_mm256_castsi256_ps(columns[0][1]), _mm256_castsi256_ps(columns[1][1])};
    z = {_mm256_castsi256_ps(columns[0][2]), _mm256_castsi256_ps(columns[1][2])};
    w = {_mm256_castsi256_ps(columns[0][3]), _mm256_castsi256_ps(columns[1][3])};
}

inline void
store_half_rows(uint8_t* rows, size_t stride, __m256i x, __m256i y, __m256 z, __m256 q) {
    const __m256i columns[4] = {x, y, _mm256_castps_si256(z), _mm256_castps_si256(q)};
    __m256i r[4];
    transpose_rows(columns, r);
    for (size_t k = 0; k < 4; ++k) {
        _mm_store_si128(reinterpret_cast<__m128i*>(rows + k * stride),
                        _mm256_castsi256_si128(r[k]));
        _mm_store_si128(reinterpret_cast<__m128i*>(rows + (k + 4) * stride),
                        _mm256_extracti128_si256(r[k], 1));
    }
}
inline void
store_rows(void* first, size_t stride, const I32& x, const I32& y, const F32& z, const F32& q) {
    auto* rows = static_cast<uint8_t*>(first);
    store_half_rows(rows, stride, x.lo, y.lo, z.lo, q.lo);
    store_half_rows(rows + 8 * stride, stride, x.hi, y.hi, z.hi, q.hi);
}

inline I32 gather(const uint8_t* base, const I32& offsets) {
    const auto* from = reinterpret_cast<const int*>(base);
    return {_mm256_i32gather_epi32(from, offsets.lo, 1),
            _mm256_i32gather_epi32(from, offsets.hi, 1)};
}
inline __m256i permute_half(const I32& table, __m256i index) {
    const __m256i low = _mm256_permutevar8x32_epi32(table.lo, index);
    const __m256i high = _mm256_permutevar8x32_epi32(table.hi, index);
    const __m256i choose = _mm256_slli_epi32(index, 28);  // bit 3 on top
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high),
                                                _mm256_castsi256_ps(choose)));
}
inline I32 permute(const I32& table, const I32& index) {
    return {permute_half(table, index.lo), permute_half(table, index.hi)};
}
inline I32 bit_of(const I32& index) {
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i low = _mm256_set1_epi32(15);
    return {_mm256_sllv_epi32(one, _mm256_and_si256(index.lo, low)),
            _mm256_sllv_epi32(one, _mm256_and_si256(index.hi, low))};
}
inline uint32_t any_bits(const I32& a) {
    const __m256i eight = _mm256_or_si256(a.lo, a.hi);
    const __m128i four =
        _mm_or_si128(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    const __m128i two = _mm_or_si128(four, _mm_unpackhi_epi64(four, four));
    const auto bits = static_cast<uint64_t>(_mm_cvtsi128_si64(two));
    return static_cast<uint32_t>(bits | bits >> 32);
}
inline __m256i push_half_sign(__m256i history, __m256i a, __m256i b, __m256i c) {
    const __m256i top = _mm256_set1_epi32(INT32_MIN);
    const __m256i sign = _mm256_and_si256(_mm256_or_si256(_mm256_or_si256(a, b), c), top);
    return _mm256_or_si256(_mm256_srli_epi32(history, 1), sign);
}
inline I32 push_sign(const I32& history, const I32& a, const I32& b, const I32& c) {
    return {push_half_sign(history.lo, a.lo, b.lo, c.lo),
            push_half_sign(history.hi, a.hi, b.hi, c.hi)};
}

inline I32 lane_steps(const I32& a, const I32& b) {
    const __m256i x = _mm256_setr_epi32(0, 1, 0, 1, 2, 3, 2, 3);
    const __m256i y = _mm256_setr_epi32(0, 0, 1, 1, 0, 0, 1, 1);
    const __m256i top = _mm256_add_epi32(_mm256_mullo_epi32(a.lo, x), _mm256_mullo_epi32(b.lo, y));
    return {top, _mm256_add_epi32(top, _mm256_slli_epi32(b.lo, 1))};
}

struct F4 {
    __m128 v;
    static F4 load(const void* p) { return {_mm_loadu_ps(static_cast<const float*>(p))}; }
    static F4 set1(float a) { return {_mm_set1_ps(a)}; }
    void store(float* p) const { _mm_storeu_ps(p, v); }
};
inline F4 operator-(F4 a, F4 b) {
    return {_mm_sub_ps(a.v, b.v)};
}
inline F4 operator*(F4 a, F4 b) {
    return {_mm_mul_ps(a.v, b.v)};
}
inline F4 fma(F4 a, F4 b, F4 c) {
    return {_mm_fmadd_ps(a.v, b.v, c.v)};
}
inline F4 difference_of_products(F4 a, F4 b, F4 c, F4 d) {
    return {_mm_fmsub_ps(a.v, b.v, _mm_mul_ps(c.v, d.v))};
}

#include "raster/simd/simd_append.inl"
