// Queries: turn counters into results.
// SPDX-License-Identifier: MIT
#include "raster/record/query.hpp"

namespace valkyr::raster {
namespace {

void add(DrawCounters& to, const DrawCounters& from) {
    to.samples_passed += from.samples_passed;
    to.fragments += from.fragments;
    to.vertices += from.vertices;
    to.clip_input += from.clip_input;
    to.clip_output += from.clip_output;
    for (size_t s = 0; s < to.emitted.size(); ++s)
        to.emitted[s] += from.emitted[s];
}

}  // namespace

void QueryImpl::begin() {
    counters_ = {};
    input_vertices_ = input_primitives_ = generated_ = 0;
    stream_generated_ = stream_written_ = 0;
    last_pass = start_ns = end_ns = 0;
    open = true;
}

void QueryImpl::add_input(uint64_t vertices, uint64_t primitives) {
    input_vertices_ += vertices;
    input_primitives_ += primitives;
}

void QueryImpl::add_stream(uint64_t generated, uint64_t written) {
    stream_generated_ += generated;
    stream_written_ += written;
}

void QueryImpl::add_counters(const DrawCounters& counters) {
    add(counters_, counters);
}

QueryResult QueryImpl::result() const {
    QueryResult r;
    switch (kind_) {
    case QueryKind::SamplesPassed: r.value = counters_.samples_passed; break;
    case QueryKind::AnySamplesPassed: r.value = counters_.samples_passed != 0 ? 1 : 0; break;
    case QueryKind::PrimitivesGenerated: r.value = generated_ + counters_.emitted[stream_]; break;
    case QueryKind::PrimitivesWritten: r.value = stream_written_; break;
    case QueryKind::StreamOverflow: r.value = stream_generated_ != stream_written_ ? 1 : 0; break;
    case QueryKind::PipelineStatistics: break;
    case QueryKind::Timestamp: r.value = end_ns; break;
    case QueryKind::TimeElapsed: r.value = end_ns - start_ns; break;
    }
    if (kind_ == QueryKind::PipelineStatistics)
        r.statistics = {input_vertices_,      input_primitives_,     counters_.vertices,
                        counters_.clip_input, counters_.clip_output, counters_.fragments};
    return r;
}

void settle_counters(const CounterBlock& block, unsigned workers) {
    DrawCounters sum;
    for (unsigned i = 0; i < workers; ++i)
        add(sum, block.workers[i]);
    for (const auto& query : block.queries)
        query->add_counters(sum);
}

}  // namespace valkyr::raster
