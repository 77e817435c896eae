// Texture operands: read the staging registers in order; absent operands take none.
// SPDX-License-Identifier: MIT
#include "raster/messages/texture_operands.hpp"

namespace valkyr::raster {
namespace {

constexpr exec::Lanes kZeros{};

/// Hands out registers one after the other; past the last one, it gives zeros.
class Dealer {
public:
    Dealer(const exec::Lanes* registers, unsigned count)
        : registers_(registers)
        , left_(count) {}
    const exec::Lanes* next(bool present) {
        if (!present || left_ == 0)
            return &kZeros;
        --left_;
        return registers_++;
    }

private:
    const exec::Lanes* registers_;
    unsigned left_;
};

}  // namespace

TextureOperands texture_operands(const exec::TextureMessage& message,
                                 const exec::Lanes* in) noexcept {
    const unsigned dimension = message.dimension & 3;
    const unsigned count = is_cube(message) ? 2 : dimension + 1;
    const bool sends_lod =
        message.op == exec::TextureOp::Sample && (message.lod_mode == exec::LodMode::Explicit ||
                                                  message.lod_mode == exec::LodMode::ComputedBias);
    Dealer dealer(in, message.staging_count);
    TextureOperands operands{};
    operands.coordinate_count = count;
    for (unsigned i = 0; i < 3; ++i)
        operands.coordinate[i] = dealer.next(i < count);
    operands.array = dealer.next(message.array);
    operands.reference = dealer.next(message.shadow);
    operands.offset = dealer.next(message.offset);
    operands.lod = dealer.next(sends_lod);
    return operands;
}

}  // namespace valkyr::raster
