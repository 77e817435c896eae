// Scalar test: leases have different registers and end with their scopes.
// SPDX-License-Identifier: MIT
#include "jit/registers/scalar.hpp"

#include <doctest/doctest.h>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

using namespace valkyr;
using jit::Gp;
using jit::Scalar;
using jit::Scalars;

// `Gp r = c.scalar();` would name a register whose lease has ended.
static_assert(std::is_convertible_v<const Scalar&, Gp>);
static_assert(!std::is_convertible_v<Scalar, Gp>);
static_assert(!std::is_convertible_v<jit::LeasedAddress, jit::Address>);
static_assert(!std::is_copy_constructible_v<Scalar>);

TEST_CASE("Leases name different registers, none of which has a role") {
    Scalars scalars;
    std::vector<Scalar> leases;
    std::set<Gp> registers;
    constexpr unsigned count = 7;
    for (unsigned k = 0; k < count; ++k) {
        leases.push_back(scalars.lease());
        registers.insert(leases.back());
    }
    CHECK(registers.size() == count);
    for (Gp role : {Gp::Frame, Gp::Call, Gp::Fau, Gp::Item, Gp::PixelBlock, Gp::Running,
                    Gp::Primitive, Gp::Half, Gp::Argument, Gp::Pool, Gp::None})
        CHECK(registers.count(role) == 0);
    leases.clear();
    CHECK(scalars.all_free());
}

TEST_CASE("A lease ends with its scope, with reset() or when another takes its place") {
    Scalars scalars;
    {
        const Scalar a = scalars.lease();
        CHECK_FALSE(scalars.all_free());
    }
    CHECK(scalars.all_free());
    Scalar a = scalars.lease();
    const Gp first = a;
    a.reset();
    CHECK_FALSE(a.valid());
    CHECK(scalars.all_free());
    a = scalars.lease();
    CHECK(first == Gp{a});
    Scalar b = scalars.lease();
    const Gp second = b;
    a = std::move(b);
    CHECK(second == Gp{a});
    const Scalar again = scalars.lease();
    CHECK(first == Gp{again});
}
