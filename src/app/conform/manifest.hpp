// Manifest: reads and writes goldens.txt, the blessed pictures of a topic and their reasons.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "examples/image_io.hpp"

#include <map>
#include <string>

namespace valkyr::conform {

struct CaseFile;

/// The goldens.txt of each topic: one line per golden, "NAME FINGERPRINT REASON", sorted by name.
class Manifest {
public:
    /// Notes that a golden was written. The topic's file is read when it is first needed.
    void set(const CaseFile& file, const examples::Image& picture, const std::string& reason);
    /// Writes the files that changed.
    Result<void> save() const;
    /// The fingerprint that was blessed for a case; empty if there is none.
    std::string blessed(const CaseFile& file);

private:
    struct Entry {
        std::string fingerprint;
        std::string reason;
    };
    struct Topic {
        std::map<std::string, Entry> entries;
        bool changed = false;
    };
    Topic& topic_of(const CaseFile& file);
    std::map<std::string, Topic> topics_;  ///< by path of goldens.txt
};

}  // namespace valkyr::conform
