// Figures text: prints the figures of the server's clients as a table and as JSON.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/observe/observer.hpp"

#include <cstdint>
#include <string>

namespace valkyr::app {

/// The figures of several clients, added up.
struct ClientFigures {
    uint64_t clients = 0;
    virgl::Figures sum;
};

/// A table with a row per figure: the sum of all frames, and the value per frame.
std::string figures_text(const ClientFigures& figures);
/// A JSON object of the sums; times are milliseconds.
std::string figures_json(const ClientFigures& figures);

}  // namespace valkyr::app
