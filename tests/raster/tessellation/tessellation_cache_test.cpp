// Tessellation cache test: checks which divided domains it keeps, and compares pieces with domains.
// SPDX-License-Identifier: MIT
#include "raster/config.hpp"
#include "raster/tessellation/tessellation_cache.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <set>

namespace valkyr::raster::test {
namespace {

constexpr exec::TessellationInfo kQuads{exec::TessellationDomain::Quads,
                                        exec::TessellationSpacing::FractionalOdd, false, false};
constexpr exec::TessellationInfo kTriangles{exec::TessellationDomain::Triangles,
                                            exec::TessellationSpacing::FractionalOdd, false, false};

TessellationKey key_of(const exec::TessellationInfo& info, float level) {
    const auto key = tessellation_key(info, {{level, level, level, level}, {level, level}});
    REQUIRE(key.has_value());
    return *key;
}

}  // namespace

TEST_CASE("the levels of a terrain are kept together") {
    TessellationCache cache;
    std::set<const void*> places;
    for (int x = 0; x <= 32; ++x) {
        const float level = 3 + 8 * std::sin(static_cast<float>(x) * 3 / 32);
        places.insert(&cache.find(kQuads, key_of(kQuads, level)));
    }
    CHECK(places.size() == 33);
}

TEST_CASE("pieces are the domain in order, also after many others took their places") {
    TessellationCache cache;
    Tessellation whole;
    for (const int round : {0, 1})
        for (int i = 0; i < 300; ++i)
            for (const exec::TessellationInfo& info : {kQuads, kTriangles}) {
                CAPTURE(round);
                const TessellationKey key = key_of(info, 1 + 0.1F * static_cast<float>(i));
                tessellate(info, key, whole);
                size_t corner = 0;
                const TessellationPieces& domain = cache.find(info, key);
                for (const TessellationPiece& piece : domain.pieces) {
                    REQUIRE(piece.primitives() <= kChunkPrimitives);
                    for (const uint16_t at : piece.corners) {
                        const exec::DomainPoint& point = domain.points[piece.points[at]];
                        const DomainPlace& place = whole.points[whole.corners[corner++]];
                        const bool same = point.u * kDomainOne == static_cast<float>(place.u) &&
                                          point.v * kDomainOne == static_cast<float>(place.v);
                        REQUIRE(same);
                        if (info == kTriangles)
                            REQUIRE(point.u + point.v + point.w == 1);
                    }
                }
                CHECK(corner == whole.corners.size());
                CHECK(domain.points.size() == whole.points.size());
            }
}

}  // namespace valkyr::raster::test
