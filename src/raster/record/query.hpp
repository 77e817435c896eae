// Queries: sum the counters of draws when their pass has been rendered.
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
    /// Returns whether workers must count for the query.
    [[nodiscard]] bool counts_in_workers() const {
        return counts_samples() || kind_ == QueryKind::PipelineStatistics ||
               kind_ == QueryKind::PrimitivesGenerated;
    }
    [[nodiscard]] bool counts_samples() const {
        return kind_ == QueryKind::SamplesPassed || kind_ == QueryKind::AnySamplesPassed;
    }

    void begin();
    /// Returns the vertex stream that the query counts.
    [[nodiscard]] uint32_t stream() const noexcept { return stream_; }
    /// Adds the vertices and primitives that assembly makes for a draw.
    void add_input(uint64_t vertices, uint64_t primitives);
    /// Adds primitives of the last vertex stage that workers do not count.
    void add_generated(uint64_t primitives) { generated_ += primitives; }
    /// Adds the primitives that stream output generated and wrote.
    void add_stream(uint64_t generated, uint64_t written);
    void add_counters(const DrawCounters& counters);
    [[nodiscard]] QueryResult result() const;

    bool open = false;
    uint64_t last_pass = 0;  ///< last pass whose draws count for the query
    uint64_t start_ns = 0;   ///< TimeElapsed only
    uint64_t end_ns = 0;     ///< Timestamp and TimeElapsed

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

/// Counters of some draws of a pass, and the queries that receive them.
struct CounterBlock {
    DrawCounters* workers = nullptr;  ///< in the pass's arena
    std::vector<std::shared_ptr<QueryImpl>> queries;
};

/// Adds all workers' counters to the queries.
void settle_counters(const CounterBlock& block, unsigned workers);

}  // namespace valkyr::raster
