// Vector types: implement sixteen lanes as one AVX-512 register, with the bits of simd_generic.inl.
// SPDX-License-Identifier: MIT
//
// Included by simd.hpp inside the namespace of a level.

/// Registers of the host that one vector takes.
inline constexpr int kVectorRegisters = 1;

struct I32 {
    __m512i v;
    static I32 load(const int32_t* p) { return {_mm512_loadu_si512(p)}; }
    static I32 set1(int32_t a) { return {_mm512_set1_epi32(a)}; }
    void store(int32_t* p) const { _mm512_storeu_si512(p, v); }
};
struct F32 {
    __m512 v;
    static F32 load(const float* p) { return {_mm512_loadu_ps(p)}; }
    static F32 set1(float a) { return {_mm512_set1_ps(a)}; }
    void store(float* p) const { _mm512_storeu_ps(p, v); }
};

inline I32 operator+(I32 a, I32 b) {
    return {_mm512_add_epi32(a.v, b.v)};
}
inline I32 operator-(I32 a, I32 b) {
    return {_mm512_sub_epi32(a.v, b.v)};
}
inline I32 operator*(I32 a, I32 b) {
    return {_mm512_mullo_epi32(a.v, b.v)};
}
inline I32 operator|(I32 a, I32 b) {
    return {_mm512_or_si512(a.v, b.v)};
}
inline I32 operator&(I32 a, I32 b) {
    return {_mm512_and_si512(a.v, b.v)};
}
inline I32 min(I32 a, I32 b) {
    return {_mm512_min_epi32(a.v, b.v)};
}
inline I32 max(I32 a, I32 b) {
    return {_mm512_max_epi32(a.v, b.v)};
}
template <int N>
inline I32 shift_right(I32 a) {
    return {_mm512_srai_epi32(a.v, N)};
}
template <int N>
inline I32 shift_left(I32 a) {
    return {_mm512_slli_epi32(a.v, N)};
}
inline I32 shift_up(I32 a, uint32_t count) {
    return {_mm512_sll_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(count)))};
}
inline I32 shift_down(I32 a, uint32_t count) {
    return {_mm512_srl_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(count)))};
}
inline I32 shift_down_signed(I32 a, uint32_t count) {
    return {_mm512_sra_epi32(a.v, _mm_cvtsi32_si128(static_cast<int>(count)))};
}
inline I32 select(uint32_t mask, I32 a, I32 b) {
    return {_mm512_mask_blend_epi32(static_cast<__mmask16>(mask), a.v, b.v)};
}

inline F32 operator+(F32 a, F32 b) {
    return {_mm512_add_ps(a.v, b.v)};
}
inline F32 operator-(F32 a, F32 b) {
    return {_mm512_sub_ps(a.v, b.v)};
}
inline F32 operator*(F32 a, F32 b) {
    return {_mm512_mul_ps(a.v, b.v)};
}
inline F32 operator/(F32 a, F32 b) {
    return {_mm512_div_ps(a.v, b.v)};
}
inline F32 fma(F32 a, F32 b, F32 c) {
    return {_mm512_fmadd_ps(a.v, b.v, c.v)};
}
inline F32 difference_of_products(F32 a, F32 b, F32 c, F32 d) {
    return {_mm512_fmsub_ps(a.v, b.v, _mm512_mul_ps(c.v, d.v))};
}
inline F32 negate(F32 a) {
    return {_mm512_xor_ps(a.v, _mm512_set1_ps(-0.0F))};
}
inline F32 select(uint32_t mask, F32 a, F32 b) {
    return {_mm512_mask_blend_ps(static_cast<__mmask16>(mask), a.v, b.v)};
}
inline F32 min(F32 a, F32 b) {
    return {_mm512_min_ps(a.v, b.v)};
}
inline F32 max(F32 a, F32 b) {
    return {_mm512_max_ps(a.v, b.v)};
}
inline F32 to_float(I32 a) {
    return {_mm512_cvtepi32_ps(a.v)};
}
inline I32 to_int(F32 a) {
    return {_mm512_cvtps_epi32(a.v)};
}

inline uint32_t less(I32 a, I32 b) {
    return _mm512_cmplt_epi32_mask(a.v, b.v);
}
inline uint32_t equal(I32 a, I32 b) {
    return _mm512_cmpeq_epi32_mask(a.v, b.v);
}
inline F32 absolute(F32 a) {
    return {_mm512_andnot_ps(_mm512_set1_ps(-0.0F), a.v)};
}
inline I32 as_int(F32 a) {
    return {_mm512_castps_si512(a.v)};
}
inline F32 as_float(I32 a) {
    return {_mm512_castsi512_ps(a.v)};
}
/// The processor converts half floats in the low 16 bits; NaN keep some of their bits.
#define VALKYR_HAS_HALVES 1
inline F32 widen_half(I32 a) {
    return {_mm512_cvtph_ps(_mm512_cvtepi32_epi16(a.v))};
}
inline I32 narrow_half(F32 a) {
    return {_mm512_cvtepu16_epi32(_mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT))};
}
inline uint32_t negative(I32 a) {
    return _mm512_movepi32_mask(a.v);
}
inline uint32_t less(F32 a, F32 b) {
    return _mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ);
}
inline uint32_t greater_equal(F32 a, F32 b) {
    return _mm512_cmp_ps_mask(a.v, b.v, _CMP_GE_OQ);
}
inline uint32_t equal(F32 a, F32 b) {
    return _mm512_cmp_ps_mask(a.v, b.v, _CMP_EQ_OQ);
}

/// Computes a * b - bias of the even 32-bit lanes, shifted and clamped, in 64-bit lanes.
inline __m512i edge_constant_even(__m512i a, __m512i b, __m512i dx, __m512i dy, __m512i bias) {
    const __m512i sum = _mm512_add_epi64(_mm512_mul_epi32(a, dx), _mm512_mul_epi32(b, dy));
    // The bias is 0 or 1: its zero-extended lane is its value.
    const __m512i low = _mm512_and_si512(bias, _mm512_set1_epi64(0xFFFFFFFF));
    const __m512i shifted = _mm512_srai_epi64(_mm512_sub_epi64(sum, low), 8);
    return _mm512_max_epi64(_mm512_min_epi64(shifted, _mm512_set1_epi64(kEdgeMax)),
                            _mm512_set1_epi64(kEdgeMin));
}
inline I32 edge_constant(I32 a, I32 b, I32 dx, I32 dy, I32 bias) {
    const __m512i even = edge_constant_even(a.v, b.v, dx.v, dy.v, bias.v);
    const __m512i odd = edge_constant_even(_mm512_srli_epi64(a.v, 32), _mm512_srli_epi64(b.v, 32),
                                           _mm512_srli_epi64(dx.v, 32), _mm512_srli_epi64(dy.v, 32),
                                           _mm512_srli_epi64(bias.v, 32));
    return {_mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64(odd, 32))};
}

inline __m512i cross_even(__m512i ax, __m512i ay, __m512i bx, __m512i by) {
    return _mm512_sub_epi64(_mm512_mul_epi32(ax, by), _mm512_mul_epi32(bx, ay));
}
inline F32 cross(I32 ax, I32 ay, I32 bx, I32 by) {
    const __m256 even = _mm512_cvtepi64_ps(cross_even(ax.v, ay.v, bx.v, by.v));
    const __m256 odd =
        _mm512_cvtepi64_ps(cross_even(_mm512_srli_epi64(ax.v, 32), _mm512_srli_epi64(ay.v, 32),
                                      _mm512_srli_epi64(bx.v, 32), _mm512_srli_epi64(by.v, 32)));
    const __m512i wide_even = _mm512_cvtepu32_epi64(_mm256_castps_si256(even));
    const __m512i wide_odd = _mm512_cvtepu32_epi64(_mm256_castps_si256(odd));
    return {_mm512_castsi512_ps(_mm512_or_si512(wide_even, _mm512_slli_epi64(wide_odd, 32)))};
}

/// Turns four registers of rows {i, i+4, i+8, i+12} (128 bits each) into one register per column.
inline void transpose_rows(__m512i r0, __m512i r1, __m512i r2, __m512i r3, __m512i out[4]) {
    // r_k holds rows k, k+4, k+8, k+12: unpacking 32 and then 64 bits puts rows 4j..4j+3 of a
    // column side by side in 128-bit lane j.
    const __m512i a = _mm512_unpacklo_epi32(r0, r1);
    const __m512i b = _mm512_unpacklo_epi32(r2, r3);
    const __m512i c = _mm512_unpackhi_epi32(r0, r1);
    const __m512i d = _mm512_unpackhi_epi32(r2, r3);
    out[0] = _mm512_unpacklo_epi64(a, b);
    out[1] = _mm512_unpackhi_epi64(a, b);
    out[2] = _mm512_unpacklo_epi64(c, d);
    out[3] = _mm512_unpackhi_epi64(c, d);
}

inline __m128i load_row(const void* p) {
    return _mm_loadu_si128(static_cast<const __m128i*>(p));
}
inline __m512i four_rows(__m128i r0, __m128i r4, __m128i r8, __m128i r12) {
    const __m512i low = _mm512_inserti32x4(_mm512_castsi128_si512(r0), r4, 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(low, r8, 2), r12, 3);
}

template <typename RowAt>
inline void gather_rows(const RowAt& row_at, I32& x, I32& y, F32& z, F32& q) {
    __m512i r[4];
    for (int k = 0; k < 4; ++k)
        r[k] = four_rows(load_row(row_at(k)), load_row(row_at(k + 4)), load_row(row_at(k + 8)),
                         load_row(row_at(k + 12)));
    __m512i columns[4];
    transpose_rows(r[0], r[1], r[2], r[3], columns);
    x.v = columns[0];
    y.v = columns[1];
    z.v = _mm512_castsi512_ps(columns[2]);
    q.v = _mm512_castsi512_ps(columns[3]);
}

inline void load_positions(const uint8_t* p, size_t stride, F32& x, F32& y, F32& z, F32& w) {
    __m512i r[4];
    for (size_t k = 0; k < 4; ++k)
        r[k] = four_rows(load_row(p + k * stride), load_row(p + (k + 4) * stride),
                         load_row(p + (k + 8) * stride), load_row(p + (k + 12) * stride));
    __m512i columns[4];
    transpose_rows(r[0], r[1], r[2], r[3], columns);
    x.v = _mm512_castsi512_ps(columns[0]);
    y.v = _mm512_castsi512_ps(columns[1]);
    z.v = _mm512_castsi512_ps(columns[2]);
    w.v = _mm512_castsi512_ps(columns[3]);
}

inline void store_rows(void* first, size_t stride, I32 x, I32 y, F32 z, F32 q) {
    auto* rows = static_cast<uint8_t*>(first);
    const auto row = [&](size_t i) { return reinterpret_cast<__m128i*>(rows + i * stride); };
    __m512i r[4];
    // Transposing columns of 4x4 blocks gives rows 4j + k in lane j of register k.
    transpose_rows(x.v, y.v, _mm512_castps_si512(z.v), _mm512_castps_si512(q.v), r);
    for (size_t k = 0; k < 4; ++k) {
        _mm_store_si128(row(k), _mm512_extracti32x4_epi32(r[k], 0));
        _mm_store_si128(row(k + 4), _mm512_extracti32x4_epi32(r[k], 1));
        _mm_store_si128(row(k + 8), _mm512_extracti32x4_epi32(r[k], 2));
        _mm_store_si128(row(k + 12), _mm512_extracti32x4_epi32(r[k], 3));
    }
}

inline I32 gather(const uint8_t* base, I32 offsets) {
    return {_mm512_i32gather_epi32(offsets.v, base, 1)};
}
#define VALKYR_HAS_LOOK_UP 1
/// Looks up words of a table by number.
inline I32 look_up(const uint32_t* table, I32 number) {
    return {_mm512_i32gather_epi32(number.v, table, 4)};
}
inline I32 permute(I32 table, I32 index) {
    return {_mm512_permutexvar_epi32(index.v, table.v)};
}
#define VALKYR_HAS_INTERLEAVE 1
/// Puts element N * i + k of the first 16 * N words into lane i of out[k].
template <uint32_t N>
inline void deinterleave(const void* from, I32 (&out)[N]) {
    static_assert(N == 2 || N == 4);
    __m512i in[N];
    for (uint32_t k = 0; k < N; ++k)
        in[k] = _mm512_loadu_si512(static_cast<const uint8_t*>(from) + 64 * k);
    if constexpr (N == 2) {
        const __m512i even =
            _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const __m512i odd = _mm512_or_si512(even, _mm512_set1_epi32(1));
        out[0].v = _mm512_permutex2var_epi32(in[0], even, in[1]);
        out[1].v = _mm512_permutex2var_epi32(in[0], odd, in[1]);
    } else {
        // Words 0 and 1, then 2 and 3, of eight texels each.
        const __m512i low =
            _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
        const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(2));
        const __m512i a = _mm512_permutex2var_epi32(in[0], low, in[1]);
        const __m512i b = _mm512_permutex2var_epi32(in[2], low, in[3]);
        const __m512i c = _mm512_permutex2var_epi32(in[0], high, in[1]);
        const __m512i d = _mm512_permutex2var_epi32(in[2], high, in[3]);
        out[0].v = _mm512_shuffle_i64x2(a, b, 0x44);
        out[1].v = _mm512_shuffle_i64x2(a, b, 0xEE);
        out[2].v = _mm512_shuffle_i64x2(c, d, 0x44);
        out[3].v = _mm512_shuffle_i64x2(c, d, 0xEE);
    }
}
/// Loads the two words at base + offsets, in bytes.
inline void gather_pairs(const uint8_t* base, I32 offsets, I32& first, I32& second) {
    const __m512i pairs[2] = {
        _mm512_i32gather_epi64(_mm512_castsi512_si256(offsets.v), base, 1),
        _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(offsets.v, 1), base, 1)};
    I32 out[2];
    deinterleave<2>(pairs, out);
    first = out[0];
    second = out[1];
}
/// Inverts deinterleave().
template <uint32_t N>
inline void interleave(const I32 (&from)[N], void* to) {
    static_assert(N == 2 || N == 4);
    auto* const words = static_cast<uint8_t*>(to);
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    __m512i pairs[N];  // of words 0 and 1, then of 2 and 3
    for (uint32_t k = 0; k < N; k += 2) {
        pairs[k] = _mm512_permutex2var_epi32(from[k].v, low, from[k + 1].v);
        pairs[k + 1] = _mm512_permutex2var_epi32(from[k].v, high, from[k + 1].v);
    }
    if constexpr (N == 2) {
        _mm512_storeu_si512(words, pairs[0]);
        _mm512_storeu_si512(words + 64, pairs[1]);
    } else {
        const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
        const __m512i last = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
        for (uint32_t k = 0; k < 2; ++k) {
            _mm512_storeu_si512(words + 128 * k,
                                _mm512_permutex2var_epi64(pairs[k], first, pairs[k + 2]));
            _mm512_storeu_si512(words + 128 * k + 64,
                                _mm512_permutex2var_epi64(pairs[k], last, pairs[k + 2]));
        }
    }
}
#define VALKYR_HAS_TILE_ROWS 1
/// Turns four tiles in lane order that lie side by side into the rows of sixteen columns.
inline void tiles_to_rows(I32 (&v)[4]) {
    // Pairs of words; even rows of the tiles' upper halves come first.
    const __m512i upper = _mm512_setr_epi64(0, 2, 8, 10, 1, 3, 9, 11);
    const __m512i lower = _mm512_add_epi64(upper, _mm512_set1_epi64(4));
    const __m512i a = _mm512_permutex2var_epi64(v[0].v, upper, v[1].v);
    const __m512i b = _mm512_permutex2var_epi64(v[2].v, upper, v[3].v);
    const __m512i c = _mm512_permutex2var_epi64(v[0].v, lower, v[1].v);
    const __m512i d = _mm512_permutex2var_epi64(v[2].v, lower, v[3].v);
    v[0].v = _mm512_shuffle_i64x2(a, b, 0x44);
    v[1].v = _mm512_shuffle_i64x2(a, b, 0xEE);
    v[2].v = _mm512_shuffle_i64x2(c, d, 0x44);
    v[3].v = _mm512_shuffle_i64x2(c, d, 0xEE);
}
/// Inverts tiles_to_rows().
inline void rows_to_tiles(I32 (&v)[4]) {
    const __m512i a = _mm512_shuffle_i64x2(v[0].v, v[1].v, 0x44);
    const __m512i b = _mm512_shuffle_i64x2(v[0].v, v[1].v, 0xEE);
    const __m512i c = _mm512_shuffle_i64x2(v[2].v, v[3].v, 0x44);
    const __m512i d = _mm512_shuffle_i64x2(v[2].v, v[3].v, 0xEE);
    const __m512i even = _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13);
    const __m512i odd = _mm512_add_epi64(even, _mm512_set1_epi64(2));
    v[0].v = _mm512_permutex2var_epi64(a, even, c);
    v[1].v = _mm512_permutex2var_epi64(a, odd, c);
    v[2].v = _mm512_permutex2var_epi64(b, even, d);
    v[3].v = _mm512_permutex2var_epi64(b, odd, d);
}
/// Reads the numbers of a window at given places, 0..31.
inline F32 pick(const float* window, I32 places) {
    return {
        _mm512_permutex2var_ps(_mm512_loadu_ps(window), places.v, _mm512_loadu_ps(window + 16))};
}
inline I32 bit_of(I32 index) {
    return {
        _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(index.v, _mm512_set1_epi32(15)))};
}
inline uint32_t any_bits(I32 a) {
    return static_cast<uint32_t>(_mm512_reduce_or_epi32(a.v));
}
inline I32 push_sign(I32 history, I32 a, I32 b, I32 c) {
    const __m512i all = _mm512_ternarylogic_epi32(a.v, b.v, c.v, 0xFE);  // a | b | c
    return {_mm512_ternarylogic_epi32(_mm512_srli_epi32(history.v, 1), all,
                                      _mm512_set1_epi32(INT32_MIN), 0xF8)};  // a | (b & c)
}

/// Sorts four words a lane by lanes: `ordered[i]` has those of lanes 4i to 4i + 3.
inline void order_by_lane(const I32* words, uint32_t lanes, __m512i* ordered) {
    __m512i own[4];
    for (int k = 0; k < 4; ++k)
        own[k] = _mm512_maskz_mov_epi32(static_cast<__mmask16>(lanes), words[k].v);
    __m512i r[4];
    transpose_rows(own[0], own[1], own[2], own[3], r);  // lanes 4j + k in part j of register k
    const __m512i a = _mm512_shuffle_i32x4(r[0], r[1], 0x44);
    const __m512i b = _mm512_shuffle_i32x4(r[2], r[3], 0x44);
    const __m512i c = _mm512_shuffle_i32x4(r[0], r[1], 0xEE);
    const __m512i d = _mm512_shuffle_i32x4(r[2], r[3], 0xEE);
    ordered[0] = _mm512_shuffle_i32x4(a, b, 0x88);
    ordered[1] = _mm512_shuffle_i32x4(a, b, 0xDD);
    ordered[2] = _mm512_shuffle_i32x4(c, d, 0x88);
    ordered[3] = _mm512_shuffle_i32x4(c, d, 0xDD);
}

/// Appends the words whose upper half is not 0; returns their number. 16 words are written.
inline uint32_t append_some(__m512i words, int32_t* out) {
    const __mmask16 some =
        _mm512_test_epi32_mask(words, _mm512_set1_epi32(static_cast<int>(0xFFFF0000)));
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(some, words));
    return static_cast<uint32_t>(__builtin_popcount(some));
}

/// Appends, lane by lane, the words of `lanes` whose upper half is not 0; returns their number. Up
/// to 64 words are written.
inline uint32_t append_words(const I32 (&words)[4], uint32_t lanes, void* out) {
    __m512i ordered[4];
    order_by_lane(words, lanes, ordered);
    uint32_t count = 0;
    for (const __m512i& four_lanes : ordered)
        count += append_some(four_lanes, static_cast<int32_t*>(out) + count);
    return count;
}

/// Does the same with nine words a lane; up to 151 words are written. The last ones are rare.
inline uint32_t append_words(const I32 (&words)[9], uint32_t lanes, void* out) {
    __m512i one[4];
    __m512i two[4];
    order_by_lane(words, lanes, one);
    order_by_lane(words + 4, lanes, two);
    auto* to = static_cast<int32_t*>(out);
    uint32_t count = 0;
    const auto have_last = static_cast<__mmask16>(
        lanes &
        _mm512_test_epi32_mask(words[8].v, _mm512_set1_epi32(static_cast<int>(0xFFFF0000))));
    if (have_last == 0) {
        const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        for (int i = 0; i < 4; ++i) {
            count += append_some(_mm512_permutex2var_epi64(one[i], low, two[i]), to + count);
            count += append_some(_mm512_permutex2var_epi64(one[i], high, two[i]), to + count);
        }
        return count;
    }
    alignas(64) int32_t last[16];
    _mm512_store_si512(last, _mm512_maskz_mov_epi32(have_last, words[8].v));
    for (int i = 0; i < 4; ++i)
        for (int lane = 0; lane < 4; ++lane) {
            const __m512i part =
                _mm512_setr_epi64(2 * lane, 2 * lane + 1, 2 * lane + 8, 2 * lane + 9, 0, 0, 0, 0);
            const __m512i both = _mm512_permutex2var_epi64(one[i], part, two[i]);
            count += append_some(_mm512_zextsi256_si512(_mm512_castsi512_si256(both)), to + count);
            to[count] = last[4 * i + lane];
            count += last[4 * i + lane] != 0 ? 1 : 0;
        }
    return count;
}

/// Appends the pairs (low, high) of `lanes` in lane order; returns their number. Up to 16 pairs are
/// written.
inline uint32_t append_pairs(const I32& low, const I32& high, uint32_t lanes, void* out) {
    const __m512i a = _mm512_unpacklo_epi32(low.v, high.v);  // lanes 4j and 4j + 1 in part j
    const __m512i b = _mm512_unpackhi_epi32(low.v, high.v);
    const __m512i first =
        _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), b);
    const __m512i second =
        _mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), b);
    const auto of_first = static_cast<__mmask8>(lanes);
    const auto of_second = static_cast<__mmask8>(lanes >> 8);
    const auto count = static_cast<uint32_t>(__builtin_popcount(of_first));
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(of_first, first));
    _mm512_storeu_si512(static_cast<int64_t*>(out) + count,
                        _mm512_maskz_compress_epi64(of_second, second));
    return count + static_cast<uint32_t>(__builtin_popcount(of_second));
}

inline I32 lane_steps(I32 a, I32 b) {
    // Bits of the lane number: x0, y0, x1, y1.
    const __m512i va = a.v;
    const __m512i vb = b.v;
    const __m512i va2 = _mm512_add_epi32(va, va);
    const __m512i vb2 = _mm512_add_epi32(vb, vb);
    const __m512i x = _mm512_mask_add_epi32(_mm512_maskz_mov_epi32(0xAAAA, va), 0xF0F0,
                                            _mm512_maskz_mov_epi32(0xAAAA, va), va2);
    const __m512i y = _mm512_mask_add_epi32(_mm512_maskz_mov_epi32(0xCCCC, vb), 0xFF00,
                                            _mm512_maskz_mov_epi32(0xCCCC, vb), vb2);
    return {_mm512_add_epi32(x, y)};
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
