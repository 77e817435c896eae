// Profile: what a frame costs, by kernel, line of text, Valhall word and host instruction.
// SPDX-License-Identifier: MIT
#include "app/profile/profile.hpp"

#include <algorithm>

namespace valkyr::profile {

uint64_t KernelCost::warps() const {
    uint64_t most = 0;
    for (const WordCost& word : words)
        most = std::max(most, word.count.warps);
    return most;
}

WordCost KernelCost::line(uint32_t number) const {
    WordCost line;
    for (size_t word = 0; word < words.size(); ++word) {
        if (source.line_of(word) != number)
            continue;
        line.seconds.add(words[word].seconds);
        if (words[word].count.warps > line.count.warps)
            line.count = words[word].count;
    }
    return line;
}

WordCost KernelCost::glsl_line(uint32_t number) const {
    WordCost sum;
    for (const uint32_t each : glsl.lines_from(number)) {
        const WordCost cost = line(each);
        sum.seconds.add(cost.seconds);
        if (cost.count.warps > sum.count.warps)
            sum.count = cost.count;
    }
    return sum;
}

}  // namespace valkyr::profile
