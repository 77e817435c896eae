// Figures text: writes what clients of the server did for people and for programs.
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

/// A table: a row a figure, of all frames and per frame.
std::string figures_text(const ClientFigures& figures);
/// A JSON object of the sums; times are milliseconds.
std::string figures_json(const ClientFigures& figures);

}  // namespace valkyr::app
