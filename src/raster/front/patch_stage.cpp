// Patch stage: calls the programs of the stages, and cuts divided domains into chunks.
// SPDX-License-Identifier: MIT
#include "raster/front/patch_stage.hpp"

#include "base/bits.hpp"
#include "exec/handle.hpp"
#include "exec/vertex_record.hpp"
#include "raster/data/batch.hpp"
#include "raster/data/runs.hpp"

#include <algorithm>
#include <new>
#include <span>

namespace valkyr::raster {
namespace {

constexpr uint32_t kGroupVertices = 256;
/// Points of a piece that begin a warp of their own, so that all lanes have one patch: its control
/// points are then loaded once for the warp.
constexpr uint32_t kManyPoints = 32;

/// Numbers of vertices that are records in order.
constexpr auto kVertexNumbers = [] {
    std::array<uint32_t, kChunkVertices + exec::kLanes> numbers{};
    for (uint32_t i = 0; i < numbers.size(); ++i)
        numbers[i] = i;
    return numbers;
}();

constexpr unsigned table(exec::ResourceTable which) {
    return static_cast<unsigned>(which) - exec::kFirstRecordTable;
}

/// Makes room for `count` elements. A vector that shrinks and grows would be filled each time.
template <typename T>
void make_room(std::vector<T>& memory, size_t count) {
    if (memory.size() < count)
        memory.resize(count);
}

}  // namespace

uint32_t patches_per_group(const DrawRecord& draw) {
    return std::max(1U, kGroupVertices / draw.assembly.patch_vertices);
}

void PatchStage::begin(const GeometryInput& input) {
    input_ = input;
    keys_.clear();
    patch_ = 0;
    domain_ = nullptr;
}

exec::ComputeCall PatchStage::call(const KernelWorker& worker, const exec::DrawContext* context) {
    const PatchDraw& draw = *input_.draw->patches;
    exec::ComputeCall call;
    call.draw = context;
    call.worker = worker.worker;
    call.tls = worker.tls;
    call.contexts = contexts_.data();
    call.records[table(exec::ResourceTable::InputRecords)] = {inputs_.data(), draw.input_stride};
    call.records[table(exec::ResourceTable::PatchRecords)] = {patches_.data(), draw.patch_stride};
    return call;
}

bool PatchStage::has_effects() const {
    return input_.draw->patches->evaluation->info->has_side_effects;
}

exec::PatchRecord& PatchStage::patch_record(uint32_t patch) {
    uint8_t* record = patches_.data() + size_t{patch} * input_.draw->patches->patch_stride;
    return *std::launder(reinterpret_cast<exec::PatchRecord*>(record));
}

bool PatchStage::next(const KernelWorker& worker, bool refs, Emissions& made) {
    points_.clear();
    part_ = nullptr;
    made_ = 0;
    shaded_ = 0;
    while (!exec::is_cancelled(input_.draw->vertex->watch)) {
        if (patch_ < keys_.size()) {
            if (!add_piece())
                break;
        } else {
            // The points at hand belong to the old group.
            if (input_.begin == input_.end || made_ != 0)
                break;
            shade_group(worker);
        }
    }
    if (made_ == 0 || exec::is_cancelled(input_.draw->vertex->watch))
        return false;
    if (!points_.empty())
        shade_points(worker);
    made = {};
    made.records = records_.data();
    made.in_order = part_ == nullptr;
    made.chunk_vertices =
        made.in_order ? static_cast<uint32_t>(points_.size()) : part_->point_count;
    made.record_numbers[0] = made.in_order ? kVertexNumbers.data() : part_->points.data();
    if (refs) {
        made.refs = {refs_.data(), made_};
    } else {
        list_primitives();
        made.primitives = primitives_;
    }
    return true;
}

void PatchStage::list_primitives() {
    primitives_.clear();
    for (const PrimitiveRef& ref : std::span(refs_).first(made_)) {
        EmittedPrimitive& primitive = primitives_.emplace_back();
        std::ranges::copy(ref.v, primitive.vertex.begin());
        primitive.provoking = ref.provoking;
        primitive.id = ref.id;
        primitive.begins_strip = true;
    }
}

void PatchStage::shade_group(const KernelWorker& worker) {
    const DrawRecord& draw = *input_.draw;
    const PatchDraw& patches = *draw.patches;
    const uint32_t size = draw.assembly.patch_vertices;
    const uint32_t count = std::min(input_.end - input_.begin, patches_per_group(draw));
    const uint32_t vertices = count * size;
    make_room(ids_, align_up(vertices, exec::kLanes));
    element_vertices(draw.assembly, input_.run_first + input_.begin * size,
                     std::span(ids_).first(vertices));
    make_room(inputs_, ids_.size() * patches.input_stride);
    shade_vertices(draw, worker, input_.instance, ids_.data(), vertices, inputs_.data(),
                   patches.input_stride);
    shaded_ += vertices;
    patches_.assign(size_t{count} * patches.patch_stride, 0);
    for (uint32_t patch = 0; patch < count; ++patch) {
        exec::PatchRecord& record =
            *new (patches_.data() + size_t{patch} * patches.patch_stride) exec::PatchRecord{};
        record.id = input_.first_id + input_.begin + patch;
        if (patches.control == nullptr) {
            std::ranges::copy(patches.outer_levels, record.outer);
            std::ranges::copy(patches.inner_levels, record.inner);
        }
    }
    if (patches.control != nullptr)
        run_control(worker, count);
    choose_levels(count);
    input_.begin += count;
}

/// Runs whole work-groups of patches, and one group of the rest.
void PatchStage::run_control(const KernelWorker& worker, uint32_t patches) {
    const PatchDraw& draw = *input_.draw->patches;
    const uint32_t vertices = draw.control_info.vertices;
    const uint32_t together = std::max(1U, exec::kLanes / vertices);
    controls_.assign(size_t{patches} * vertices * draw.control_stride, 0);
    exec::ComputeCall group = call(worker, draw.control);
    group.records[table(exec::ResourceTable::VertexRecords)] = {controls_.data(),
                                                                draw.control_stride};
    group.block[0] = vertices;
    group.block[1] = together;
    group.group_count = patches / together;
    group.grid[0] = patches / together + 1;
    if (group.group_count != 0)
        draw.control_kernel(group);
    group.first_group = patches / together;
    group.group_count = 1;
    group.block[1] = patches % together;
    if (group.block[1] != 0)
        draw.control_kernel(group);
}

void PatchStage::choose_levels(uint32_t patches) {
    keys_.clear();
    for (uint32_t patch = 0; patch < patches; ++patch) {
        const exec::PatchRecord& record = patch_record(patch);
        TessellationLevels levels;
        std::ranges::copy(record.outer, levels.outer.begin());
        std::ranges::copy(record.inner, levels.inner.begin());
        keys_.push_back(tessellation_key(input_.draw->patches->tessellation, levels));
    }
    patch_ = 0;
    domain_ = nullptr;
}

bool PatchStage::add_piece() {
    if (part_ != nullptr)
        return false;  // the records of a patch in several pieces are its points
    if (!keys_[patch_]) {
        ++patch_;
        return true;
    }
    if (domain_ == nullptr) {
        domain_ = &cache_.find(input_.draw->patches->tessellation, *keys_[patch_]);
        piece_ = 0;
    }
    if (domain_->pieces.size() != 1)
        return take_piece();
    const TessellationPiece& piece = domain_->pieces.front();
    const uint32_t many = piece.point_count;
    auto first = static_cast<uint32_t>(points_.size());
    if (many >= kManyPoints && !has_effects())
        first = align_up(first, exec::kLanes);
    if (first + many > kChunkVertices || made_ + piece.primitives() > kChunkPrimitives)
        return false;
    add_points(first);
    add_primitives(piece, first);
    end_piece();
    return true;
}

bool PatchStage::take_piece() {
    if (made_ != 0)
        return false;
    const TessellationPiece& piece = domain_->pieces[piece_];
    if (piece_ == 0)
        add_points(0);
    part_ = &piece;
    add_primitives(piece, 0);
    end_piece();
    return true;
}

void PatchStage::end_piece() {
    if (++piece_ != domain_->pieces.size())
        return;
    ++patch_;
    domain_ = nullptr;
}

void PatchStage::add_points(uint32_t first) {
    if (first > points_.size())
        points_.resize(first, points_.back());
    points_.insert(points_.end(), domain_->points.begin(), domain_->points.end());
    for (exec::DomainPoint& point : std::span(points_).subspan(first))
        point.patch = patch_;
}

void PatchStage::add_primitives(const TessellationPiece& piece, uint32_t first) {
    const bool provoking_first = input_.draw->assembly.provoking_first;
    const uint32_t id = patch_record(patch_).id;
    const uint32_t vertices = piece.vertices;
    // Points are one vertex three times, lines have the second one twice.
    const uint32_t second = std::min(1U, vertices - 1);
    const uint32_t third = vertices - 1;
    const uint16_t* corner = piece.corners.data();
    const auto place = [&](uint32_t at) { return static_cast<uint16_t>(first + corner[at]); };
    PrimitiveRef* ref = refs_.data() + made_;
    const uint32_t count = piece.primitives();
    made_ += count;
    for (uint32_t i = 0; i < count; ++i, ++ref, corner += vertices) {
        const uint16_t v[] = {place(0), place(second), place(third)};
        *ref = {{v[0], v[1], v[2]}, provoking_first ? v[0] : v[2], id};
    }
}

void PatchStage::shade_points(const KernelWorker& worker) {
    const PatchDraw& draw = *input_.draw->patches;
    const auto shaded_points = static_cast<uint32_t>(points_.size());
    shaded_ += shaded_points;
    points_.resize(align_up(points_.size(), size_t{exec::kLanes}), points_.back());
    make_room(records_, (points_.size() + exec::kLanes) * draw.output_stride);
    exec::ComputeCall group = call(worker, draw.evaluation);
    if (draw.control != nullptr)
        group.records[table(exec::ResourceTable::InputRecords)] = {controls_.data(),
                                                                   draw.control_stride};
    group.records[table(exec::ResourceTable::VertexRecords)] = {records_.data(),
                                                                draw.output_stride};
    group.records[table(exec::ResourceTable::DomainPoints)] = {
        reinterpret_cast<uint8_t*>(points_.data()), sizeof(exec::DomainPoint)};
    // Points beyond the last one are evaluated like it, unless that could be observed.
    const auto count = has_effects() ? shaded_points : align_up(shaded_points, exec::kLanes);
    group.block[0] = exec::kLanes;
    group.group_count = count / exec::kLanes;
    group.grid[0] = count / exec::kLanes + 1;
    if (group.group_count != 0)
        draw.evaluation_kernel(group);
    group.first_group = group.group_count;
    group.group_count = 1;
    group.block[0] = count % exec::kLanes;
    if (group.block[0] != 0)
        draw.evaluation_kernel(group);
}

}  // namespace valkyr::raster
