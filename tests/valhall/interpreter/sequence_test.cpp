// Sequence test: checks the sequences of exp2, log2, sine, cosine and square root as programs.
// SPDX-License-Identifier: MIT
//
// The compiler emits these sequences (docs/rules/isa-notes.md "Special functions"). The tests bound
// the error against long double.
#include "base/bits.hpp"
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <random>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

constexpr char kExp2[] = R"(
    IADD_IMM.i32 r10, 0x0, #24
    FMA_RSCALE.f32 r1, r0, 0x3F800000, 0x0.neg, r10
    F32_TO_S32 r2, r1
    FEXP.f32.end r0, r2, r1
)";
constexpr char kLog2[] = R"(
    FREXPE.f32.log r1, r0
    S32_TO_F32 r1, r1
    FADD_LSCALE.f32 r2, 0x3F800000.neg, r0
    FLOGD.f32 r3, r0
    FMA.f32.end r0, r3, r2, r1
)";
/// r20.. hold the constants of set_angle_constants.
constexpr char kReduce[] = R"(
    FMA.f32 r1, r0, r20, r21
    FADD.f32 r2, r1, r21.neg
    FMA.f32 r3, r2, r22.neg, r0
    FMA.f32 r3, r2, r23, r3
    FSIN_TABLE.u6 r4, r1
    FCOS_TABLE.u6 r5, r1
    FMA.f32 r6, r3, r3, 0x0.neg
    FMA.f32 r7, r6, r3, 0x0.neg
    FMA.f32 r7, r7, r24, r3
    FMA.f32 r8, r6, r25, r26.neg
    FMA.f32 r8, r6, r8, 0x0.neg
)";
constexpr char kSine[] = R"(
    FMA.f32 r9, r4, r8, 0x0.neg
    FMA.f32 r9, r5, r7, r9
    FADD.f32.end r0, r9, r4
)";
constexpr char kCosine[] = R"(
    FMA.f32 r9, r5, r8, 0x0.neg
    FMA.f32 r9, r4.neg, r7, r9
    FADD.f32.end r0, r9, r5
)";
constexpr char kSquareRoot[] = R"(
    FREXPM.f32.sqrt r1, r0
    FRSQ.f32 r2, r1
    FREXPE.f32.sqrt r3, r0
    FMA_RSCALE_LEFT.f32.end r0, r1, r2, 0x0.neg, r3
)";

void set_angle_constants(Bench& bench) {
    bench.set(20, f(0x1.45f306p-1F));  // 2/pi
    bench.set(21, 0x49400000);         // 1.5 * 2^19
    bench.set(22, 0x3FC90FDB);         // pi/2 ...
    bench.set(23, 0x333BBD2E);         // ... and the negated error of that
    bench.set(24, f(-1.0F / 6));
    bench.set(25, f(1.0F / 24));
    bench.set(26, f(0.5F));
}

using Exact = std::function<long double(long double)>;
using Measure = std::function<double(float result, long double exact)>;

/// The largest error over random inputs that `input` makes.
double worst_of(const std::string& text,
                const std::function<float()>& input,
                const Exact& exact,
                const Measure& measure,
                int warps = 4000) {
    Bench bench(text);
    set_angle_constants(bench);
    const auto interpreter = Interpreter::create(bench.program);
    REQUIRE(interpreter.has_value());
    double worst = 0;
    for (int n = 0; n < warps; ++n) {
        bench.set_lanes(0, [&](unsigned) { return as_bits(input()); });
        const exec::Lanes x = bench.state.r[0];
        bench.state.alive = bench.state.live = 0xFFFF;
        bench.state.pc = {};
        interpreter->run_warp(bench.state, bench.warp);
        for (unsigned l = 0; l < exec::kLanes; ++l)
            worst = std::max(worst, measure(as_float(bench.get(0, l)), exact(as_float(x.v[l]))));
    }
    return worst;
}

double ulps(float result, long double exact) {
    const int exponent = std::max(std::ilogb(exact), -126);
    return static_cast<double>(std::fabs(result - exact) / std::ldexp(1.0L, exponent - 23));
}
double absolute(float result, long double exact) {
    return static_cast<double>(std::fabs(result - exact));
}

/// Uniformly distributed numbers of a range.
std::function<float()> uniform(float low, float high) {
    return [=, random = std::mt19937(23)]() mutable {
        return std::uniform_real_distribution<float>(low, high)(random);
    };
}
/// Uniformly distributed bit patterns of a range of positive numbers.
std::function<float()> any_between(float low, float high) {
    return [=, random = std::mt19937(29)]() mutable {
        return as_float(std::uniform_int_distribution<uint32_t>(f(low), f(high))(random));
    };
}

uint32_t run_once(const std::string& text, uint32_t x) {
    Bench bench(text);
    set_angle_constants(bench);
    bench.set(0, x);
    bench.run();
    return bench.get(0);
}

}  // namespace

TEST_CASE("exp2 is within 1.185 ulp below 1 and 0.985 ulp elsewhere") {
    const Exact exp2 = [](long double x) { return std::exp2(x); };
    CHECK(worst_of(kExp2, uniform(-1, 1), exp2, ulps) < 1.185);
    CHECK(worst_of(kExp2, uniform(1, 127), exp2, ulps) < 0.985);
    CHECK(worst_of(kExp2, uniform(-125, -1), exp2, ulps) < 0.985);
    CHECK(run_once(kExp2, kInf) == kInf);
    CHECK(run_once(kExp2, kMinusInf) == 0);
    CHECK(run_once(kExp2, f(1000.0F)) == kInf);
    CHECK(run_once(kExp2, f(-1000.0F)) == 0);
    CHECK(run_once(kExp2, kNan) == kNan);
    CHECK(run_once(kExp2, kMinusZero) == f(1.0F));
}

TEST_CASE("log2 is within 2.3 ulp, and exact for powers of two") {
    const Exact log2 = [](long double x) { return std::log2(x); };
    CHECK(worst_of(kLog2, any_between(0x1p-126F, 0.5F), log2, ulps) < 2.3);
    CHECK(worst_of(kLog2, any_between(2.0F, 0x1p127F), log2, ulps) < 2.3);
    CHECK(worst_of(kLog2, uniform(0.5F, 2.0F), log2, absolute) < std::exp2(-23.5));
    for (int e = -126; e < 128; ++e)
        CHECK(as_float(run_once(kLog2, f(std::ldexp(1.0F, e)))) == static_cast<float>(e));
    CHECK(run_once(kLog2, 0) == kMinusInf);
    CHECK(run_once(kLog2, kMinusZero) == kMinusInf);
    CHECK(run_once(kLog2, kInf) == kInf);
    CHECK(run_once(kLog2, f(-2.0F)) == kNan);
    CHECK(run_once(kLog2, kNan) == kNan);
}

TEST_CASE("sine and cosine are within 2^-23.97 up to 100000") {
    const Exact sine = [](long double x) { return std::sin(x); };
    const Exact cosine = [](long double x) { return std::cos(x); };
    const double bound = std::exp2(-23.97) * 1.0001;
    for (const float range : {3.15F, 100.0F, 100000.0F}) {
        CHECK(worst_of(std::string(kReduce) + kSine, uniform(-range, range), sine, absolute) <=
              bound);
        CHECK(worst_of(std::string(kReduce) + kCosine, uniform(-range, range), cosine, absolute) <=
              bound);
    }
    CHECK(run_once(std::string(kReduce) + kSine, 0) == 0);
    CHECK(run_once(std::string(kReduce) + kCosine, 0) == f(1.0F));
    CHECK(run_once(std::string(kReduce) + kSine, kInf) == kNan);
    CHECK(run_once(std::string(kReduce) + kCosine, kNan) == kNan);
}

TEST_CASE("the square root sequence is within 1.75 ulp and handles its special values") {
    const Exact root = [](long double x) { return std::sqrt(x); };
    CHECK(worst_of(kSquareRoot, any_between(as_float(1), 0x1p127F), root, ulps) < 1.75);
    CHECK(run_once(kSquareRoot, 0) == 0);
    CHECK(run_once(kSquareRoot, kMinusZero) == kMinusZero);
    CHECK(run_once(kSquareRoot, kInf) == kInf);
    CHECK(run_once(kSquareRoot, f(-1.0F)) == kNan);
}
