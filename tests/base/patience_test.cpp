// Patience test: waits in vain shorten the polling time; a successful one restores the longest.
// SPDX-License-Identifier: MIT
#include "base/patience.hpp"

#include <doctest/doctest.h>

using valkyr::look_for;
using valkyr::Patience;

TEST_CASE("waits in vain halve the time down to none") {
    Patience patience;
    Patience::Duration last = patience.next();
    CHECK(last == Patience::kMost);
    unsigned waits = 0;
    for (; last != Patience::Duration::zero(); ++waits) {
        patience.missed();
        const Patience::Duration time = patience.next();
        CHECK(time < last);
        last = time;
    }
    CHECK(waits <= 5);
}

TEST_CASE("one wait in many tries again, and success restores the longest time") {
    Patience patience;
    while (patience.next() != Patience::Duration::zero())
        patience.missed();
    unsigned waits = 1;
    while (patience.next() == Patience::Duration::zero())
        ++waits;
    CHECK(waits + 1 == Patience::kProbe);
    patience.missed();
    CHECK(patience.next() == Patience::Duration::zero());
    patience.came();
    CHECK(patience.next() == Patience::kMost);
}

TEST_CASE("look_for looks at least once, and not at all without patience") {
    Patience patience;
    CHECK(look_for(patience, [] { return true; }));
    unsigned looks = 0;
    const auto in_vain = [&] {
        ++looks;
        return false;
    };
    while (patience.next() != Patience::Duration::zero()) {
        looks = 0;
        CHECK_FALSE(look_for(patience, in_vain));
        CHECK(looks > 0);
    }
    looks = 0;
    CHECK_FALSE(look_for(patience, in_vain));
    CHECK(looks == 0);
}
