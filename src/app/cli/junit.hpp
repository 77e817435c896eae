// JUnit: writes results of tests in the XML that continuous integration reads.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace valkyr::app {

enum class JunitStatus { Passed, Failed, Skipped };

struct JunitCase {
    std::string class_name;
    std::string name;
    double seconds = 0;
    JunitStatus status = JunitStatus::Passed;
    std::string message;  ///< why it failed or was skipped; its first line is the summary
};

struct JunitSuite {
    std::string name;
    std::vector<JunitCase> cases;
};

std::string junit_xml(const std::vector<JunitSuite>& suites);

}  // namespace valkyr::app
