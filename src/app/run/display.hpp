// Display: starts an X server without a screen for programs that need one.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <string>
#include <sys/types.h>

namespace valkyr::app {

/// An Xvfb process, which the destructor ends.
class Display {
public:
    /// Returns once programs can connect. Its screen has 1920x1080 pixels of 24 bits.
    /// errors  System: Xvfb is not installed, or does not start
    static Result<Display> start();
    Display(Display&& other) noexcept;
    Display& operator=(Display&&) = delete;
    ~Display();

    /// The value for the variable DISPLAY, such as ":99".
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    Display(pid_t pid, std::string name)
        : pid_(pid)
        , name_(std::move(name)) {}

    pid_t pid_;  ///< 0: none
    std::string name_;
};

}  // namespace valkyr::app
