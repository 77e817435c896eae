// Arithmetic test: checks error bounds and special values of the compiler's sequences.
// SPDX-License-Identifier: MIT
//
// Inputs are every n-th number of a range; VALKYR_ARITHMETIC_ROUNDS multiplies their number.
#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

constexpr unsigned kRegisters = 8;
constexpr unsigned kBatch = kRegisters * 4 * kLanes;
constexpr float kNan = __builtin_nanf("");
constexpr float kInfinity = HUGE_VALF;

/// A shader that computes `operation` of each component of its inputs; `y` is a second operand.
std::string shader_text(const std::string& operation, const std::string& y) {
    std::string text = "FRAG\nDCL IN[0..7], GENERIC[0], CONSTANT\nDCL OUT[0..7], COLOR\n"
                       "DCL TEMP[0..7]\nDCL CONST[0]\nIMM[0] FLT32 {" +
                       (y.empty() || y[0] == 'C' ? "0" : y) + ", 0, 0, 0}\n";
    for (unsigned r = 0; r < kRegisters; ++r) {
        const std::string n = std::to_string(r);
        for (const char c : std::string("xyzw")) {
            const std::string in = "IN[" + n + "]." + std::string(4, c);
            const std::string d = " TEMP[" + n + "]." + c + ", ";
            if (operation == "ROOT")
                text += "RSQ" + d + in + "\nRCP" + d + "TEMP[" + n + "]." + std::string(4, c);
            else
                text += operation + d + in;
            if (!y.empty())
                text += y[0] == 'C' ? ", CONST[0].xxxx" : ", IMM[0].xxxx";
            text += "\n";
        }
        text += "MOV OUT[" + n + "], TEMP[" + n + "]\n";
    }
    return text + "END\n";
}

/// Results of a batch of numbers.
std::vector<float>
results(const tgsi::Shader& shader, const std::vector<float>& x, float constant) {
    ShaderInputs in;
    in.inputs.resize(kRegisters);
    in.constants = {{as_bits(constant), 0, 0, 0}};
    for (unsigned i = 0; i < kBatch; ++i)
        in.inputs[i / 4 % kRegisters][i / (4 * kRegisters)][i % 4] = as_bits(x[i % x.size()]);
    const ShaderOutputs out = run_valhall(shader, in);
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    std::vector<float> values(std::min<size_t>(kBatch, x.size()));
    for (unsigned i = 0; i < values.size(); ++i)
        values[i] = as_float(out.outputs[i / 4 % kRegisters][i / (4 * kRegisters)][i % 4]);
    return values;
}

struct Function {
    std::string operation;
    std::string y;  ///< empty, a number of the text, or CONST for `constant`
    float constant = 0;
};

double ulps(float result, double exact) {
    const int exponent = std::max(std::ilogb(exact), -126);
    return std::fabs(result - exact) / std::ldexp(1.0, exponent - 23);
}
double absolute(float result, double exact) {
    return std::fabs(result - exact);
}

/// The largest measure over every n-th number between two numbers of one sign.
template <typename Exact, typename Measure>
double worst(const Function& f, float low, float high, Exact exact, Measure measure) {
    const char* rounds = std::getenv("VALKYR_ARITHMETIC_ROUNDS");
    const uint64_t count = 12 * (rounds != nullptr ? std::strtoull(rounds, nullptr, 10) : 1);
    const tgsi::Shader shader = parse_shader(shader_text(f.operation, f.y));
    const uint64_t first = as_bits(low);
    const uint64_t range = as_bits(high) - first;
    double most = 0;
    std::vector<float> x(kBatch);
    for (uint64_t batch = 0; batch < count; ++batch) {
        for (unsigned i = 0; i < kBatch; ++i)
            x[i] = as_float(
                static_cast<uint32_t>(first + range * (batch * kBatch + i) / (count * kBatch - 1)));
        const std::vector<float> y = results(shader, x, f.constant);
        for (unsigned i = 0; i < kBatch; ++i)
            if (const double error = measure(y[i], exact(static_cast<double>(x[i])));
                !(error <= most))
                most = error;
    }
    return most;
}

struct Special {
    float x, expected;
};

/// Checks that results have equal bits or are both NaN.
void check_specials(const Function& f, const std::vector<Special>& cases) {
    const tgsi::Shader shader = parse_shader(shader_text(f.operation, f.y));
    std::vector<float> x(cases.size());
    std::transform(cases.begin(), cases.end(), x.begin(), [](const Special& c) { return c.x; });
    const std::vector<float> y = results(shader, x, f.constant);
    for (size_t i = 0; i < cases.size(); ++i)
        CHECK_MESSAGE(same_word(as_bits(y[i]), as_bits(cases[i].expected)), f.operation, " ", f.y,
                      " of ", cases[i].x, ": ", y[i], " for ", cases[i].expected);
}

}  // namespace

TEST_CASE("square roots are within 2 ulp, subnormal numbers included") {
    const auto root = [](double x) { return std::sqrt(x); };
    for (const char* operation : {"SQRT", "ROOT"}) {
        CHECK(worst({operation, ""}, 0x1p-149F, 0x1.FFFFFEp127F, root, ulps) < 2.0);
        check_specials({operation, ""}, {{0, 0},
                                         {-0.0F, -0.0F},
                                         {kInfinity, kInfinity},
                                         {-1, kNan},
                                         {kNan, kNan},
                                         {4, 2},
                                         {0x1p-148F, 0x1p-74F},
                                         {-kInfinity, kNan}});
    }
    const auto inverse = [](double x) { return 1 / std::sqrt(x); };
    CHECK(worst({"RSQ", ""}, 0x1p-149F, 0x1.FFFFFEp127F, inverse, ulps) < 1.5);
}

TEST_CASE("exp2 is within 1.5 ulp and exact at integers") {
    const auto exact = [](double x) { return std::exp2(x); };
    CHECK(worst({"EX2", ""}, 0x1p-40F, 0x1.FFFFFEp6F, exact, ulps) < 1.5);
    CHECK(worst({"EX2", ""}, -0x1p-40F, -126.0F, exact, ulps) < 1.5);
    check_specials({"EX2", ""}, {{0, 1},
                                 {-0.0F, 1},
                                 {10, 1024},
                                 {128, kInfinity},
                                 {1e30F, kInfinity},
                                 {kInfinity, kInfinity},
                                 {-126, 0x1p-126F},
                                 {-126.5F, 0},
                                 {-1e30F, 0},
                                 {-kInfinity, 0},
                                 {kNan, kNan},
                                 {127, 0x1p127F},
                                 {-1e-30F, 1}});
}

TEST_CASE("log2 is within 3 ulp, within 2^-23 around 1, and exact for powers of two") {
    const auto exact = [](double x) { return std::log2(x); };
    CHECK(worst({"LG2", ""}, 0x1p-126F, 0.5F, exact, ulps) < 3);
    CHECK(worst({"LG2", ""}, 2.0F, 0x1.FFFFFEp127F, exact, ulps) < 3);
    CHECK(worst({"LG2", ""}, 0.5F, 2.0F, exact, absolute) < 0x1p-23);
    check_specials({"LG2", ""}, {{0, -kInfinity},
                                 {-0.0F, -kInfinity},
                                 {1, 0},
                                 {8, 3},
                                 {0x1p-126F, -126},
                                 {0x1p127F, 127},
                                 {kInfinity, kInfinity},
                                 {-1, kNan},
                                 {-kInfinity, kNan},
                                 {kNan, kNan},
                                 {0x1p-140F, -kInfinity}});
}

TEST_CASE("pow takes constant exponents apart and keeps its special values") {
    for (const char* y : {"1", "2", "3", "5", "8", "64", "2.2", "0.5", "-3", "CONST"}) {
        const float exponent = y[0] == 'C' ? 1.75F : std::strtof(y, nullptr);
        const auto exact = [&](double x) { return std::pow(x, static_cast<double>(exponent)); };
        CHECK(worst({"POW", y, exponent}, 0.5F, 2.0F, exact, ulps) < 8 + 8 * std::fabs(exponent));
        const bool falls = exponent < 0;
        check_specials({"POW", y, exponent}, {{0, falls ? kInfinity : 0},
                                              {-0.0F, falls ? kInfinity : 0},
                                              {1, 1},
                                              {-2, kNan},
                                              {kNan, kNan},
                                              {kInfinity, falls ? 0 : kInfinity},
                                              {-kInfinity, kNan}});
    }
    check_specials({"POW", "0"}, {{0, 1}, {kInfinity, 1}, {3, 1}});
    check_specials({"POW", "CONST", 0.0F}, {{0, 1}, {kInfinity, 1}, {3, 1}});
    check_specials({"POW", "CONST", kInfinity}, {{1, 1}, {2, kInfinity}, {0.5F, 0}});
}

TEST_CASE("sine and cosine are within 2^-23 up to a million, and at most 1") {
    const auto sine = [](double x) { return std::sin(x); };
    const auto above_one = [](float result, double) { return std::fabs(result) - 1.0; };
    const auto cosine = [](double x) { return std::cos(x); };
    for (const float range : {3.15F, 100.0F, 1e5F, 1e6F}) {
        CHECK(worst({"SIN", ""}, 0x1p-40F, range, sine, absolute) < 0x1p-23);
        CHECK(worst({"COS", ""}, 0x1p-40F, range, cosine, absolute) < 0x1p-23);
        CHECK(worst({"SIN", ""}, 0x1p-40F, range, sine, above_one) == 0);
        CHECK(worst({"COS", ""}, 0x1p-40F, range, cosine, above_one) == 0);
        CHECK(worst({"SIN", ""}, -0x1p-40F, -range, sine, absolute) < 0x1p-23);
        CHECK(worst({"COS", ""}, -0x1p-40F, -range, cosine, absolute) < 0x1p-23);
    }
    check_specials({"SIN", ""}, {{0, 0}, {kInfinity, kNan}, {kNan, kNan}, {1e-30F, 1e-30F}});
    check_specials({"COS", ""}, {{0, 1}, {-kInfinity, kNan}, {kNan, kNan}});
}

TEST_CASE("quotients are within an ulp; zeros and infinities divide as in IEEE 754") {
    for (const float divisor : {3.0F, -7.0F, 0.1F, 0x1.FFFFFEp0F, 0x1.000002p0F, 41.0F, 1e30F}) {
        const auto exact = [&](double x) { return x / static_cast<double>(divisor); };
        CHECK(worst({"DIV", "CONST", divisor}, 0x1p-20F, 0x1p100F, exact, ulps) < 0.51);
        CHECK(worst({"DIV", "CONST", divisor}, -0x1p-20F, -0x1p100F, exact, ulps) < 0.51);
    }
    check_specials({"DIV", "CONST", 0},
                   {{1, kInfinity}, {-1, -kInfinity}, {0, kNan}, {kNan, kNan}});
    check_specials({"DIV", "CONST", kInfinity}, {{1, 0}, {-1, -0.0F}, {kInfinity, kNan}});
    check_specials({"DIV", "CONST", -2}, {{0, -0.0F}, {kInfinity, -kInfinity}, {5, -2.5F}});
}

TEST_CASE("whole quotients are exact") {
    // The quotients include those that a product with the reciprocal misses, such as 41 / 41 and 47
    // / 47.
    for (int divisor = 1; divisor <= 600; divisor += divisor < 128 ? 1 : 59)
        for (const int quotient : {1, 2, 3, 5, 7, 97, 255, 1023, 4097})
            check_specials(
                {"DIV", "CONST", static_cast<float>(divisor)},
                {{static_cast<float>(divisor * quotient), static_cast<float>(quotient)}});
}

TEST_CASE("quotients by constants are within 1 ulp, and integers stay exact") {
    for (const char* y : {"4", "0.125", "3", "-7", "10", "3.14159", "1e20"}) {
        const float divisor = std::strtof(y, nullptr);
        const auto exact = [&](double x) { return x / static_cast<double>(divisor); };
        CHECK(worst({"DIV", y}, 0x1p-20F, 0x1p100F, exact, ulps) < 1);
        check_specials({"DIV", y}, {{divisor * 12345, 12345},
                                    {divisor, 1},
                                    {kNan, kNan},
                                    {kInfinity, divisor < 0 ? -kInfinity : kInfinity},
                                    {0, divisor < 0 ? -0.0F : 0.0F},
                                    {-0.0F, divisor < 0 ? 0.0F : -0.0F}});
    }
}
