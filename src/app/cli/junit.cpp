// JUnit: writes results of tests in the XML that continuous integration reads.
// SPDX-License-Identifier: MIT
#include "app/cli/junit.hpp"

#include "app/cli/html.hpp"

#include <algorithm>
#include <fmt/core.h>

namespace valkyr::app {

namespace {

std::string case_xml(const JunitCase& of) {
    const std::string open =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                    html_escaped(of.class_name), html_escaped(of.name), of.seconds);
    const std::string message = html_escaped(of.message);
    switch (of.status) {
    case JunitStatus::Passed: return open + "/>\n";
    case JunitStatus::Skipped:
        return open + ">\n      <skipped message=\"" + message + "\"/>\n    </testcase>\n";
    case JunitStatus::Failed: break;
    }
    return open + ">\n      <failure message=\"" + message.substr(0, message.find('\n')) + "\">" +
           message + "</failure>\n    </testcase>\n";
}

std::string suite_xml(const JunitSuite& suite) {
    double seconds = 0;
    std::string rows;
    for (const JunitCase& of : suite.cases) {
        seconds += of.seconds;
        rows += case_xml(of);
    }
    const auto count = [&suite](JunitStatus status) {
        return std::count_if(suite.cases.begin(), suite.cases.end(),
                             [status](const JunitCase& of) { return of.status == status; });
    };
    return fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" "
                       "errors=\"0\" time=\"{:.3f}\">\n",
                       html_escaped(suite.name), suite.cases.size(), count(JunitStatus::Failed),
                       count(JunitStatus::Skipped), seconds) +
           rows + "  </testsuite>\n";
}

}  // namespace

std::string junit_xml(const std::vector<JunitSuite>& suites) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const JunitSuite& suite : suites)
        text += suite_xml(suite);
    return text + "</testsuites>\n";
}

}  // namespace valkyr::app
