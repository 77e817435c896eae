// Vector types: define sixteen lanes in plain C++, for any host; other levels have the same bits.
// SPDX-License-Identifier: MIT
//
// Included by simd.hpp inside the namespace of a level. It uses only integer and single-rounded
// float operations, so every level gives equal bits.

/// Registers of the host that one vector takes, or single words.
inline constexpr int kVectorRegisters = 16;

struct I32 {
    int32_t v[16];
    static I32 load(const int32_t* p) {
        I32 r;
        for (int i = 0; i < 16; ++i)
            r.v[i] = p[i];
        return r;
    }
    static I32 set1(int32_t a) {
        I32 r;
        for (int32_t& lane : r.v)
            lane = a;
        return r;
    }
    void store(int32_t* p) const {
        for (int i = 0; i < 16; ++i)
            p[i] = v[i];
    }
};

struct F32 {
    float v[16];
    static F32 load(const float* p) {
        F32 r;
        for (int i = 0; i < 16; ++i)
            r.v[i] = p[i];
        return r;
    }
    static F32 set1(float a) {
        F32 r;
        for (float& lane : r.v)
            lane = a;
        return r;
    }
    void store(float* p) const {
        for (int i = 0; i < 16; ++i)
            p[i] = v[i];
    }
};

#define VALKYR_LANES(type, expression)                                                             \
    type r;                                                                                        \
    for (int i = 0; i < 16; ++i)                                                                   \
        r.v[i] = (expression);                                                                     \
    return r

inline int32_t wrap(uint32_t a) {
    return static_cast<int32_t>(a);
}
inline uint32_t bits(int32_t a) {
    return static_cast<uint32_t>(a);
}

inline I32 operator+(const I32& a, const I32& b) {
    VALKYR_LANES(I32, wrap(bits(a.v[i]) + bits(b.v[i])));
}
inline I32 operator-(const I32& a, const I32& b) {
    VALKYR_LANES(I32, wrap(bits(a.v[i]) - bits(b.v[i])));
}
inline I32 operator*(const I32& a, const I32& b) {
    VALKYR_LANES(I32, wrap(bits(a.v[i]) * bits(b.v[i])));
}
inline I32 operator|(const I32& a, const I32& b) {
    VALKYR_LANES(I32, a.v[i] | b.v[i]);
}
inline I32 operator&(const I32& a, const I32& b) {
    VALKYR_LANES(I32, a.v[i] & b.v[i]);
}
inline I32 min(const I32& a, const I32& b) {
    VALKYR_LANES(I32, a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
inline I32 max(const I32& a, const I32& b) {
    VALKYR_LANES(I32, a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
template <int N>
inline I32 shift_right(const I32& a) {
    VALKYR_LANES(I32, a.v[i] >> N);
}
template <int N>
inline I32 shift_left(const I32& a) {
    VALKYR_LANES(I32, wrap(bits(a.v[i]) << N));
}
/// Shifts by up to 31: zeros come in, or copies of the sign.
inline I32 shift_up(const I32& a, uint32_t count) {
    VALKYR_LANES(I32, wrap(bits(a.v[i]) << count));
}
inline I32 shift_down(const I32& a, uint32_t count) {
    VALKYR_LANES(I32, wrap(bits(a.v[i]) >> count));
}
inline I32 shift_down_signed(const I32& a, uint32_t count) {
    VALKYR_LANES(I32, a.v[i] >> count);
}
/// Returns b where the mask bit is set, else a.
inline I32 select(uint32_t mask, const I32& a, const I32& b) {
    VALKYR_LANES(I32, (mask >> i & 1) != 0 ? b.v[i] : a.v[i]);
}

inline F32 operator+(const F32& a, const F32& b) {
    VALKYR_LANES(F32, a.v[i] + b.v[i]);
}
inline F32 operator-(const F32& a, const F32& b) {
    VALKYR_LANES(F32, a.v[i] - b.v[i]);
}
inline F32 operator*(const F32& a, const F32& b) {
    VALKYR_LANES(F32, a.v[i] * b.v[i]);
}
inline F32 operator/(const F32& a, const F32& b) {
    VALKYR_LANES(F32, a.v[i] / b.v[i]);
}
inline F32 fma(const F32& a, const F32& b, const F32& c) {
    VALKYR_LANES(F32, __builtin_fmaf(a.v[i], b.v[i], c.v[i]));
}
/// Returns a * b - c * d; the second product is rounded.
inline F32 difference_of_products(const F32& a, const F32& b, const F32& c, const F32& d) {
    VALKYR_LANES(F32, __builtin_fmaf(a.v[i], b.v[i], -(c.v[i] * d.v[i])));
}
inline F32 negate(const F32& a) {
    VALKYR_LANES(F32, -a.v[i]);
}
inline F32 select(uint32_t mask, const F32& a, const F32& b) {
    VALKYR_LANES(F32, (mask >> i & 1) != 0 ? b.v[i] : a.v[i]);
}
/// Returns a < b ? a : b, like MINPS: b if either is NaN.
inline F32 min(const F32& a, const F32& b) {
    VALKYR_LANES(F32, a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
inline F32 max(const F32& a, const F32& b) {
    VALKYR_LANES(F32, a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
inline F32 to_float(const I32& a) {
    VALKYR_LANES(F32, static_cast<float>(a.v[i]));
}
/// Rounds to nearest even; |a| < 2^31.
inline I32 to_int(const F32& a) {
    VALKYR_LANES(I32, static_cast<int32_t>(__builtin_rintf(a.v[i])));
}

/// Clears the sign.
inline F32 absolute(const F32& a) {
    VALKYR_LANES(F32, __builtin_fabsf(a.v[i]));
}
#undef VALKYR_LANES
#define VALKYR_MASK(condition)                                                                     \
    uint32_t mask = 0;                                                                             \
    for (int i = 0; i < 16; ++i)                                                                   \
        mask |= static_cast<uint32_t>(condition) << i;                                             \
    return mask

/// Comparisons give a bit a lane; false if an operand is NaN.
inline uint32_t less(const I32& a, const I32& b) {
    VALKYR_MASK(a.v[i] < b.v[i]);
}
inline uint32_t equal(const I32& a, const I32& b) {
    VALKYR_MASK(a.v[i] == b.v[i]);
}
/// Returns the bits of a float.
inline I32 as_int(const F32& a) {
    I32 r;
    __builtin_memcpy(r.v, a.v, sizeof(r.v));
    return r;
}
inline F32 as_float(const I32& a) {
    F32 r;
    __builtin_memcpy(r.v, a.v, sizeof(r.v));
    return r;
}
inline uint32_t negative(const I32& a) {
    VALKYR_MASK(a.v[i] < 0);
}
inline uint32_t less(const F32& a, const F32& b) {
    VALKYR_MASK(a.v[i] < b.v[i]);
}
inline uint32_t greater_equal(const F32& a, const F32& b) {
    VALKYR_MASK(a.v[i] >= b.v[i]);
}
inline uint32_t equal(const F32& a, const F32& b) {
    VALKYR_MASK(a.v[i] == b.v[i]);
}
#undef VALKYR_MASK

/// Computes the edge function's constant: floor((a * dx + b * dy - bias) / 256), clamped to the
/// range of the tile's 32-bit lanes. |a|, |b|, |dx|, |dy| <= 2^23.
inline I32
edge_constant(const I32& a, const I32& b, const I32& dx, const I32& dy, const I32& bias) {
    I32 r;
    for (int i = 0; i < 16; ++i) {
        const int64_t c = (int64_t{a.v[i]} * dx.v[i] + int64_t{b.v[i]} * dy.v[i] - bias.v[i]) >> 8;
        r.v[i] = static_cast<int32_t>(c < kEdgeMin ? kEdgeMin : c > kEdgeMax ? kEdgeMax : c);
    }
    return r;
}

/// Computes the exact ax * by - bx * ay, rounded once to f32. Operands up to 2^23.
inline F32 cross(const I32& ax, const I32& ay, const I32& bx, const I32& by) {
    F32 r;
    for (int i = 0; i < 16; ++i)
        r.v[i] = static_cast<float>(int64_t{ax.v[i]} * by.v[i] - int64_t{bx.v[i]} * ay.v[i]);
    return r;
}

/// Transposes sixteen rows of four words to four registers; row_at(i) is the address of row i.
template <typename RowAt>
inline void gather_rows(const RowAt& row_at, I32& x, I32& y, F32& z, F32& q) {
    for (int i = 0; i < 16; ++i) {
        WindowRow row;
        __builtin_memcpy(&row, row_at(i), sizeof(row));
        x.v[i] = row.x;
        y.v[i] = row.y;
        z.v[i] = row.z;
        q.v[i] = row.q;
    }
}

/// Loads the first four floats of 16 structures `stride` bytes apart.
inline void load_positions(const uint8_t* p, size_t stride, F32& x, F32& y, F32& z, F32& w) {
    for (int i = 0; i < 16; ++i) {
        float row[4];
        __builtin_memcpy(row, p + static_cast<size_t>(i) * stride, sizeof(row));
        x.v[i] = row[0];
        y.v[i] = row[1];
        z.v[i] = row[2];
        w.v[i] = row[3];
    }
}

/// Stores sixteen positions: row i at first + i * stride, aligned to its size.
inline void
store_rows(void* first, size_t stride, const I32& x, const I32& y, const F32& z, const F32& q) {
    for (size_t i = 0; i < 16; ++i) {
        const WindowRow row{x.v[i], y.v[i], z.v[i], q.v[i]};
        __builtin_memcpy(static_cast<uint8_t*>(first) + i * stride, &row, sizeof(row));
    }
}

/// Loads the words at base + offsets, in bytes.
inline I32 gather(const uint8_t* base, const I32& offsets) {
    I32 r;
    for (int i = 0; i < 16; ++i)
        __builtin_memcpy(&r.v[i], base + offsets.v[i], sizeof(int32_t));
    return r;
}

/// Permutes: lane i of the result is lane index[i] mod 16 of the table.
inline I32 permute(const I32& table, const I32& index) {
    I32 r;
    for (int i = 0; i < 16; ++i)
        r.v[i] = table.v[index.v[i] & 15];
    return r;
}
/// Returns 1 << (index mod 16).
inline I32 bit_of(const I32& index) {
    I32 r;
    for (int i = 0; i < 16; ++i)
        r.v[i] = 1 << (index.v[i] & 15);
    return r;
}
inline uint32_t any_bits(const I32& a) {
    uint32_t bits = 0;
    for (const int32_t lane : a.v)
        bits |= static_cast<uint32_t>(lane);
    return bits;
}
/// Returns history / 2 with the signs of a | b | c on top.
inline I32 push_sign(const I32& history, const I32& a, const I32& b, const I32& c) {
    I32 r;
    for (int i = 0; i < 16; ++i) {
        const auto sign = static_cast<uint32_t>(a.v[i] | b.v[i] | c.v[i]) & 0x80000000U;
        r.v[i] = static_cast<int32_t>(static_cast<uint32_t>(history.v[i]) >> 1 | sign);
    }
    return r;
}

/// Computes a * lane_x + b * lane_y: the change of an edge function over a block. Each of a and b
/// is equal in all lanes.
inline I32 lane_steps(const I32& a, const I32& b) {
    I32 r;
    for (unsigned i = 0; i < 16; ++i)
        r.v[i] = a.v[i] * static_cast<int32_t>(exec::lane_x(i)) +
                 b.v[i] * static_cast<int32_t>(exec::lane_y(i));
    return r;
}

/// Four floats: a varying slot.
struct F4 {
    float v[4];
    static F4 load(const void* p) {
        F4 r;
        __builtin_memcpy(r.v, p, sizeof(r.v));
        return r;
    }
    static F4 set1(float a) { return {{a, a, a, a}}; }
    void store(float* p) const { __builtin_memcpy(p, v, sizeof(v)); }
};
inline F4 operator-(const F4& a, const F4& b) {
    return {{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2], a.v[3] - b.v[3]}};
}
inline F4 operator*(const F4& a, const F4& b) {
    return {{a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2], a.v[3] * b.v[3]}};
}
inline F4 fma(const F4& a, const F4& b, const F4& c) {
    F4 r;
    for (int i = 0; i < 4; ++i)
        r.v[i] = __builtin_fmaf(a.v[i], b.v[i], c.v[i]);
    return r;
}
/// Returns a * b - c * d: the product c * d is rounded, then one operation is fused.
inline F4 difference_of_products(const F4& a, const F4& b, const F4& c, const F4& d) {
    F4 r;
    for (int i = 0; i < 4; ++i)
        r.v[i] = __builtin_fmaf(a.v[i], b.v[i], -(c.v[i] * d.v[i]));
    return r;
}

#include "raster/simd/simd_append.inl"
