// Query commands: run queries, render conditions and stream output.
// SPDX-License-Identifier: MIT
#include "virgl/commands/commands.hpp"

namespace valkyr::virgl {
namespace {

Result<Ref<QueryObject>> query_of(Context& context, const Command& command) {
    Ref<QueryObject> query = context.sub().find<QueryObject>(command.words[1]);
    if (!query)
        return malformed("no query " + std::to_string(command.words[1]));
    return query;
}

}  // namespace

Result<void> begin_query(Context& context, const Command& command) {
    VALKYR_TRY(query, query_of(context, command));
    // The next result replaces a pending one that the client did not wait for.
    context.forget_answer(query);
    query->ended = false;
    query->restored.reset();
    if (query->query && query->query->kind() != raster::QueryKind::Timestamp)
        context.accept(context.device().begin_query(query->query), "BEGIN_QUERY");
    for (const raster::QueryRef& other : query->more)
        context.accept(context.device().begin_query(other), "BEGIN_QUERY");
    return {};
}

Result<void> end_query(Context& context, const Command& command) {
    VALKYR_TRY(query, query_of(context, command));
    query->restored.reset();
    if (query->query)
        query->ended = context.accept(context.device().end_query(query->query), "END_QUERY");
    for (const raster::QueryRef& other : query->more)
        context.accept(context.device().end_query(other), "END_QUERY");
    return {};
}

Result<void> get_query_result(Context& context, const Command& command) {
    VALKYR_TRY(query, query_of(context, command));
    context.answer_later(query);
    return {};
}

Result<void> set_render_condition(Context& context, const Command& command) {
    RenderCondition condition;
    if (command.words[1] != 0) {
        VALKYR_TRY(query, query_of(context, command));
        condition.query = std::move(query);
    }
    condition.inverted = command.words[2] != 0;
    context.sub().set_condition(std::move(condition));
    return {};
}

/// A list of targets that was bound before continues where it ended (glResumeTransformFeedback). A
/// new list sets the positions of all of its targets to 0 (glBeginTransformFeedback).
Result<void> set_streamout_targets(Context& context, const Command& command) {
    SubContext& sub = context.sub();
    std::vector<Ref<StreamTargetObject>> targets;
    for (const uint32_t handle : command.words.from(2)) {
        Ref<StreamTargetObject> target = sub.find<StreamTargetObject>(handle);
        if (handle != 0 && !target)
            return malformed("no stream output target " + std::to_string(handle));
        targets.push_back(std::move(target));
    }
    if (!sub.set_stream_targets(std::move(targets), command.words.from(2)))
        return {};
    for (const auto& target : sub.stream_targets())
        if (target && target->target)
            context.accept(context.device().set_stream_position(target->target, 0),
                           "SET_STREAMOUT_TARGETS");
    return {};
}

}  // namespace valkyr::virgl
