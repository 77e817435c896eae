// Queries: counters of draws, summed when their pass has been rendered.
// SPDX-License-Identifier: MIT
//
// A draw that is recorded while queries are open carries a block of counters, one for each worker.
// Draws share a block as long as the set of open queries stays the same.
#pragma once

#include "raster/data/draw_counters.hpp"
#include "raster/device.hpp"
#include "raster/resource/resource.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace valkyr::raster {

class QueryImpl final : public Query {
public:
    QueryImpl(const DeviceTag* owner, QueryKind kind, uint32_t stream)
        : owner_(owner)
        , kind_(kind)
        , stream_(stream) {}

    [[nodiscard]] QueryKind kind() const noexcept override { return kind_; }
    [[nodiscard]] const DeviceTag* owner() const noexcept { return owner_; }
    /// Whether the workers have to count for it.
    [[nodiscard]] bool counts_in_workers() const {
        return counts_samples() || kind_ == QueryKind::PipelineStatistics ||
               kind_ == QueryKind::PrimitivesGenerated;
    }
    [[nodiscard]] bool counts_samples() const {
        return kind_ == QueryKind::SamplesPassed || kind_ == QueryKind::AnySamplesPassed;
    }

    void begin();
    /// The stream that it counts in.
    [[nodiscard]] uint32_t stream() const noexcept { return stream_; }
    /// Adds what assembly makes of a draw.
    void add_input(uint64_t vertices, uint64_t primitives);
    /// Adds primitives of the last vertex stage that workers do not count.
    void add_generated(uint64_t primitives) { generated_ += primitives; }
    /// Adds what stream output did.
    void add_stream(uint64_t generated, uint64_t written);
    void add_counters(const DrawCounters& counters);
    [[nodiscard]] QueryResult result() const;

    bool open = false;
    uint64_t last_pass = 0;  ///< number of the last pass that counts for it
    uint64_t start_ns = 0;   ///< TimeElapsed
    uint64_t end_ns = 0;     ///< the two times

private:
    const DeviceTag* owner_;
    QueryKind kind_;
    uint32_t stream_;
    DrawCounters counters_;
    uint64_t generated_ = 0;
    uint64_t input_vertices_ = 0;
    uint64_t input_primitives_ = 0;
    uint64_t stream_generated_ = 0;
    uint64_t stream_written_ = 0;
};

/// The counters of some draws of a pass and the queries that want them.
struct CounterBlock {
    DrawCounters* workers = nullptr;  ///< in the pass's arena
    std::vector<std::shared_ptr<QueryImpl>> queries;
};

/// Adds all workers' counters to the queries.
void settle_counters(const CounterBlock& block, unsigned workers);

}  // namespace valkyr::raster
